/** Cleaning of motions from noisy joint positions of clips that are known without the noise: other people's files. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanClip } from '../../../src/core/animation/clean/clean-clip.ts';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { BONE, BONES, isFingerBone } from '../../../src/core/humanoid/bones.ts';
import { describeHumanoid } from '../../../src/core/humanoid/describe-humanoid.ts';
import { motionFromPoints, type PersonMotion } from '../../../src/core/points/motion-from-points.ts';
import { findHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { resourceReader } from '../../../src/files/node/read-input.ts';
import { openBytes } from '../../../src/files/open.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { createMotionSampler, sampleMotion } from '../../support/reference/motion-sampler.ts';

const FPS = 60;
/** Noise of every coordinate, meters: what cameras see. */
const NOISE = 0.01;
/** Speed from which a peak is one, meters per second: slower hands and feet rest. */
const LEAST_PEAK = 0.8;

const FILES = [
  'bvh/AD_cmu1_jumping_jacks.bvh',
  'bvh/pybvh_cmu_12_01_walk.bvh',
  'fbx/mobu2017_cmu_85_04_cliponly.fbx',
  'fbx/mobu2015_locomotions_3stacks.fbx',
  'fbx/m2m_CMU_91_48.fbx',
  'glb/CesiumMan.glb',
];
const ENDS = [BONE.leftHand, BONE.rightHand, BONE.leftFoot, BONE.rightFoot];
const LIMBS = [BONE.leftUpperArm, BONE.leftLowerArm, BONE.rightUpperLeg, BONE.rightLowerLeg, BONE.chest];

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

/** Positions and world rotations of all frames of a motion. */
function framesOf(
  motion: PersonMotion,
  clip: Clip,
  frames: number,
): { positions: Float64Array; rotations: Float64Array }[] {
  const { humanoid } = describeHumanoid(motion.skeleton, { declared: motion.declared, metersPerUnit: 1 });
  if (humanoid === null) throw new Error('not humanoid');
  const sampler = createMotionSampler(humanoid, clip);
  return Array.from({ length: frames }, (_, frame) => {
    sampleMotion(sampler, frame / FPS);
    return { positions: sampler.positions.slice(), rotations: sampler.worldDeltas.slice() };
  });
}
type Frames = ReturnType<typeof framesOf>;

/** Angle between the rotations of a bone in two frames, radians. */
function angleBetween(one: Frames[number], other: Frames[number], bone: number): number {
  let cosine = 0;
  for (let k = 4 * bone; k < 4 * bone + 4; k++) cosine += one.rotations[k] * other.rotations[k];
  return 2 * Math.acos(Math.min(1, Math.abs(cosine)));
}

/** Mean change of the rotation of limbs from frame to frame beyond that of the known motion. */
function jitterOf(frames: Frames, known: Frames): number {
  let sum = 0;
  for (let frame = 1; frame < frames.length; frame++)
    for (const bone of LIMBS)
      sum += Math.abs(
        angleBetween(frames[frame - 1], frames[frame], bone) - angleBetween(known[frame - 1], known[frame], bone),
      );
  return sum / frames.length;
}

function speeds(frames: Frames, bone: number): number[] {
  return Array.from({ length: frames.length - 2 }, (_, frame) => {
    const way = [0, 1, 2].map((c) => frames[frame + 2].positions[3 * bone + c] - frames[frame].positions[3 * bone + c]);
    return (Math.hypot(...way) * FPS) / 2;
  });
}

describe.skipIf(!HAS_ASSETS)('cleanClip: motions from joint positions with noise of 1 cm', () => {
  const peaks: number[] = [];
  const ratios: number[] = [];

  it.each(FILES.map((path) => [basename(path), asset('assets', path)]))('%s is cleaned', async (_, path) => {
    const file = await openBytes(readFileSync(path), { name: path, readResource: resourceReader(path) });
    const { humanoid } = findHumanoid(file);
    const [clip] = file.asset.clips[0].clips;
    const bones = [...BONES.keys()].filter(
      (bone) => humanoid.map.nodes[bone] >= 0 && !isFingerBone(BONES[bone]) && !/Eye|jaw/.test(BONES[bone]),
    );
    const frames = Math.min(5 * FPS, Math.floor(clip.duration * FPS) + 1);
    const sampler = createMotionSampler(humanoid, clip);
    const positions: number[] = [];
    for (let frame = 0; frame < frames; frame++) {
      sampleMotion(sampler, frame / FPS);
      for (const bone of bones) positions.push(...sampler.positions.subarray(3 * bone, 3 * bone + 3));
    }
    let seed = 99;
    const random = (): number => {
      seed = (seed * 16807) % 2147483647;
      return seed / 2147483647;
    };
    const noise = (): number => NOISE * Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
    const solve = (values: readonly number[]): PersonMotion =>
      motionFromPoints({
        joints: bones.map((bone) => BONES[bone]),
        positions: Float64Array.from(values),
        frameRate: FPS,
      });
    const exact = solve(positions);
    const noisy = solve(positions.map((value) => value + noise()));
    const { clip: cleaned, report } = cleanClip(noisy.skeleton, noisy.clip);
    const known = framesOf(exact, exact.clip, frames);
    const before = framesOf(noisy, noisy.clip, frames);
    const after = framesOf(noisy, cleaned, frames);
    ratios.push(jitterOf(before, known) / jitterOf(after, known));
    expect(report.jitterAfter).toBeLessThan(report.jitterBefore / 5);
    for (const bone of ENDS) {
      const speed = speeds(known, bone);
      const peak = Math.max(...speed);
      if (peak < LEAST_PEAK) continue;
      const at = speed.indexOf(peak);
      const near = speeds(after, bone).slice(Math.max(0, at - 3), at + 4);
      peaks.push(Math.abs(Math.max(...near) / peak - 1));
    }
  });

  it('divides the jitter by more than 5, and keeps peaks of speed within 5 %, in the median', () => {
    expect(peaks.length).toBeGreaterThan(12);
    expect(median(ratios)).toBeGreaterThan(5);
    expect(median(peaks)).toBeLessThan(0.05);
  });
});
