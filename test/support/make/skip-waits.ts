/** Waits of the code under test that end at once. */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

/**
 * Lets waits of `node:timers/promises` end at once. Test files share loaded modules, which `vi.mock` would not change.
 *
 * @returns A function that restores them.
 */
export function skipWaits(): () => void {
  const { setTimeout } = timers;
  timers.setTimeout = (async () => undefined) as typeof setTimeout;
  syncBuiltinESMExports();
  return () => {
    timers.setTimeout = setTimeout;
    syncBuiltinESMExports();
  };
}
