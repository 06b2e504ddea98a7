/** Stops tasks that need too much memory of the process. */

/** Milliseconds between two looks at the memory of the process. */
const WATCH_INTERVAL = 100;

export interface WatchedTask {
  /** Bytes by which the process grew meanwhile, in equal parts for all tasks that ran at the time. */
  growth: number;
  readonly stop: AbortController;
}

/**
 * Watches the memory of the process while tasks run: array buffers are not on the heaps that V8 limits, and a thread cannot look at itself while it
 * works. Where several tasks run, growth is divided among them, so a task is stopped at the latest when all together grew by their limits.
 *
 * @param memoryLimit Bytes by which the process may grow for one task.
 */
export function createMemoryWatch(memoryLimit: number): (task: WatchedTask) => () => void {
  const running = new Set<WatchedTask>();
  let [before, timer]: [number, NodeJS.Timeout | undefined] = [0, undefined];
  const look = (): void => {
    const now = process.memoryUsage.rss();
    for (const task of running) {
      task.growth = Math.max(0, task.growth + (now - before) / running.size);
      if (task.growth > memoryLimit) task.stop.abort();
    }
    before = now;
  };
  return (task) => {
    if (running.size > 0) look();
    else {
      before = process.memoryUsage.rss();
      timer = setInterval(look, WATCH_INTERVAL).unref();
    }
    running.add(task);
    return () => {
      running.delete(task);
      if (running.size === 0) clearInterval(timer);
    };
  };
}
