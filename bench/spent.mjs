/** Prints what a run cost: CPU up to `began`, CPU since then, and the peak of memory. */
export function printSpent(began) {
  const millis = ({ user, system }) => (user + system) / 1000;
  process.stdout.write(
    JSON.stringify({
      startCpuMs: millis(began),
      cpuMs: millis(process.cpuUsage(began)),
      peakMB: process.resourceUsage().maxRSS / 1024,
    }),
  );
}
