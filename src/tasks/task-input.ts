/** Names that models use for a key, as they are known to occur. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  id: 'taskId',
  task_id: 'taskId',
  active_form: 'activeForm',
};

/** Keys that hold ids of tasks. */
const ID_KEYS: ReadonlySet<string> = new Set(['taskId', 'addBlocks', 'addBlockedBy']);

/**
 * Repairs the input of a task tool: another name of a key when the right one is absent and `keys` knows it, and whole
 * numbers as ids. Anything else stays as it is. Pure.
 */
export function repairTaskInput(input: unknown, keys: readonly string[]): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const given = new Map<string, unknown>(Object.entries(input));
  const repaired = [...given].map(([key, value]): [string, unknown] => {
    const other = Object.hasOwn(OTHER_NAMES, key) ? OTHER_NAMES[key] : undefined;
    const name = other !== undefined && keys.includes(other) && !given.has(other) ? other : key;
    return [name, ID_KEYS.has(name) ? idsAsText(value) : value];
  });
  return Object.fromEntries(repaired);
}

function idsAsText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(idsAsText);
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? String(value) : value;
}
