/** Start and end of a long text, with a line between that says what is missing and where the whole is. */
export function withLeftOut(head: string, tail: string, totalChars: number, where: string): string {
  const left = totalChars - head.length - tail.length;
  return `${head}\n\n[${left} of ${totalChars} characters left out here.${where ? ` ${where}` : ''}]\n\n${tail}`;
}

/** Where the whole text lies. */
export function wholeIn(path: string): string {
  return `The whole text is in ${path}; Read it with offset and limit.`;
}
