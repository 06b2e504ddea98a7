/** Laws of humanoid clips: the portable form of a motion, as EXT_skeleton_humanoid stores it. */
import { describe } from 'vitest';
import type { Clip, Track } from '../../src/core/animation/clip.ts';
import { sampleClip } from '../../src/core/animation/sample.ts';
import { BONE_COUNT, BONE_PARENTS, BONES } from '../../src/core/humanoid/bones.ts';
import { CANONICAL_FRAMES } from '../../src/core/humanoid/canonical-frames.ts';
import { createCanonicalRig } from '../../src/core/humanoid/canonical-rig.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { fromHumanoidClip, type HumanoidClip } from '../../src/core/humanoid/humanoid-clip.ts';
import { describeCanonicalRig, extractClip, planExtract } from '../../src/core/retarget/extract-clip.ts';
import { planRetarget } from '../../src/core/retarget/plan-retarget.ts';
import { retargetPose } from '../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { randomPose } from '../support/make/random-clip.ts';
import { randomRig } from '../support/make/random-rig.ts';
import {
  angle,
  apart,
  IDENTITY,
  inverse,
  minus,
  plus,
  product,
  type Quaternion,
  read,
  rotated,
  rotationOf,
  translationOf,
} from '../support/reference/plain.ts';
import {
  driverOf,
  expectedDeltas,
  pelvisPosition,
  referencePelvis,
  worldDeltas,
} from '../support/reference/world-retarget.ts';
import { LAW_F64 } from '../support/tolerances.ts';
import { largest, law } from './law.ts';

/** Returns a clip with one pose. */
function clipOfPose({ skeleton }: Humanoid, pose: Float64Array): Clip {
  const tracks = skeleton.names.flatMap((_, target): Track[] => {
    const key = { target, interpolation: 'STEP' as const, times: new Float64Array([0]) };
    return [
      { ...key, path: 'rotation', values: pose.slice(10 * target + 3, 10 * target + 7) },
      { ...key, path: 'translation', values: pose.slice(10 * target, 10 * target + 3) },
      { ...key, path: 'scale', values: pose.slice(10 * target + 7, 10 * target + 10) },
    ];
  });
  return { name: 'pose', duration: 0, tracks };
}

function extracted(humanoid: Humanoid, pose: Float64Array): HumanoidClip {
  return extractClip(planExtract(humanoid), clipOfPose(humanoid, pose));
}

/** Returns r of every bone; identity for bones without a track. */
function relativeOf({ tracks }: HumanoidClip): Quaternion[] {
  const out: Quaternion[] = Array.from({ length: BONE_COUNT }, () => IDENTITY);
  for (const { path, target, values } of tracks) if (path === 'rotation') out[target] = read(values, 0, 4);
  return out;
}

/** Retargets a humanoid clip to a target, as a player would at run time. */
function played(clip: HumanoidClip, target: Humanoid): Float64Array {
  const rig = createCanonicalRig(
    clip.tracks.map((track) => track.target),
    clip.restHipsHeight,
  );
  const local = restPose(rig.skeleton);
  sampleClip(fromHumanoidClip(rig, clip), 0, local);
  return retargetPose(planRetarget(describeCanonicalRig(rig), target), local, restPose(target.skeleton));
}

/** Returns `C(b)⁻¹ · D(a)⁻¹ · D(b) · C(b)`, a the nearest bone above with a delta; identity for bones without a delta. */
function lawful(deltas: readonly (Quaternion | null)[]): Quaternion[] {
  return deltas.map((delta, bone) => {
    if (delta === null) return IDENTITY;
    let above = BONE_PARENTS[bone];
    while (above >= 0 && deltas[above] === null) above = BONE_PARENTS[above];
    const axes = read(CANONICAL_FRAMES, 4 * bone, 4);
    const from = above < 0 ? IDENTITY : (deltas[above] as Quaternion);
    return product(inverse(axes), inverse(from), delta, axes);
  });
}

/** Adds the deltas of the fingers that a humanoid lacks: a clip has those of the finger that each of them follows. */
function withFingers(humanoid: Humanoid, deltas: readonly (Quaternion | null)[]): (Quaternion | null)[] {
  const isFinger = (bone: number): boolean => /Index|Middle|Ring|Little/.test(BONES[bone]);
  return deltas.map((delta, bone) => {
    const driver = driverOf(humanoid, bone);
    return delta ?? (isFinger(bone) && isFinger(driver) ? deltas[driver] : null);
  });
}

function furthest(a: readonly Quaternion[], b: readonly Quaternion[]): number {
  return largest(...a.map((q, bone) => angle(q, b[bone])));
}

describe('extractClip', () => {
  law('stores r = C⁻¹ · D(p)⁻¹ · D(b) · C for every bone', LAW_F64, (random) => {
    const { humanoid } = randomRig(random);
    const pose = randomPose(random, humanoid, { others: true });
    return furthest(relativeOf(extracted(humanoid, pose)), lawful(withFingers(humanoid, worldDeltas(humanoid, pose))));
  });

  law('stores the offset of hips above the pelvis in canonical axes and meters', LAW_F64, (random) => {
    const { humanoid } = randomRig(random);
    const pose = randomPose(random, humanoid, { others: true });
    const track = extracted(humanoid, pose).tracks.find(({ path }) => path === 'translation');
    // The hips of the rig are 0.05 of their height above the pelvis.
    const arm = [0, humanoid.hipsHeight * (0.05 / 0.95), 0];
    const turned = rotated(worldDeltas(humanoid, pose)[0] as Quaternion, arm);
    const way = plus(minus(pelvisPosition(humanoid, pose), referencePelvis(humanoid)), minus(turned, arm));
    return apart(track === undefined ? [0, 0, 0] : read(track.values, 0, 3), way);
  });

  law('a humanoid clip gives the same pose as direct retargeting', LAW_F64, (random) => {
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const pose = randomPose(random, source, { others: true });
    const direct = retargetPose(planRetarget(source, target), pose, restPose(target.skeleton));
    const through = played(extracted(source, pose), target);
    return largest(
      ...Array.from(target.map.nodes).flatMap((node, bone) => {
        if (node < 0) return [];
        const turn = angle(rotationOf(direct, node), rotationOf(through, node));
        if (bone !== 0) return [turn];
        // Rigs may be millions of units tall.
        const [a, b] = [direct, through].map((local) => translationOf(local, node));
        return [turn, apart(a, b) / Math.max(1, Math.hypot(...a))];
      }),
    );
  });

  law('extracting B after A → B gives the motion of A on the bones of B', LAW_F64, (random) => {
    const a = randomRig(random).humanoid;
    const b = randomRig(random).humanoid;
    const pose = randomPose(random, a, { others: true });
    const onB = retargetPose(planRetarget(a, b), pose, restPose(b.skeleton));
    return furthest(relativeOf(extracted(b, onB)), lawful(withFingers(b, expectedDeltas(a, b, pose))));
  });
});
