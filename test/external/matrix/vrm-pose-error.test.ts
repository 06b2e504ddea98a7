/** World directions of limbs after retargeting from other rigs to VRMs, whose declared T-poses are not exactly one. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { withDeclaredPose } from '../../../src/core/humanoid/declared-pose.ts';
import { describeHumanoid } from '../../../src/core/humanoid/describe-humanoid.ts';
import type { Humanoid, Limb } from '../../../src/core/humanoid/humanoid.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { retargetPose } from '../../../src/core/retarget/retarget-pose.ts';
import { localToModelRotations, restPose } from '../../../src/core/skeleton/pose.ts';
import { POSE_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import type { OpenFile } from '../../../src/files/open.ts';
import { openBytes } from '../../../src/files/open.ts';
import { asset, assetFiles, HAS_ASSETS } from '../../support/assets.ts';
import { sampledCases } from '../../support/law-runs.ts';
import { randomPose } from '../../support/make/random-clip.ts';
import { measurePoseError, type PoseErrorMeasure } from '../../support/reference/pose-error.ts';
import { LIMB_DEGREES, MIXAMO_DEGREES } from '../../support/tolerances.ts';
import { type AssetHumanoid, worldPose } from '../oracle/retargeted.ts';

/** Four motions of FBX and four of BVH. Those of Mixamo come first. */
const MOTIONS: readonly string[] = [
  'fbx/mixamo_Walking.fbx',
  'bvh/AD_rokoko_jesse_dance.bvh',
  'fbx/ozz_pab_walk.fbx',
  'bvh/mocopi_arm-raise-turn.bvh',
  'fbx/ozz_pab_run.fbx',
  'bvh/pybvh_cmu_12_01_walk.bvh',
  'fbx/m2m_CMU_91_48.fbx',
  'bvh/AD_cmu1_jumping_jacks.bvh',
];

/** Matches numbers up to `most`. */
function atMost(most: number): unknown {
  return expect.toSatisfy((value: number) => value <= most);
}

/** Samples per second. */
const FPS = 5;

interface Opened {
  readonly file: OpenFile;
  readonly humanoid: Humanoid;
  readonly index: number;
}

async function open(path: string): Promise<Opened> {
  const file = await openBytes(readFileSync(path), { name: basename(path) });
  const { found, reason } = chooseHumanoid(file, 'only', {});
  if (found === null) throw new Error(`${path}: ${reason}`);
  return { file, humanoid: found.humanoid, index: found.index };
}

function poseError({ file, humanoid, index }: Opened, target: Humanoid): PoseErrorMeasure {
  const clip = file.asset.clips[0].clips[index];
  const retargeted = retargetClip(planRetarget(humanoid, target), clip, { fps: FPS });
  return measurePoseError(humanoid, clip, target, retargeted, { fps: FPS });
}

/** The worst angle of arms, hands and palms, degrees. */
function worstOf({ directions, palms }: PoseErrorMeasure): number {
  const limbs: readonly Limb[] = ['leftArm', 'rightArm', 'leftHand', 'rightHand'];
  return Math.max(...limbs.map((limb) => directions[limb] ?? 0), ...Object.values(palms));
}

describe.skipIf(!HAS_ASSETS)('world directions of arms, hands and palms', () => {
  const characters = Promise.all(assetFiles('assets/vrm', 'vrm').map(open));

  it.each(sampledCases(MOTIONS))('of %s are the same on every VRM', async (name) => {
    const source = await open(asset('assets', name));
    const targets = await characters;
    expect(targets.length).toBeGreaterThanOrEqual(6);
    for (const { file, humanoid } of targets) {
      expect.soft({ [file.name]: worstOf(poseError(source, humanoid)) }).toEqual({ [file.name]: atMost(LIMB_DEGREES) });
    }
  });

  it('would be off by the declared pose of an avatar that is not in a T-pose', async () => {
    const source = await open(asset('assets/fbx/mixamo_Walking.fbx'));
    const { humanoid } = (await characters).find(({ file }) => file.name === 'Godette_vrm_v4.vrm')!;
    expect(worstOf(poseError(source, withDeclaredPose(humanoid)))).toBeGreaterThan(15);
  });
});

describe.skipIf(!HAS_ASSETS)('a motion of Mixamo on two of its characters', () => {
  it('has the same arms, hands, palms and head as the retargeting of Mixamo', async () => {
    const source = await open(asset('assets/fbx/mixamo_Walking.fbx'));
    const { file, humanoid, index } = await open(asset('assets/glb/Xbot.glb'));
    const clip = source.file.asset.clips[0].clips[source.index];
    const ours = retargetClip(planRetarget(source.humanoid, humanoid), clip);
    const theirs = file.asset.clips.find(({ name }) => name === 'walk')!.clips[index];
    expect(worstOf(measurePoseError(humanoid, theirs, humanoid, ours, { fps: 30 }))).toBeLessThan(MIXAMO_DEGREES);
    const target = { humanoid, sourceNodes: new Int32Array(0), clips: [] };
    for (const time of [0, 6, 13, 21, 27].map((frame) => frame / 30)) {
      const [a, b] = [ours, theirs].map((one) => worldPose(target, one, time).rotations);
      const head = 4 * humanoid.map.nodes[BONE.head];
      expect((quat.angleBetween(a, head, b, head) * 180) / Math.PI).toBeLessThan(MIXAMO_DEGREES);
    }
  });

  it('has the same world rotations although hip and shoulder joints are off the axes of the file by noise', () => {
    const { skeleton, bones } = makeCharacter({ naming: 'mixamo', axes: 'world' });
    const map = { nodes: bones, confidence: new Float32Array(bones.length).fill(1), from: 'given' };
    const described = (noise: number): AssetHumanoid => {
      const rest = Float64Array.from(skeleton.rest);
      rest[POSE_STRIDE * bones[BONE.leftUpperLeg] + 2] += noise;
      rest[POSE_STRIDE * bones[BONE.rightUpperArm] + 2] -= noise;
      const { humanoid } = describeHumanoid({ ...skeleton, rest, bind: null }, { map, metersPerUnit: 1 });
      return { humanoid: humanoid!, sourceNodes: new Int32Array(0), clips: [] };
    };
    // Two millimeters are 0.35° of hips and shoulders.
    const [plain, noisy] = [described(0), described(0.002)];
    const pose = randomPose(makeRandom(3), plain.humanoid);
    const shown = retargetPose(planRetarget(plain.humanoid, noisy.humanoid), pose, restPose(noisy.humanoid.skeleton));
    for (const name of ['head', 'leftHand', 'rightHand', 'leftLowerArm', 'rightFoot'] as const) {
      const node = 4 * bones[BONE[name]];
      const [a, b] = [pose, shown].map((local) => {
        const rotations = new Float64Array(4 * skeleton.parents.length);
        localToModelRotations(rotations, skeleton.parents, local);
        return rotations;
      });
      expect((quat.angleBetween(a, node, b, node) * 180) / Math.PI).toBeLessThan(MIXAMO_DEGREES);
    }
  });
});
