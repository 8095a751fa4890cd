export interface TestCounts {
  total: number;
  passed: number;
  failed: number;
}

/** The counts at the end of the output of `node --test`, in its spec and its TAP form; undefined without them. */
export function readTestCounts(output: string): TestCounts | undefined {
  const total = lastCount(output, 'tests');
  const passed = lastCount(output, 'pass');
  const failed = lastCount(output, 'fail');
  if (total === undefined || passed === undefined || failed === undefined) return undefined;
  return { total, passed, failed };
}

/** `27 of 29 pass`, or `29 pass`. */
export function testCountsText({ total, passed, failed }: TestCounts): string {
  return failed === 0 ? `${passed} pass` : `${passed} of ${total} pass, ${failed} fail`;
}

function lastCount(output: string, word: string): number | undefined {
  const found = [...output.matchAll(new RegExp(`^(?:ℹ|#) ${word} (\\d+)\\s*$`, 'gm'))].at(-1)?.[1];
  return found === undefined ? undefined : Number(found);
}
