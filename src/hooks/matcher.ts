/**
 * Whether a hook's matcher takes a name. Absent, `''` and `*` take all; a text of letters, digits, `_ - , |` and
 * spaces is an exact name or a list of them; anything else is a regular expression that may match anywhere.
 *
 * @throws SyntaxError for a broken regular expression.
 */
export function matches(matcher: string | undefined, name: string): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*') return true;
  if (/^[\w\-\s,|]+$/.test(matcher)) {
    return matcher.split(/[,|]/).some((word) => word.trim() === name);
  }
  return new RegExp(matcher).test(name);
}
