/**
 * Splits a list of tools or permission rules at commas and spaces outside brackets:
 * `Bash(git log:*),Read Edit` is three rules. An unclosed bracket runs to the end of the text.
 */
export function splitRules(text: string): string[] {
  const rules: string[] = [];
  let depth = 0;
  let current = '';
  for (const char of text) {
    if (depth === 0 && (char === ',' || /\s/.test(char))) {
      if (current !== '') rules.push(current);
      current = '';
      continue;
    }
    if (char === '(') depth += 1;
    if (char === ')' && depth > 0) depth -= 1;
    current += char;
  }
  if (current.trim() !== '') rules.push(current.trim());
  return rules;
}
