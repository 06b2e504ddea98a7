/** Time for tests of how long something may take at most. */

/**
 * Starts to count; gives the milliseconds that processors have worked for this process since. Time on the clock would be that of everything
 * else on the machine as well.
 */
export function cpuTimer(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
}
