/** L15, L16, L18: estimating the reference pose. A T-pose is unchanged, and the result does not depend on the rest pose. */
import { describe } from 'vitest';
import { BONE, BONE_COUNT, BONE_PARENTS, BONES, presentParent } from '../../src/core/humanoid/bones.ts';
import { type DescribeOptions, describeHumanoid } from '../../src/core/humanoid/describe-humanoid.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { lowestFootHeight } from '../../src/core/humanoid/t-pose/bone-pose.ts';
import { planRetarget } from '../../src/core/retarget/plan-retarget.ts';
import { retargetPose } from '../../src/core/retarget/retarget-pose.ts';
import { localToModelMatrices, restPose } from '../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../src/core/skeleton/skeleton.ts';
import { between, pick, type Random } from '../../src/demo/random.ts';
import { resting, without } from '../support/make/change-rig.ts';
import { randomPose } from '../support/make/random-clip.ts';
import { type RandomRig, type RigOptions, randomRig, randomVector } from '../support/make/random-rig.ts';
import {
  aboutAxis,
  angle,
  apart,
  IDENTITY,
  inverse,
  minus,
  product,
  type Quaternion,
  read,
  worldPose,
} from '../support/reference/plain.ts';
import { hipsPosition, poseOfDeltas, toCanonical, worldDeltas } from '../support/reference/world-retarget.ts';
import { ESTIMATE_AGAIN, LAW_F64 } from '../support/tolerances.ts';
import { deltaError, largest, law } from './law.ts';

/** Describes a skeleton with known bones and unit. */
function described(skeleton: Skeleton, known: Humanoid, options: DescribeOptions = {}): Humanoid {
  const { humanoid, reason } = describeHumanoid(skeleton, {
    map: known.map,
    metersPerUnit: known.metersPerUnit,
    ...options,
  });
  if (humanoid === null) throw new Error(reason);
  return humanoid;
}

/** Returns how far apart two descriptions of the same nodes are: frame and reference rotations (radians), reference positions (meters). */
function referenceError(a: Humanoid, b: Humanoid): number {
  return largest(
    angle(Array.from(a.frame), Array.from(b.frame)),
    ...Array.from(a.map.nodes, (node, bone) =>
      node < 0
        ? 0
        : largest(
            angle(read(a.reference.rotations, 4 * bone, 4), read(b.reference.rotations, 4 * bone, 4)),
            apart(read(a.reference.positions, 3 * bone, 3), read(b.reference.positions, 3 * bone, 3)),
          ),
    ),
  );
}

/** Returns options for rigs whose up and front axis can be found exactly: symmetric if up is not an axis of the file. */
function exactOptions(random: Random): RigOptions {
  return random() < 0.5 ? { frame: 'tilted', symmetric: true } : { frame: 'upright', symmetric: random() < 0.5 };
}

/** Returns a rig without fingers that give a wrong hand direction: a single finger other than the middle one is beside the axis of the hand. */
function exactRig(random: Random, options: RigOptions): RandomRig {
  const rig = randomRig(random, options);
  const strayed = (['left', 'right'] as const).flatMap((side) => {
    const knuckles = (['Index', 'Middle', 'Ring', 'Little'] as const).filter(
      (finger) => rig.humanoid.map.nodes[BONE[`${side}${finger}Proximal`]] >= 0,
    );
    return knuckles.length === 1 && knuckles[0] !== 'Middle' ? [BONE[`${side}${knuckles[0]}Proximal`]] : [];
  });
  return { ...rig, humanoid: without(resting(rig.humanoid, rig.referenceLocal), strayed) };
}

function bindOf({ skeleton }: Humanoid, local: Float64Array): Float64Array {
  const bind = new Float64Array(16 * skeleton.parents.length);
  localToModelMatrices(bind, skeleton.parents, local);
  return bind;
}

describe('L15 bind and rest pose: describeHumanoid', () => {
  law('finds the same reference pose from bind matrices as from the same rest pose', LAW_F64, (random) => {
    const { humanoid } = randomRig(random, { ...exactOptions(random), restIsReference: true });
    const { skeleton } = humanoid;
    const bound: Skeleton = { ...skeleton, bind: bindOf(humanoid, restPose(skeleton)) };
    const byBind = described(bound, humanoid, { pose: 'bind' });
    return referenceError(byBind, described(bound, humanoid, { pose: 'node' }));
  });

  law('uses the bind pose if the rest pose is not the T-pose', LAW_F64, (random) => {
    const { humanoid, referenceLocal } = randomRig(random, exactOptions(random));
    const bound: Skeleton = { ...humanoid.skeleton, bind: bindOf(humanoid, referenceLocal) };
    const stored = resting(humanoid, referenceLocal).skeleton;
    return referenceError(described(bound, humanoid, { pose: 'bind' }), described(stored, humanoid, { pose: 'node' }));
  });
});

/** Tells whether a finger continues beyond a bone: otherwise its bend cannot be measured. */
function hasNextBone(bone: number, { map }: Humanoid): boolean {
  return BONES.some((_, end) => map.nodes[end] >= 0 && presentParent(end, map.nodes) === bone);
}

/** Returns D of a plausible rest pose: arms lowered and bent, fingers curled, legs apart and bent, feet flat. */
function posture(random: Random, humanoid: Humanoid): Quaternion[] {
  const lowered = between(random, -0.5, 1.3);
  const elbow = between(random, 0, 1.2);
  const curl = between(random, 0, 0.5);
  const splayed = between(random, 0, 0.3);
  const knee = between(random, 0, 0.8);
  const own = (bone: number): Quaternion => {
    const name = BONES[bone];
    const sign = name.startsWith('left') ? 1 : -1;
    if (humanoid.map.nodes[bone] < 0) return IDENTITY;
    if (/UpperArm$/.test(name)) return aboutAxis([0, 0, 1], -sign * lowered);
    if (/LowerArm$/.test(name)) return aboutAxis([0, 1, 0], -sign * elbow);
    if (/(Index|Middle|Ring|Little)/.test(name) && hasNextBone(bone, humanoid))
      return aboutAxis([0, 0, 1], -sign * curl);
    if (/UpperLeg$/.test(name)) return aboutAxis([0, 0, 1], sign * splayed);
    if (/LowerLeg$/.test(name)) return aboutAxis([1, 0, 0], knee);
    return IDENTITY;
  };
  const deltas: Quaternion[] = [];
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const isFoot = /(Foot|Toes)$/.test(BONES[bone]);
    const above = bone === 0 ? IDENTITY : deltas[BONE_PARENTS[bone]];
    deltas.push(isFoot ? IDENTITY : product(above, own(bone)));
  }
  return deltas;
}

/** Returns the pose with these deltas, with the lowest foot as high as in the reference pose. */
function standing(rig: RandomRig, deltas: readonly Quaternion[]): Float64Array {
  const { humanoid } = rig;
  const hips = read(humanoid.reference.positions, 0, 3);
  const { nodes } = humanoid.map;
  const world = worldPose(humanoid.skeleton.parents, poseOfDeltas(humanoid, deltas, hips));
  const positions = new Float64Array(3 * BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (nodes[bone] >= 0) positions.set(toCanonical(humanoid, world.positions[nodes[bone]]), 3 * bone);
  }
  const sunk = lowestFootHeight(positions, nodes) - lowestFootHeight(humanoid.reference.positions, nodes);
  return poseOfDeltas(humanoid, deltas, minus(hips, [0, sunk, 0]));
}

describe('L16 rest pose: describeHumanoid', () => {
  law(
    'finds the same T-pose from a rest pose with lowered arms and bent elbows, fingers and knees',
    LAW_F64,
    (random) => {
      const rig = exactRig(random, { ...exactOptions(random), detached: false });
      const { humanoid, referenceLocal } = rig;
      const stored = resting(humanoid, standing(rig, posture(random, humanoid))).skeleton;
      const inT = resting(humanoid, referenceLocal).skeleton;
      return referenceError(described(stored, humanoid), described(inT, humanoid));
    },
  );

  law('the two descriptions are retargeted alike', LAW_F64, (random) => {
    const rig = exactRig(random, { ...exactOptions(random), detached: false, bones: 'all' });
    const { humanoid, referenceLocal } = rig;
    const source = randomRig(random).humanoid;
    const a = described(resting(humanoid, standing(rig, posture(random, humanoid))).skeleton, humanoid);
    const b = described(resting(humanoid, referenceLocal).skeleton, humanoid);
    const pose = randomPose(random, source, { others: true });
    const [aResult, bResult] = [a, b].map((target) =>
      retargetPose(planRetarget(source, target), pose, restPose(target.skeleton)),
    );
    return largest(deltaError(a, aResult, b, bResult), apart(hipsPosition(a, aResult), hipsPosition(b, bResult)));
  });
});

/** Returns a pose with every joint rotated by up to 1 rad. */
function anyPose(random: Random, { skeleton, map }: Humanoid, referenceLocal: Float64Array): Float64Array {
  const local = Float64Array.from(referenceLocal);
  const most = pick(random, [0.2, 1]);
  for (const node of map.nodes) {
    if (node < 0) continue;
    const turn = aboutAxis(randomVector(random, 1), between(random, 0, most));
    local.set(product(read(local, 10 * node + 3, 4), turn), 10 * node + 3);
  }
  return Float64Array.from(local.subarray(0, 10 * skeleton.parents.length));
}

describe('L18 T-pose estimator: describeHumanoid', () => {
  law('returns an exact T-pose unchanged', ESTIMATE_AGAIN, (random) => {
    const { humanoid } = exactRig(random, { ...exactOptions(random), restIsReference: true });
    return referenceError(described(humanoid.skeleton, humanoid), humanoid);
  });

  law('returns an estimated T-pose unchanged', ESTIMATE_AGAIN, (random) => {
    const { humanoid, referenceLocal } = randomRig(random, { detached: false });
    const first = described(resting(humanoid, anyPose(random, humanoid, referenceLocal)).skeleton, humanoid);
    const still = worldDeltas(first, restPose(first.skeleton)).map((delta) => (delta === null ? null : IDENTITY));
    const inReference = poseOfDeltas(first, still, read(first.reference.positions, 0, 3));
    return referenceError(described(resting(first, inReference).skeleton, first), first);
  });

  law('brings arms, hands, fingers and legs to an exact T-pose from any pose', ESTIMATE_AGAIN, (random) => {
    const { humanoid, referenceLocal } = randomRig(random, { detached: false });
    const { reference } = described(resting(humanoid, anyPose(random, humanoid, referenceLocal)).skeleton, humanoid);
    return largest(...Object.values(reference.deviationDegrees)) * (Math.PI / 180);
  });

  law('rotates spine, neck, head and shoulders only with the hips', ESTIMATE_AGAIN, (random) => {
    const { humanoid, referenceLocal } = randomRig(random, { detached: false, bones: 'all' });
    const stored = resting(humanoid, anyPose(random, humanoid, referenceLocal)).skeleton;
    const { reference } = described(stored, humanoid);
    const { rotations } = worldPose(stored.parents, stored.rest);
    const turnOf = (bone: number): Quaternion =>
      product(read(reference.rotations, 4 * bone, 4), inverse(rotations[humanoid.map.nodes[bone]]));
    const trunk = (['spine', 'chest', 'upperChest', 'neck', 'head', 'leftShoulder', 'rightShoulder'] as const).map(
      (name) => BONE[name],
    );
    return largest(...trunk.map((bone) => angle(turnOf(bone), turnOf(BONE.hips))));
  });
});
