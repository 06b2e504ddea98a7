/** How a law is put to the test: on many random rigs, each from a seed of its own, so that a failure names the seed. */
import fc from 'fast-check';
import { test } from 'vitest';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { makeRandom, type Random } from '../../src/demo/random.ts';
import { angle, type Quaternion } from '../reference/plain.ts';
import { worldDeltas } from '../reference/world-law.ts';

/** Rigs per law. */
export const RIGS = 1000;

/**
 * A law as a test: `error` makes a case from random numbers and returns by how much the law is missed, which must be at most
 * `tolerance` in every one of the cases (NaN never is).
 */
export function law(sentence: string, tolerance: number, error: (random: Random) => number, rigs: number = RIGS): void {
  test(sentence, () => {
    const property = fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
      const missed = error(makeRandom(seed));
      if (!(missed <= tolerance)) throw new Error(`missed by ${missed}, ${tolerance} is allowed`);
    });
    fc.assert(property, { seed: 2, numRuns: rigs });
  });
}

/** The largest of numbers; NaN when one of them is. */
export function largest(...numbers: readonly number[]): number {
  return Math.max(0, ...numbers);
}

type Rotations = readonly (Quaternion | null)[];

/** The largest angle between two lists of rotations, radians; NaN when one has an entry that the other lacks. */
export function rotationError(a: Rotations, b: Rotations): number {
  return largest(
    ...a.map((p, k) => {
      const q = b[k];
      if (p === null && q === null) return 0;
      return p === null || q === null ? Number.NaN : angle(p, q);
    }),
  );
}

/** The largest angle between the world deltas of two poses of (maybe different) bodies, over the bones that both have. */
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
