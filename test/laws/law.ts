/** Property tests of laws: many random cases, each from its own seed, so that a failure names the seed. */
import fc from 'fast-check';
import { test } from 'vitest';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { makeRandom, type Random } from '../../src/demo/random.ts';
import { lawRuns } from '../support/law-runs.ts';
import { angle, type Quaternion } from '../support/reference/plain.ts';
import { worldDeltas } from '../support/reference/world-retarget.ts';

/** Time of a law in a full run on a busy machine, milliseconds. */
const LONGEST = 300_000;

/**
 * Defines the test of a law. `error` creates a case from random numbers and returns how far it is from the law: at most `tolerance` in
 * every case; NaN fails. `full` is the number of cases at `ANYRIG_LAW_RUNS=1000`.
 */
export function law(title: string, tolerance: number, error: (random: Random) => number, full = 1000): void {
  test(
    title,
    () => {
      const property = fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
        const missed = error(makeRandom(seed));
        if (!(missed <= tolerance)) throw new Error(`the error is ${missed}, expected at most ${tolerance}`);
      });
      fc.assert(property, { seed: 2, numRuns: lawRuns(full) });
    },
    LONGEST,
  );
}

/** Returns the largest number, at least 0; NaN if one of them is. */
export function largest(...numbers: readonly number[]): number {
  return Math.max(0, ...numbers);
}

type Rotations = readonly (Quaternion | null)[];

/** Returns the largest angle between two lists of rotations, radians; NaN if only one of them has an entry. */
export function rotationError(a: Rotations, b: Rotations): number {
  return largest(
    ...a.map((p, k) => {
      const q = b[k];
      if (p === null && q === null) return 0;
      return p === null || q === null ? Number.NaN : angle(p, q);
    }),
  );
}

/** Returns the largest angle between the world deltas of two poses, over the bones that both humanoids have. */
export function deltaError(
  a: Humanoid,
  aLocal: ArrayLike<number>,
  b: Humanoid,
  bLocal: ArrayLike<number>,
  except: readonly number[] = [],
): number {
  const p = worldDeltas(a, aLocal);
  const q = worldDeltas(b, bLocal);
  const both = p.map((_, bone) => p[bone] !== null && q[bone] !== null && !except.includes(bone));
  return rotationError(
    p.map((delta, bone) => (both[bone] ? delta : null)),
    q.map((delta, bone) => (both[bone] ? delta : null)),
  );
}
