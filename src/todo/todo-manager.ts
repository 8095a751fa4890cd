import { oneLine } from '../attention/plan-item.js';
import { newId } from '../environment.js';
import { WaymarkError } from '../errors.js';
import { type Todo, type TodoStatus, todoStatusSchema } from './todo.js';
import { type NumberedTodo, TodoLists, type TodoWriteOutcome } from './todo-lists.js';

/** UTF-16 units of one item in the view. */
const MAX_ITEM_CHARS = 200;

const ICONS: Record<TodoStatus, string> = { pending: '○', in_progress: '◐', completed: '●' };

/**
 * The todo list in small steps: add one item, change one state, look. It stands on the same V1 lists as TodoWrite
 * and keeps nothing of its own, so several managers of one key agree.
 *
 * Ids count 1, 2, 3 … and never change or come back while items are only added and updated. When TodoWrite replaces
 * the list in between, an item whose content is on the new list keeps its id, a new item gets the next free id, and
 * the id of an item that is gone is unknown from then on (`todo_not_found`). A list whose items are all completed is
 * stored as `[]`, as TodoWrite does; here it stays in view, and `add` continues it.
 */
export class TodoManager {
  readonly #lists: TodoLists;
  readonly #key: string;

  /** `lists` and `key` name the list to stand on; without them the manager has a new list of its own. */
  constructor(options: { lists?: TodoLists; key?: string } = {}) {
    this.#lists = options.lists ?? new TodoLists();
    this.#key = options.key ?? newId();
  }

  /** The items with their ids, in order. */
  get items(): readonly NumberedTodo[] {
    return this.#lists.readNumbered(this.#key);
  }

  /** Adds a pending item at the end and gives its id. Throws `invalid_input` when `content` is blank. */
  add(content: string): number {
    if (typeof content !== 'string' || content.trim() === '')
      throw new WaymarkError('invalid_input', 'content must be a text that is not blank');
    this.#lists.write(this.#key, [
      ...this.items.map(plain),
      { content, status: 'pending', activeForm: content },
    ]);
    const added = this.items.at(-1);
    if (added === undefined) throw new WaymarkError('storage_failed', 'the new item is not on the list');
    return added.id;
  }

  /**
   * Sets the state of one item and gives what that did to the list. Putting it in progress sets any other item in
   * progress back to pending.
   * Throws `invalid_input` for a status that is none, `todo_not_found` for an id that is not on the list.
   */
  update(id: number, status: TodoStatus): TodoWriteOutcome {
    if (!todoStatusSchema.safeParse(status).success)
      throw new WaymarkError('invalid_input', `status must be one of ${todoStatusSchema.options.join(', ')}`);
    const { items } = this;
    if (!items.some((item) => item.id === id))
      throw new WaymarkError('todo_not_found', `no todo ${id}; ${knownIds(items)}`, { details: { id } });
    return this.#lists.write(
      this.#key,
      items.map((item): Todo => {
        if (item.id === id) return { ...plain(item), status };
        const steppedBack = status === 'in_progress' && item.status === 'in_progress';
        return steppedBack ? { ...plain(item), status: 'pending' } : plain(item);
      }),
    );
  }

  /** The list as text, a line an item: `◐ 2. Run the tests`. */
  view(): string {
    const { items } = this;
    if (items.length === 0) return 'No todos.';
    return items
      .map((item) => `${ICONS[item.status]} ${item.id}. ${oneLine(item.content, MAX_ITEM_CHARS)}`)
      .join('\n');
  }
}

function plain({ content, status, activeForm }: NumberedTodo): Todo {
  return { content, status, activeForm };
}

function knownIds(items: readonly NumberedTodo[]): string {
  if (items.length === 0) return 'the list is empty';
  const shown = items.slice(0, 30).map((item) => item.id);
  return `known ids: ${shown.join(', ')}${items.length > shown.length ? ', …' : ''}`;
}
