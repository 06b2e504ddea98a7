/** CPU time, for tests with a time limit. */

/**
 * Starts a timer. It returns the milliseconds of CPU time of this process since then. Wall-clock time would depend on everything else on the
 * machine.
 */
export function cpuTimer(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
}
