/** Joint positions of clips whose rotations are known: other people's files, by forward kinematics that shares no code with the solver. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BONE, BONES, type BoneName, SIDES } from '../../../src/core/humanoid/bones.ts';
import { describeHumanoid } from '../../../src/core/humanoid/describe-humanoid.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { motionFromPoints } from '../../../src/core/points/motion-from-points.ts';
import { tryFindHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { resourceReader } from '../../../src/files/node/read-input.ts';
import { openBytes } from '../../../src/files/open.ts';
import { readBvh } from '../../../src/formats/bvh/read-bvh.ts';
import { asset, HAS_ASSETS, humanoidFiles } from '../../support/assets.ts';
import { IS_FULL_RUN, sampledCases } from '../../support/law-runs.ts';
import { createMotionSampler, sampleMotion } from '../../support/reference/motion-sampler.ts';
import { KNOWN_DIRECTION_DEGREES, KNOWN_TWIST_DEGREES, TWIN_DIRECTION_DEGREES } from '../../support/tolerances.ts';

const FPS = 30;
const FRAMES = IS_FULL_RUN ? 600 : 120;
const DEGREES = 180 / Math.PI;

const LIMBS = SIDES.flatMap((side) => {
  const arm = [side === 'left' ? 1 : -1, 0, 0];
  const leg = [0, -1, 0];
  const bone = (part: string): number => BONE[`${side}${part}` as BoneName];
  return [
    { from: bone('UpperArm'), to: bone('LowerArm'), axis: arm },
    { from: bone('LowerArm'), to: bone('Hand'), axis: arm },
    { from: bone('UpperLeg'), to: bone('LowerLeg'), axis: leg },
    { from: bone('LowerLeg'), to: bone('Foot'), axis: leg },
  ];
});

function angle(one: ArrayLike<number>, other: ArrayLike<number>, from: number, to: number): number {
  const way = (p: ArrayLike<number>): number[] => [0, 1, 2].map((c) => p[3 * to + c] - p[3 * from + c]);
  const [u, v] = [way(one), way(other)];
  const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  return Math.atan2(Math.hypot(...cross), u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) * DEGREES;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

/** Twist from one rotation to another about the axis of a limb, degrees. */
function twistBetween(one: Float64Array, other: Float64Array, bone: number, axis: readonly number[]): number {
  const between = new Float64Array(4);
  quat.conjugate(between, 0, one, 4 * bone);
  quat.multiply(between, 0, between, 0, other, 4 * bone);
  const along = axis.reduce((sum, value, c) => sum + value * between[c], 0);
  return 2 * Math.atan2(along * Math.sign(between[3] || 1), Math.abs(between[3])) * DEGREES;
}

const files = HAS_ASSETS ? humanoidFiles('assets', 'bvh', 'fbx', 'glb', 'vrma') : [];

describe.skipIf(!HAS_ASSETS)('motionFromPoints: joint positions of known clips', () => {
  const twists: number[] = [];

  it.each(sampledCases(files).map((path) => [basename(path), path]))(
    '%s: limbs have the directions of the clip',
    async (_, path) => {
      const file = await openBytes(readFileSync(path), { name: path, readResource: resourceReader(path) });
      const found = file.asset.skeletons.length === 1 ? tryFindHumanoid(file) : null;
      const clip = file.asset.clips[0]?.clips[0];
      if (found === null || clip === undefined || clip.duration < 0.5) return;
      const { humanoid } = found;
      const has = (bone: number): boolean => humanoid.map.nodes[bone] >= 0;
      const bones = Array.from(BONES.keys()).filter(has);
      const frames = Math.min(FRAMES, Math.floor(clip.duration * FPS) + 1);
      const known = createMotionSampler(humanoid, clip);
      const positions: number[] = [];
      for (let frame = 0; frame < frames; frame++) {
        sampleMotion(known, frame / FPS);
        for (const bone of bones) positions.push(...known.positions.subarray(3 * bone, 3 * bone + 3));
      }
      const solved = motionFromPoints({
        joints: bones.map((bone) => BONES[bone]),
        positions: Float64Array.from(positions),
        frameRate: FPS,
      });
      const target = describeHumanoid(solved.skeleton, { declared: solved.declared, metersPerUnit: 1 }).humanoid;
      if (target === null) throw new Error('not humanoid');
      const result = createMotionSampler(target, solved.clip);
      const limbs = LIMBS.filter(({ from, to }) => has(from) && has(to));
      const twistsOf = limbs.map((): number[] => []);
      let worst = 0;
      for (let frame = 0; frame < frames; frame++) {
        sampleMotion(known, frame / FPS);
        sampleMotion(result, frame / FPS);
        for (const [k, { from, to, axis }] of limbs.entries()) {
          worst = Math.max(worst, angle(known.positions, result.positions, from, to));
          twistsOf[k].push(twistBetween(known.worldDeltas, result.worldDeltas, from, axis));
        }
      }
      expect(worst).toBeLessThan(KNOWN_DIRECTION_DEGREES);
      // How an arm or leg is rolled in the T-pose is a decision about the rig, which positions do not show: a constant per limb.
      for (const values of twistsOf) {
        const constant = median(values);
        for (const value of values) twists.push(Math.abs(((value - constant + 540) % 360) - 180));
      }
    },
  );

  it('limbs have the twist of the clips, but for the roll in the T-pose', () => {
    expect(twists.length).toBeGreaterThan(8 * FRAMES);
    expect(median(twists)).toBeLessThan(KNOWN_TWIST_DEGREES);
  });
});

/** Reads the array of a NumPy file of float64, without its header. */
function numbersOf(bytes: Uint8Array): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = 10 + view.getUint16(8, true);
  return Float64Array.from({ length: (bytes.length - start) / 8 }, (_, k) => view.getFloat64(start + 8 * k, true));
}

describe.skipIf(!HAS_ASSETS)('motionFromPoints: the twin of a BVH', () => {
  it('gives the limbs of lifted joints the directions that another program wrote', () => {
    const raw = numbersOf(readFileSync(asset('assets', 'npy', 'twin_video2bvh_3d_pose_900x17x3.npy')));
    // Millimeters with Z up.
    const positions = raw.slice();
    for (let at = 0; at < raw.length; at += 3)
      positions.set([raw[at] / 1000, raw[at + 2] / 1000, -raw[at + 1] / 1000], at);
    const solved = motionFromPoints({ joints: 'h36m17', positions, frameRate: FPS });
    const humanoid = describeHumanoid(solved.skeleton, { declared: solved.declared, metersPerUnit: 1 }).humanoid;
    if (humanoid === null) throw new Error('not humanoid');
    const twin = readBvh(readFileSync(asset('assets', 'bvh', 'twin_video2bvh_cxk.bvh')));
    const names = twin.skeletons[0].skeleton.names;
    const nodes = new Int32Array(BONES.length).fill(-1);
    for (const side of SIDES)
      for (const [bone, word] of [
        ['UpperArm', 'Arm'],
        ['LowerArm', 'ForeArm'],
        ['Hand', 'Hand'],
        ['UpperLeg', 'UpLeg'],
        ['LowerLeg', 'Leg'],
        ['Foot', 'Foot'],
      ])
        nodes[BONE[`${side}${bone}` as BoneName]] = names.indexOf(`${side === 'left' ? 'Left' : 'Right'}${word}`);
    // The sampler reads the map and the frame only: Z up becomes Y up.
    const other = {
      ...humanoid,
      skeleton: twin.skeletons[0].skeleton,
      map: { ...humanoid.map, nodes },
      frame: Float64Array.of(-Math.SQRT1_2, 0, 0, Math.SQRT1_2),
      metersPerUnit: 1e-3,
    };
    const known = createMotionSampler(other, twin.clips[0].clips[0]);
    const result = createMotionSampler(humanoid, solved.clip);
    const angles: number[] = [];
    for (let frame = 0; frame < 900; frame++) {
      sampleMotion(known, frame / FPS);
      sampleMotion(result, frame / FPS);
      for (const { from, to } of LIMBS) angles.push(angle(known.positions, result.positions, from, to));
    }
    expect(angles.reduce((sum, value) => sum + value, 0) / angles.length).toBeLessThan(TWIN_DIRECTION_DEGREES);
  });
});
