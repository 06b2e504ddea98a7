/** Law: hair, ears, tails, skirts, capes, wings, props and helper joints do not change which joints are the bones. */
import { describe, expect, test } from 'vitest';
import { HAS_ASSETS } from '../support/assets.ts';
import { IS_FULL_RUN, lawRuns } from '../support/law-runs.ts';
import { dress, dressOther } from '../support/make/dressing/dress.ts';
import type { Dressable } from '../support/make/dressing/growing-rig.ts';
import { HUMANOID_FILES, makeDressable, readDressable } from '../support/make/dressing/humanoids.ts';
import { OTHER_FILES, OTHER_RIGS, otherFigure } from '../support/make/dressing/others.ts';
import { addToTally, emptyTally, isAccepted, type Tally } from '../support/make/dressing/tally.ts';
import { DRESSED_FINGERS, DRESSED_REQUIRED, DRESSED_SAMPLE } from '../support/tolerances.ts';

/** Dressings: the promised 2,000 before a release, 300 in a full run. Seeds are fixed, because the law is a rate. */
const CASES = Math.min(2000, lawRuns(IS_FULL_RUN ? 3000 : 700));
/** Every fifth humanoid is procedural where there are files. */
const PROCEDURAL = 5;

/** Expects that a fraction of the required bones, and nearly all fingers, have their nodes. */
function expectRates(tally: Tally, required: number): void {
  const all = `refused: ${tally.refused.join('; ')}`;
  expect(tally.required / tally.allRequired, all).toBeGreaterThanOrEqual(required);
  expect(tally.fingers / tally.allFingers).toBeGreaterThanOrEqual(DRESSED_FINGERS);
}

/** Lists the dressings of animals and things that are mapped as humanoids, with their seeds. */
function acceptedOthers(bases: readonly Dressable[], cases: number): string[] {
  const accepted: string[] = [];
  for (let seed = 0; seed < cases; seed++) {
    const base = bases[seed % bases.length];
    const dressed = dressOther(base, otherFigure(base), seed);
    if (isAccepted(dressed)) accepted.push(`${seed} ${base.name}: ${dressed.kinds.join(', ')}`);
  }
  return accepted;
}

test('dressed rigs: the same seed gives the same rig', () => {
  const base = makeDressable(3);
  expect(dress(base, 3)).toEqual(dress(base, 3));
  expect(dress(base, 3).skeleton.parents.length).toBeGreaterThan(base.skeleton.parents.length);
});

test('dressed procedural humanoids without names have their bones and fingers', () => {
  const tally = emptyTally();
  for (let seed = 0; seed < CASES / PROCEDURAL; seed++) addToTally(tally, dress(makeDressable(seed), seed));
  expectRates(tally, DRESSED_SAMPLE);
});

test('dressed animals and things without names are refused', () => {
  expect(acceptedOthers(OTHER_RIGS, CASES / 2)).toEqual([]);
});

describe.skipIf(!HAS_ASSETS)('dressed third-party files', () => {
  const humanoids = new Map<string, Dressable>();

  /** Returns one of the files, which are read when a case takes them: a short run has fewer cases than files. */
  async function humanoidAt(index: number): Promise<Dressable> {
    const name = HUMANOID_FILES[index % HUMANOID_FILES.length];
    const known = humanoids.get(name) ?? (await readDressable(name));
    humanoids.set(name, known);
    return known;
  }

  test('dressed humanoids without names have their bones, fingers and sides', async () => {
    const tally = emptyTally();
    for (let seed = 0; seed < CASES; seed++) {
      const isProcedural = seed % PROCEDURAL === PROCEDURAL - 1;
      const file = (): Promise<Dressable> => humanoidAt(seed - Math.floor(seed / PROCEDURAL));
      addToTally(tally, dress(isProcedural ? makeDressable(seed) : await file(), seed));
    }
    expectRates(tally, IS_FULL_RUN ? DRESSED_REQUIRED : DRESSED_SAMPLE);
    expect(tally.flipped).toEqual([]);
  }, 300_000);

  test('dressed animals without names are refused', async () => {
    const others: Dressable[] = [];
    for (const name of OTHER_FILES) others.push(await readDressable(name));
    expect(acceptedOthers(others, CASES / 4)).toEqual([]);
  }, 60_000);
});
