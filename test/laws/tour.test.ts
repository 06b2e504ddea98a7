/** Law: a rig without useful names is mapped by clicks on its hips, its head, and the ends of its limbs. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BONE, BONE_COUNT, BONES, type BoneName, isFingerBone, REQUIRED_BONES } from '../../src/core/humanoid/bones.ts';
import { mapFromEnds } from '../../src/core/humanoid/mapping/by-shape/map-from-ends.ts';
import type { BoneAssignments } from '../../src/core/index.ts';
import { openBytes } from '../../src/files/open.ts';
import {
  bonesThatStay,
  mapOfClicks,
  mapRows,
  NO_CLICKS,
  nextProblem,
  withClick,
} from '../../studio/src/app/map-rows.ts';
import { rightNodes, type Truth } from '../core/humanoid/mapping/truth.ts';
import { asset, HAS_ASSETS } from '../support/assets.ts';
import { IS_FULL_RUN, lawRuns } from '../support/law-runs.ts';
import { dress } from '../support/make/dressing/dress.ts';
import type { Dressable } from '../support/make/dressing/growing-rig.ts';
import { HUMANOID_FILES, makeDressable, readDressable } from '../support/make/dressing/humanoids.ts';
import { nest } from '../support/make/dressing/nest.ts';
import { DRESSED_FINGERS, TOUR_REQUIRED } from '../support/tolerances.ts';

/** Seeds are fixed, because the law is a rate. */
const CASES = lawRuns(IS_FULL_RUN ? 2000 : 700);
/** What the issue of the tour promises. */
const MOST_CLICKS = 15;

interface Tour {
  readonly map: BoneAssignments;
  readonly clicks: number;
}

/** Goes through the tour of the studio as a person who knows the rig: clicks each joint that is asked for, and goes on where the rig has none. */
function tourOf({ skeleton, clip, right }: Dressable, clicks?: ReadonlyMap<BoneName, number>): Tour {
  const nodes = skeleton.names.map((_, node) => ({ node, name: `joint_${node}`, parent: skeleton.parents[node] }));
  const names = nodes.map(({ name }) => name);
  const data = { skeleton: 0, bones: {}, nodes, presets: [], reason: null, json: '', issues: [] };
  let map: BoneAssignments = {};
  let state = NO_CLICKS;
  let count = 0;
  const asked = new Set<BoneName>();
  for (;;) {
    const rows = mapRows(data, map, state);
    const next = nextProblem(
      rows.filter(({ bone }) => !asked.has(bone)),
      null,
    );
    if (next === null) return { map, clicks: count };
    const { bone } = next;
    asked.add(bone);
    const node = clicks?.get(bone) ?? right[BONE[bone]][0];
    if (node < 0) continue;
    count++;
    const stay = bonesThatStay(rows, state, bone, node);
    const known = Int32Array.from(BONES, (one) => (stay[one] as number | undefined) ?? -1);
    const found = mapFromEnds({ ...skeleton, names }, clip, known);
    const all = BONES.flatMap((one, k) => (found[k] < 0 ? [] : [[one, found[k]] as const]));
    state = withClick(state, bone, stay, Object.fromEntries(all) as BoneAssignments);
    map = mapOfClicks(rows, state);
  }
}

/** Lists the required bones with another joint than the rig was made with. */
function wrongBones({ right }: Dressable, { map }: Tour): string[] {
  return REQUIRED_BONES.filter((bone) => !right[BONE[bone]].includes((map[bone] as number | undefined) ?? -1));
}

/** Expects the bones of many rigs, and no more clicks than promised. */
function expectTours(
  rigs: Iterable<readonly [name: string, rig: Dressable, clicks?: ReadonlyMap<BoneName, number>]>,
): void {
  const missed: string[] = [];
  let [wrong, all, most, fingers, allFingers] = [0, 0, 0, 0, 0];
  for (const [name, rig, clicks] of rigs) {
    const tour = tourOf(rig, clicks);
    const bones = wrongBones(rig, tour);
    if (bones.length > 0) missed.push(`${name}: ${bones.join(', ')}`);
    wrong += bones.length;
    all += REQUIRED_BONES.length;
    most = Math.max(most, tour.clicks);
    for (const [bone, finger] of BONES.entries()) {
      if (!isFingerBone(finger) || rig.right[bone][0] < 0) continue;
      allFingers++;
      if (rig.right[bone].includes((tour.map[finger] as number | undefined) ?? -1)) fingers++;
    }
  }
  expect(1 - wrong / all, missed.join('; ')).toBeGreaterThanOrEqual(TOUR_REQUIRED);
  expect(fingers / allFingers).toBeGreaterThanOrEqual(DRESSED_FINGERS);
  expect(most).toBeLessThanOrEqual(MOST_CLICKS);
}

it('a tour maps procedural humanoids with clothes, twist joints and props', () => {
  expectTours(
    Array.from({ length: CASES }, (_, seed) => {
      const rig = dress(makeDressable(seed), seed);
      return [`${seed} ${rig.kinds.join(', ')}`, rig] as const;
    }),
  );
});

it('a tour maps limbs with more joints on one side, controls at their ends, and feet that the root has', () => {
  expectTours(
    Array.from({ length: CASES }, (_, seed) => {
      const rig = nest(makeDressable(seed), seed);
      return [`${seed}`, rig, rig.clicks] as const;
    }),
  );
});

it('mapFromEnds: nothing follows from nothing', () => {
  const none = new Int32Array(BONE_COUNT).fill(-1);
  expect(mapFromEnds(makeDressable(1).skeleton, null, none)).toEqual(none);
});

it('mapFromEnds: a joint that was given to one bone is not found for another', () => {
  const { skeleton, right } = makeDressable(1);
  const ends = ['hips', 'head', 'leftHand', 'rightHand', 'leftFoot', 'rightFoot'] as const;
  const known = new Int32Array(BONE_COUNT).fill(-1);
  for (const bone of ends) known[BONE[bone]] = right[BONE[bone]][0];
  const spine = mapFromEnds(skeleton, null, known)[BONE.spine];
  known[BONE.chest] = spine;
  const nodes = mapFromEnds(skeleton, null, known);
  expect([nodes[BONE.chest], nodes.filter((node) => node === spine).length]).toEqual([spine, 1]);
});

describe.skipIf(!HAS_ASSETS)('third-party files', () => {
  it.each(HUMANOID_FILES)('a tour maps %s without its names', async (name) => {
    const rig = await readDressable(name);
    const tour = tourOf(rig);
    expect(wrongBones(rig, tour)).toEqual([]);
    expect(tour.clicks).toBeLessThanOrEqual(MOST_CLICKS);
  });

  it('a tour maps BrainStem, whose arms end at the forearms, in nine clicks', async () => {
    const file = await openBytes(readFileSync(asset('assets', 'glb/BrainStem.glb')), { name: 'BrainStem.glb' });
    const [{ skeleton, sourceNodes }] = file.asset.skeletons;
    const truth: Truth = {
      hips: '#3',
      spine: ['#12', '-', '-'],
      head: ['-', '#20'],
      arm: ['-', '#{13|18}', '#{14|19}', '-'],
      leg: ['#{4|8}', '#{5|9}', '#{6|10}', '#{7|11}'],
      fingers: [[], [], [], [], []],
    };
    const rig = { name: 'BrainStem', skeleton, clip: null, right: rightNodes(truth, skeleton, sourceNodes) };
    const tour = tourOf(rig);
    expect(wrongBones(rig, tour)).toEqual([]);
    expect(tour.clicks).toBe(9);
  });

  it('a tour maps them dressed', async () => {
    const rigs: (readonly [string, Dressable])[] = [];
    for (let seed = 0; seed < CASES / 3; seed++) {
      const base = await readDressable(HUMANOID_FILES[seed % HUMANOID_FILES.length]);
      const rig = dress(base, seed);
      rigs.push([`${seed} ${rig.name} ${rig.kinds.join(', ')}`, rig]);
    }
    expectTours(rigs);
  }, 300_000);
});
