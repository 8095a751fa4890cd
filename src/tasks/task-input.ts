type Input = Record<string, unknown>;

function isInput(input: unknown): input is Input {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

/** Names that models use for a key. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  id: 'taskId',
  task_id: 'taskId',
  active_form: 'activeForm',
};

/** Keys that hold ids of tasks. */
const ID_KEYS: ReadonlySet<string> = new Set(['taskId', 'addBlocks', 'addBlockedBy']);

/**
 * Repairs the input of a task tool with these keys: another name of a key becomes the right one, whole numbers as ids
 * become their text. Where the right name is there as well, or two other names of it, they are left for the schema to
 * refuse by name. Gives a new object; never throws.
 */
export function repairTaskInput(input: unknown, keys: readonly string[]): unknown {
  if (!isInput(input)) return input;
  const taken = new Set(Object.keys(input));
  const repaired = Object.entries(input).map(([key, value]): [string, unknown] => {
    const right = Object.hasOwn(OTHER_NAMES, key) ? OTHER_NAMES[key] : undefined;
    const name = right !== undefined && keys.includes(right) && !taken.has(right) ? right : key;
    taken.add(name);
    return [name, ID_KEYS.has(name) ? idsAsText(value) : value];
  });
  return Object.fromEntries(repaired);
}

function idsAsText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(idAsText);
  return idAsText(value);
}

function idAsText(value: unknown): unknown {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? String(value) : value;
}

/**
 * The ids that a refused input may have meant, the likeliest first: its `taskId`, else the values of keys that the
 * tool does not know.
 */
export function meantTaskIds(input: unknown, keys: readonly string[]): string[] {
  if (!isInput(input)) return [];
  const unknown = Object.keys(input).filter((key) => !keys.includes(key));
  return ['taskId', ...unknown].map((key) => idAsText(input[key])).filter((id) => typeof id === 'string');
}
