/** An object of JSON: neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value when it is a text, else an empty one: what comes over the wire may be anything. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
