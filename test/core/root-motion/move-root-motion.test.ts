import { describe, expect, test } from 'vitest';
import type { Clip, Track } from '../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { findRootMotion } from '../../../src/core/root-motion/find-root-motion.ts';
import { moveRootMotion } from '../../../src/core/root-motion/move-root-motion.ts';
import { findRootBone, groundNodes } from '../../../src/core/root-motion/root-bone.ts';
import { transferRootMotion } from '../../../src/core/root-motion/transfer-root-motion.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { type TinyNode, tinyHumanoid } from '../../support/make/tiny-humanoid.ts';
import { expectNear } from '../../support/near.ts';
import { worldPose } from '../../support/reference/plain.ts';

const HALF = Math.SQRT1_2;
/** Centimeters and Z up below an armature, a root bone, and a foot that is parented to the root bone. */
const NODES: readonly TinyNode[] = [
  { name: 'Armature', turn: [-HALF, 0, 0, HALF], scale: [0.01, 0.01, 0.01] },
  { name: 'root', parent: 'Armature' },
  { name: 'hips', parent: 'root', at: [0, 0, 100] },
  { name: 'spine', parent: 'hips', at: [0, 0, 20] },
  { name: 'leftFoot', parent: 'root', at: [10, 0, 5] },
  { name: 'weapon', parent: 'root', at: [30, 0, 50] },
];
const [ROOT, HIPS, FOOT, WEAPON] = [1, 2, 4, 5];

function withJoints(humanoid: Humanoid, ...nodes: readonly number[]): Humanoid {
  const joints = new Uint8Array(humanoid.skeleton.names.length);
  for (const node of nodes) joints[node] = 1;
  return { ...humanoid, skeleton: { ...humanoid.skeleton, joints } };
}

const hero = withJoints(tinyHumanoid(...NODES), ROOT, HIPS, 3, FOOT);

function track(target: number, values: readonly number[], path: Track['path'] = 'translation'): Track {
  const width = path === 'rotation' ? 4 : 3;
  const count = values.length / width;
  const times = Float32Array.from({ length: count }, (_, key) => (2 * key) / (count - 1));
  return { target, path, interpolation: 'LINEAR', times, values: Float64Array.from(values) };
}

function clipOf(...tracks: readonly Track[]): Clip {
  return { name: 'walk', duration: 2, tracks };
}

/** Two meters to the front with some sway; Z is up and the front is −Y in the file. */
const walk = clipOf(track(HIPS, [0, 0, 100, 3, -50, 104, 0, -100, 100, -3, -150, 104, 0, -200, 100]));

function positionsAt({ skeleton }: Humanoid, clip: Clip, time: number): readonly (readonly number[])[] {
  const local = restPose(skeleton);
  sampleClip(clip, time, local);
  return worldPose(skeleton.parents, local).positions;
}

const TIMES = [0, 0.3, 0.5, 1.1, 2];

describe('findRootBone', () => {
  test('is the topmost joint above the hips on the ground', () => {
    expect(findRootBone(hero)).toEqual({ node: ROOT, isJoint: true });
  });

  test('is the closest node above the hips without such a joint, and null without a node', () => {
    expect(findRootBone(withJoints(hero, HIPS))).toEqual({ node: ROOT, isJoint: false });
    expect(findRootBone(tinyHumanoid({ name: 'hips', at: [0, 1, 0] }))).toBeNull();
  });

  test('is not a node as high as the hips', () => {
    const biped = tinyHumanoid(
      { name: 'Bip01', at: [0, 0.95, 0] },
      { name: 'hips', parent: 'Bip01', at: [0, 0.05, 0] },
    );
    expect(findRootBone(biped)).toBeNull();
    expect(groundNodes(biped)).toEqual([]);
  });
});

describe('moveRootMotion', () => {
  test('root-bone moves the root bone and no bone, and keeps the keys', () => {
    const { clip, node, root } = moveRootMotion(hero, walk, 'root-bone');
    expect([node, root.where]).toEqual([ROOT, 'hips']);
    for (const time of TIMES) {
      const [before, after] = [positionsAt(hero, walk, time), positionsAt(hero, clip, time)];
      for (const bone of [HIPS, 3, FOOT]) expectNear(after[bone], before[bone], 1e-9);
      expectNear(after[ROOT], [0, 0, time], 1e-6);
      // What has neither a bone nor a track moves with the root bone.
      expectNear(after[WEAPON], [0.3, 0.5, time], 1e-6);
    }
    expect(clip.tracks.map(({ times }) => times.length)).toEqual([5, 5, 5]);
  });

  test('hips takes it back: the first clip again', () => {
    const there = moveRootMotion(hero, walk, 'root-bone').clip;
    const { clip, root, node } = moveRootMotion(hero, there, 'hips');
    expect([root.where, node]).toEqual(['root-bone', HIPS]);
    const [hips] = clip.tracks.filter(({ target }) => target === HIPS);
    expectNear(hips.values, walk.tracks[0].values, 1e-9);
    expect(clip.tracks.map(({ target }) => target)).not.toContain(ROOT);
  });

  test('without a destination sway and height stay, and feet outside the hips move along', () => {
    const step = clipOf(...walk.tracks, track(FOOT, [10, 0, 5, 10, -200, 5]));
    const { clip, node } = moveRootMotion(hero, step, 'in-place');
    expect(node).toBe(-1);
    const [first, middle, last] = [0, 0.5, 2].map((time) => positionsAt(hero, clip, time));
    expectNear(first[HIPS], [0, 1, 0], 1e-9);
    expectNear(last[HIPS], [0, 1, 0], 1e-9);
    expect(middle[HIPS][1]).toBeCloseTo(1.04, 9);
    expectNear(last[FOOT], [0.1, 0.05, 0], 1e-9);
  });

  test('without a destination the height of a root bone stays, and what the hips travel besides is removed', () => {
    const jump = clipOf(track(ROOT, [0, 0, 0, 0, -100, 30, 0, -200, 0]), track(HIPS, [0, 0, 100, 0, -20, 100]));
    const { clip } = moveRootMotion(hero, jump, 'in-place');
    const [middle, last] = [1, 2].map((time) => positionsAt(hero, clip, time));
    expectNear(middle[HIPS], [0, 1.3, 0], 1e-9);
    expectNear(last[HIPS], [0, 1, 0], 1e-9);
  });

  test('leaves clips without root motion and root motion that is there already alone', () => {
    const still = clipOf(track(HIPS, [0, 0, 100, 0, 0, 90, 0, 0, 100]));
    for (const to of ['hips', 'root-bone', 'in-place'] as const)
      expect(moveRootMotion(hero, still, to).clip).toBe(still);
    const rooted = clipOf(track(ROOT, [0, 0, 0, 0, -200, 0]));
    expect(moveRootMotion(hero, rooted, 'root-bone').clip).toBe(rooted);
    expect(moveRootMotion(hero, walk, 'hips').clip).toBe(walk);
  });

  test('keeps root motion in the hips of a humanoid without a root bone', () => {
    const plain = tinyHumanoid({ name: 'hips', at: [0, 1, 0] });
    const clip = clipOf(track(0, [0, 1, 0, 0, 1, 2]));
    expect(moveRootMotion(plain, clip, 'root-bone')).toMatchObject({ clip, node: 0 });
    expectNear(positionsAt(plain, moveRootMotion(plain, clip, 'in-place').clip, 2)[0], [0, 1, 0], 1e-9);
  });

  test('rotates the root bone with a character that faces another way at the end', () => {
    const turn = track(HIPS, [0, 0, 0, 1, 0, 0, HALF, HALF, 0, 0, 1, 0], 'rotation');
    const clip = clipOf(track(HIPS, [0, 0, 100, 0, 0, 100]), { ...turn, times: Float32Array.of(0, 1, 2) });
    const moved = moveRootMotion(hero, clip, 'root-bone').clip;
    const root = moved.tracks.find(({ target, path }) => target === ROOT && path === 'rotation')!;
    // Half a turn about the up axis of the file.
    expect(Math.abs(root.values.at(-2)!)).toBeCloseTo(1, 4);
  });
});

describe('transferRootMotion', () => {
  const target = withJoints(tinyHumanoid({ name: 'root' }, { name: 'hips', parent: 'root', at: [0, 0.5, 0] }), 0, 1);
  const rooted = clipOf(track(ROOT, [0, 0, 0, 0, -80, 0, 0, -200, 0]), track(HIPS, [2, 0, 100, -2, 0, 100]));
  /** The same motion on the hips of the target, half as large. */
  const clip = clipOf({ ...track(1, [0.01, 0.5, 0, 0, 0.5, 0.4, -0.01, 0.5, 1]) });
  const pair = { source: hero, sourceClip: rooted, target, clip, hipsScale: 0.5 };

  test('keep puts root motion of a root bone on that of the target: exactly that of the source, scaled', () => {
    const moved = transferRootMotion(pair, 'keep');
    const { where, motion } = findRootMotion(target, moved);
    expect(where).toBe('root-bone');
    expectNear(motion.positions, [0, 0, 0, 0.4, 0, 1], 1e-9);
    for (const time of TIMES) expectNear(positionsAt(target, moved, time)[1], positionsAt(target, clip, time)[1], 1e-9);
  });

  test('keep changes nothing for root motion in the hips, or for a target without a root bone', () => {
    expect(transferRootMotion({ ...pair, sourceClip: walk }, 'keep')).toBe(clip);
    expect(transferRootMotion({ ...pair, target: withJoints(target, 1) }, 'keep')).toBe(clip);
  });

  test('hips changes nothing, root-bone moves the motion, and without a destination it is removed', () => {
    expect(transferRootMotion(pair, 'hips')).toBe(clip);
    expectNear(positionsAt(target, transferRootMotion(pair, 'in-place'), 2)[1], [0.01, 0.5, 0], 1e-9);
    const walked = transferRootMotion({ ...pair, sourceClip: walk }, 'root-bone');
    expect(positionsAt(target, walked, 2)[0][2]).toBeCloseTo(1, 9);
  });
});
