import { readFileSync } from 'node:fs';
import { readBvhFile, serializeBvh, writeBvh } from 'anyrig/bvh';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clip, Track } from '../../../src/core/animation/clip.ts';
import { frameTimes } from '../../../src/core/animation/frame-times.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { describeHumanoid } from '../../../src/core/humanoid/describe-humanoid.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { POSE_STRIDE, type Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import {
  BLENDER_RIG,
  FIGHTER_RIG,
  GIANT_RIG,
  MIXAMO_RIG,
  UNREAL_RIG,
  VRM1_RIG,
} from '../../../src/demo/characters/rigs.ts';
import { encodeMotion } from '../../../src/demo/files/encode.ts';
import { makePivot } from '../../../src/demo/motions/pivot.ts';
import { makeWalk } from '../../../src/demo/motions/walk.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { endOffset, type NewBvh } from '../../../src/formats/bvh/write-bvh.ts';
import { parseGltf } from '../../../src/formats/gltf/document/document.ts';
import { readGltf } from '../../../src/formats/gltf/read/read-gltf.ts';
import { findAssetHumanoid } from '../../external/oracle/retargeted.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { randomClip } from '../../support/make/random-clip.ts';
import { randomRig } from '../../support/make/random-rig.ts';
import { rigOf } from '../../support/make/rig-text.ts';
import { tPoseHumanoid } from '../../support/make/tiny-humanoid.ts';
import { expectNear } from '../../support/near.ts';
import {
  angle,
  apart,
  inverse,
  minus,
  product,
  rotated,
  times as scaled,
  worldPose,
} from '../../support/reference/plain.ts';
import { measurePoseError } from '../../support/reference/pose-error.ts';
import { referenceRotation } from '../../support/reference/world-retarget.ts';
import { BVH_CHAIN, BVH_GROUND, BVH_STAYS, EXACT, LAW_F64, POSE_DEGREES } from '../../support/tolerances.ts';

/** Reads a written BVH back. */
function readBack(written: NewBvh, digits: 'shortest' | number = 'shortest'): { skeleton: Skeleton; clip: Clip } {
  const { asset: read } = readBvhFile(serializeBvh(written.tree, { digits }));
  expect(read.issues).toEqual([]);
  expect(read.skeletons.length).toBe(1);
  return { skeleton: read.skeletons[0]!.skeleton, clip: read.clips[0]!.clips[0]! };
}

const poseOf = (skeleton: Skeleton, clip: Clip, time: number): Float64Array => {
  const local = restPose(skeleton);
  sampleClip(clip, time, local);
  return local;
};

/**
 * Compares a written BVH with the clip at every frame, by plain reference math: world rotations of bones relative to the reference pose
 * (radians), and world positions of all joints (relative to the height).
 */
function lawErrors(humanoid: Humanoid, clip: Clip, written: NewBvh): { rotation: number; position: number } {
  const { skeleton, clip: again } = readBack(written);
  const { frameTime } = written.tree.motion!;
  const frame = Array.from(humanoid.frame);
  const centimeters = 100 * humanoid.metersPerUnit;
  let rotation = 0;
  let position = 0;
  for (const [k, time] of frameTimes(clip, frameTime).entries()) {
    const theirs = worldPose(humanoid.skeleton.parents, poseOf(humanoid.skeleton, clip, time));
    const ours = worldPose(skeleton.parents, poseOf(skeleton, again, k * frameTime));
    for (const [joint, node] of written.nodes.entries()) {
      if (node < 0) continue;
      const bone = humanoid.map.nodes.indexOf(node);
      if (bone >= 0) {
        const delta = product(frame, theirs.rotations[node]!, inverse(referenceRotation(humanoid, bone)));
        rotation = Math.max(rotation, angle(delta, ours.rotations[joint]!));
      }
      const expected = minus(scaled(rotated(frame, theirs.positions[node]!), centimeters), [
        0,
        100 * humanoid.ground,
        0,
      ]);
      position = Math.max(position, apart(expected, ours.positions[joint]!) / (100 * humanoid.height));
    }
  }
  return { rotation, position };
}

const withoutScale = (clip: Clip): Clip => ({ ...clip, tracks: clip.tracks.filter(({ path }) => path !== 'scale') });

function demo(options: Parameters<typeof makeCharacter>[0], motion = makeWalk): { humanoid: Humanoid; clip: Clip } {
  const character = makeCharacter(options);
  const clip = encodeMotion(character, motion(character.figure));
  const { humanoid, reason } = describeHumanoid(character.skeleton, { metersPerUnit: 1 });
  if (humanoid === null) throw new Error(reason);
  return { humanoid, clip };
}

describe('writeBvh', () => {
  it('has the world deltas and positions of the clip at every frame, on random rigs with any axes, armatures and poses', () => {
    const property = fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
      const random = makeRandom(seed);
      const { humanoid } = randomRig(random, { detached: random() < 0.3 });
      const clip = withoutScale(randomClip(random, humanoid, { others: random() < 0.5, stretch: random() < 0.3 }));
      const { rotation, position } = lawErrors(humanoid, clip, writeBvh(humanoid, clip));
      expect(rotation).toBeLessThan(LAW_F64);
      // Joints that move less than this get no position channels.
      expect(position).toBeLessThan(BVH_STAYS);
    });
    fc.assert(property, { seed: 41, numRuns: lawRuns(80) });
  });

  it('has the reference pose as zero pose: facing +Z, up +Y, in centimeters, on the ground', () => {
    const { humanoid } = randomRig(makeRandom(5));
    const written = writeBvh(humanoid, null);
    expect(written.tree.motion!.frameCount).toBe(1);
    const { skeleton, clip } = readBack(written);
    const hips = humanoid.reference.positions.subarray(0, 3);
    const root = [hips[0], hips[1] - humanoid.ground, hips[2]];
    // The OFFSET of the root is 0.
    for (const [local, moved] of [
      [restPose(skeleton), root],
      [poseOf(skeleton, clip, 0), [0, 0, 0]],
    ] as const) {
      const { positions, rotations } = worldPose(skeleton.parents, local);
      for (const [bone, node] of humanoid.map.nodes.entries()) {
        if (node < 0) continue;
        const joint = written.nodes.indexOf(node);
        const expected = [...humanoid.reference.positions.subarray(3 * bone, 3 * bone + 3)];
        const stands = scaled(minus(minus(expected, [0, humanoid.ground, 0]), moved), 100);
        expect(apart(positions[joint]!, stands)).toBeLessThan(1e-6 * 100);
        expect(angle(rotations[joint]!, [0, 0, 0, 1])).toBeLessThan(LAW_F64);
      }
    }
  });

  it('is read as the same humanoid with the same poses and root motion, for every kind of demo rig', () => {
    for (const rig of [MIXAMO_RIG, UNREAL_RIG, VRM1_RIG, BLENDER_RIG, FIGHTER_RIG, GIANT_RIG]) {
      for (const motion of [makeWalk, makePivot]) {
        const { humanoid, clip } = demo(rig, motion);
        const written = writeBvh(humanoid, clip);
        expect(written.issues).toEqual([]);
        expect(written.tree.motion!.frameTime).toBeCloseTo(1 / 30, 12);
        const back = readBack(written, 6);
        const again = describeHumanoid(back.skeleton, { motion: back.clip }).humanoid!;
        const poseError = measurePoseError(humanoid, clip, again, back.clip, { fps: 30 });
        expect(poseError.worldDelta.max).toBeLessThan(POSE_DEGREES);
        expect(poseError.hipsPath).toBeLessThan(BVH_GROUND);
        expect(poseError.hipsHeight).toBeLessThan(BVH_GROUND);
      }
    }
  });

  it('has one ROOT with six channels, and three rotation channels for joints that only rotate', () => {
    const { humanoid, clip } = demo(MIXAMO_RIG);
    const { joints } = writeBvh(humanoid, clip).tree;
    expect(joints.filter(({ kind }) => kind === 'root').length).toBe(1);
    expect(joints[0]!.channels.join(' ')).toBe('Xposition Yposition Zposition Zrotation Xrotation Yrotation');
    for (const { kind, channels } of joints.slice(1)) {
      expect(channels.join(' ')).toBe(kind === 'end' ? '' : 'Zrotation Xrotation Yrotation');
    }
    const hasChild = new Set(joints.map(({ parent }) => parent));
    joints.forEach(({ kind }, k) => {
      expect(hasChild.has(k)).toBe(kind !== 'end');
    });
  });

  it('writes position channels for joints that move relative to their parent', () => {
    const { humanoid, clip } = demo(MIXAMO_RIG);
    const node = humanoid.map.nodes[4]!;
    const offset = restPose(humanoid.skeleton).slice(POSE_STRIDE * node, POSE_STRIDE * node + 3);
    const values = Float64Array.from([...offset, ...offset.map((value) => 1.5 * value)]);
    const stretch: Track = {
      target: node,
      path: 'translation',
      interpolation: 'LINEAR',
      times: Float64Array.of(0, 1),
      values,
    };
    const stretched = { ...clip, tracks: [...clip.tracks, stretch] };
    const written = writeBvh(humanoid, stretched);
    expect(written.issues).toEqual([]);
    const moving = written.tree.joints.filter(({ kind, channels }) => kind === 'joint' && channels.length === 6);
    expect(moving.map(({ name }) => name)).toEqual([humanoid.skeleton.names[node]!.replace(/[\s:]/g, '_')]);
    const { rotation, position } = lawErrors(humanoid, stretched, written);
    expect(rotation).toBeLessThan(LAW_F64);
    expect(position).toBeLessThan(BVH_STAYS);
  });

  it('writes a constant translation that differs from the reference pose as the OFFSET', () => {
    const { humanoid, clip } = demo(MIXAMO_RIG);
    const node = humanoid.map.nodes[4]!;
    const offset = restPose(humanoid.skeleton).slice(POSE_STRIDE * node, POSE_STRIDE * node + 3);
    const values = offset.map((value) => 1.5 * value);
    const longer: Track = {
      target: node,
      path: 'translation',
      interpolation: 'STEP',
      times: Float64Array.of(0),
      values,
    };
    const written = writeBvh(humanoid, { ...clip, tracks: [...clip.tracks, longer] });
    const { joints } = written.tree;
    expect(joints.every(({ kind, channels }) => kind === 'root' || channels.length <= 3)).toBe(true);
    const short = writeBvh(humanoid, clip).tree.joints[written.nodes.indexOf(node)]!.offset;
    expect(apart([...joints[written.nodes.indexOf(node)]!.offset], scaled([...short], 1.5))).toBeLessThan(1e-4);
  });

  it('drops animated scale and reports it', () => {
    const { humanoid, clip } = demo(MIXAMO_RIG);
    const values = Float64Array.of(1, 1, 1, 2, 2, 2);
    const target = humanoid.map.nodes[4]!;
    const grow: Track = { target, path: 'scale', interpolation: 'LINEAR', times: Float64Array.of(0, 1), values };
    const written = writeBvh(humanoid, { ...clip, tracks: [...clip.tracks, grow] });
    expect(written.issues.map(({ code, message }) => [code, message])).toEqual([
      ['CHANNELS_DROPPED', '1 × scale is not written: BVH has no scale'],
    ]);
    expect(written.tree).toEqual(writeBvh(humanoid, clip).tree);
  });

  it('reports animated nodes outside the root, but not those that the root absorbs', () => {
    const { skeleton, ...rest } = randomRig(makeRandom(2), { others: false, bones: 'all' }).humanoid;
    const count = skeleton.names.length;
    const shift = (nodes: Int32Array): Int32Array => nodes.map((node) => (node < 0 ? -1 : node + 1));
    const pad = (values: ArrayLike<number>, head: readonly number[]): Float64Array =>
      Float64Array.from([...head, ...Array.from(values)]);
    const unit = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1];
    const humanoid: Humanoid = {
      ...rest,
      skeleton: {
        ...skeleton,
        names: ['root', ...skeleton.names, 'camera'],
        parents: Int32Array.from([-1, ...skeleton.parents.map((parent) => parent + 1), 0]),
        rest: pad([...skeleton.rest, ...unit], unit),
        bind: null,
        joints: new Uint8Array(count + 2),
      },
      map: { ...rest.map, nodes: shift(rest.map.nodes) },
      basePose: null,
    };
    const move = (target: number): Track => ({
      target,
      path: 'translation',
      interpolation: 'LINEAR',
      times: Float64Array.of(0, 1),
      values: Float64Array.of(0, 0, 0, 0.3, 0.2, 0.1),
    });
    const above: Clip = { name: '', duration: 1, tracks: [move(0)] };
    expect(writeBvh(humanoid, above).issues).toEqual([]);
    expect(lawErrors(humanoid, above, writeBvh(humanoid, above)).position).toBeLessThan(BVH_STAYS);
    const beside: Clip = { name: '', duration: 1, tracks: [move(0), move(count + 1)] };
    const { issues, nodes } = writeBvh(humanoid, beside);
    expect(issues).toMatchObject([{ code: 'CHANNELS_DROPPED' }]);
    expect(issues[0]!.message).toContain('"camera" are animated but not written');
    expect(nodes.includes(count + 1)).toBe(false);
  });

  it('writes a hips motion near 0 so that it is read unchanged', () => {
    const humanoid = tPoseHumanoid();
    const hips = humanoid.map.nodes[0]!;
    const values = Float64Array.of(0, 0, 0, 0, 0.001, 0);
    const low: Track = {
      target: hips,
      path: 'translation',
      interpolation: 'LINEAR',
      times: Float64Array.of(0, 1),
      values,
    };
    const clip: Clip = { name: '', duration: 1, tracks: [low] };
    const written = writeBvh(humanoid, clip);
    expect(written.tree.joints[0]!.offset[1]).toBeLessThan(1);
    expect(lawErrors(humanoid, clip, written).position).toBeLessThan(BVH_STAYS);
  });

  it('writes non-humanoid skeletons in their own axes, one ROOT per tree', () => {
    const skeleton = rigOf(`
      root
       body > tail > tail tip_end
       leg
       leg`);
    const written = writeBvh({ skeleton, metersPerUnit: null }, null);
    expect(written.tree.joints.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'root root',
      'joint body',
      'joint tail',
      'end ',
      'joint leg',
      'end ',
      'joint leg_2',
      'end ',
    ]);
  });

  it('refuses clips with other nodes, and invalid frame rates', () => {
    const humanoid = tPoseHumanoid();
    const values = Float64Array.of(0, 0, 0);
    const stray: Track = { target: 99, path: 'translation', interpolation: 'STEP', times: Float64Array.of(0), values };
    expect(() => writeBvh(humanoid, { name: '', duration: 0, tracks: [stray] })).toThrow(/node 99/);
    expect(() => writeBvh(humanoid, null, { fps: 0 })).toThrow(RangeError);
  });
});

describe.skipIf(!HAS_ASSETS)('writeBvh on third-party files', () => {
  const readHumanoid = (path: string) =>
    findAssetHumanoid(readGltf(parseGltf(new Uint8Array(readFileSync(asset('assets', path))))));

  function expectSamePoses(humanoid: Humanoid, clip: Clip): void {
    const written = writeBvh(humanoid, clip);
    const errors = lawErrors(humanoid, clip, written);
    expect(errors.rotation).toBeLessThan(BVH_CHAIN);
    expect(errors.position).toBeLessThan(2 * BVH_STAYS);
    const back = readBack(written, 6);
    const again = describeHumanoid(back.skeleton, { motion: back.clip, pose: 'node' }).humanoid!;
    const fps = 1 / written.tree.motion!.frameTime;
    const poseError = measurePoseError(humanoid, clip, again, back.clip, { fps });
    expect(poseError.worldDelta.max).toBeLessThan(POSE_DEGREES);
    expect(poseError.hipsPath).toBeLessThan(BVH_GROUND);
  }

  it.each(['glb/Xbot.glb', 'glb/RobotExpressive.glb'])('keeps poses and root motion of the walk of %s', (path) => {
    const { humanoid, clips } = readHumanoid(path);
    const walk = clips.find(({ name }) => /walk/i.test(name))!;
    expectSamePoses(humanoid, walk);
  });

  it('keeps poses and root motion of a motion on a VRM', () => {
    const source = readHumanoid('glb/Xbot.glb');
    const target = readHumanoid('vrm/Godette_vrm_v4.vrm');
    const walk = source.clips.find(({ name }) => /walk/i.test(name))!;
    expectSamePoses(target.humanoid, retargetClip(planRetarget(source.humanoid, target.humanoid), walk));
  });
});

describe('endOffset', () => {
  it('continues in the direction of the bone, at 70 % of its length', () => {
    expectNear(endOffset([10, 0, 0], -1, 100), [7, 0, 0], EXACT);
    expectNear(endOffset([0, -3, 4], BONE.leftHand, 100), [0, -2.1, 2.8], EXACT);
  });

  it('has a length of 1 to 12 % of the size of the skeleton', () => {
    expectNear(endOffset([0, 0, 90], -1, 100), [0, 0, 12], EXACT);
    expectNear(endOffset([0.001, 0, 0], -1, 100), [1, 0, 0], EXACT);
  });

  it('points up from the head and to the front from toes, for any direction of the bone', () => {
    expectNear(endOffset([0, 8, 6], BONE.head, 100), [0, 7, 0], EXACT);
    expectNear(endOffset([0, -6, 8], BONE.rightToes, 100), [0, 0, 7], EXACT);
  });

  it('points up from a joint at the position of its parent, also in a skeleton of size 0', () => {
    expectNear(endOffset([0, 0, 0], -1, 100), [0, 1, 0], EXACT);
    expectNear(endOffset([0, 0, 0], -1, 0), [0, 1, 0], EXACT);
  });
});
