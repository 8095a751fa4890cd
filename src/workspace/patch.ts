/** One hunk of a unified diff. Lines start with ` `, `+`, `-` or `\`. */
export interface PatchHunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

/** A diff that takes longer is given up: it is shown to people, and the write it belongs to is already done. */
const LONGEST_DIFF_MS = 500;

/** The change from one text to the other with three lines around it. Above the time limit: one hunk of everything. */
export async function structuredPatch(before: string, after: string): Promise<PatchHunk[]> {
  // Loaded on the first change: it is not needed to start.
  const diff = await import('diff');
  const patch = diff.structuredPatch('a', 'b', before, after, '', '', {
    context: 3,
    timeout: LONGEST_DIFF_MS,
  });
  if (patch) {
    return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
      oldStart,
      oldLines,
      newStart,
      newLines,
      lines,
    }));
  }
  const removed = before.split('\n');
  const added = after.split('\n');
  return [
    {
      oldStart: 1,
      oldLines: removed.length,
      newStart: 1,
      newLines: added.length,
      lines: [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)],
    },
  ];
}
