/** L15, L16, L18: finding the reference pose. What is a T-pose already stays, and how a body was posed when it was stored does not matter. */
import { describe } from 'vitest';
import { BONE, BONE_COUNT, BONE_PARENTS, BONES, presentParent } from '../../src/core/humanoid/bones.ts';
import { type DescribeOptions, describeHumanoid } from '../../src/core/humanoid/describe-humanoid.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { lowestFoot } from '../../src/core/humanoid/reference/reference-pose.ts';
import { planRetarget } from '../../src/core/retarget/plan.ts';
import { retargetPose } from '../../src/core/retarget/retarget-pose.ts';
import { localToModelMatrices, restPose } from '../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../src/core/skeleton/skeleton.ts';
import { between, pick, type Random } from '../../src/demo/random.ts';
import { resting, without } from '../make/change-rig.ts';
import { randomPose } from '../make/random-clip.ts';
import { type RandomRig, type RigOptions, randomRig, randomVector } from '../make/random-rig.ts';
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
} from '../reference/plain.ts';
import { hipsPosition, poseOfDeltas, toCanonical, worldDeltas } from '../reference/world-law.ts';
import { ESTIMATE_AGAIN, LAW_F64 } from '../tolerances.ts';
import { deltaError, largest, law } from './law.ts';

/** A skeleton described anew; its bones and its unit are told. */
function described(skeleton: Skeleton, known: Humanoid, options: DescribeOptions = {}): Humanoid {
  const { humanoid, reason } = describeHumanoid(skeleton, {
    map: known.map,
    metersPerUnit: known.metersPerUnit,
    ...options,
  });
  if (humanoid === null) throw new Error(reason);
  return humanoid;
}

/** How far two descriptions of the same nodes are apart: frame, reference rotations (radians) and reference positions (meters). */
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

/** Rigs whose up and front can be told exactly: equal sides where up is far from the axes of the file, any sides where it is one. */
function tellable(random: Random): RigOptions {
  return random() < 0.5 ? { frame: 'tilted', symmetric: true } : { frame: 'upright', symmetric: random() < 0.5 };
}

/**
 * A rig without fingers that tell a wrong direction of the hand: a single one that is not the middle one stands beside the axis of
 * the hand, which nothing shows.
 */
function tellableRig(random: Random, options: RigOptions): RandomRig {
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

describe('L15 bind and rest', () => {
  law('bind matrices of the rest pose tell the same as the rest pose', LAW_F64, (random) => {
    const { humanoid } = randomRig(random, { ...tellable(random), restIsReference: true });
    const { skeleton } = humanoid;
    const bound: Skeleton = { ...skeleton, bind: bindOf(humanoid, restPose(skeleton)) };
    const byBind = described(bound, humanoid, { pose: 'bind' });
    return referenceError(byBind, described(bound, humanoid, { pose: 'node' }));
  });

  law('a body bound in its T-pose and stored in another is what it is stored in its T-pose', LAW_F64, (random) => {
    const { humanoid, referenceLocal } = randomRig(random, tellable(random));
    const bound: Skeleton = { ...humanoid.skeleton, bind: bindOf(humanoid, referenceLocal) };
    const stored = resting(humanoid, referenceLocal).skeleton;
    return referenceError(described(bound, humanoid, { pose: 'bind' }), described(stored, humanoid, { pose: 'node' }));
  });
});

/** Whether a finger goes on beyond a bone: without that nothing shows how the bone is bent. */
function goesOn(bone: number, { map }: Humanoid): boolean {
  return BONES.some((_, end) => map.nodes[end] >= 0 && presentParent(end, map.nodes) === bone);
}

/** D of a posture a body may be stored in: arms lowered and bent, fingers curled, legs apart and bent, feet flat. */
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
    if (/(Index|Middle|Ring|Little)/.test(name) && goesOn(bone, humanoid)) return aboutAxis([0, 0, 1], -sign * curl);
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

/** The pose that shows deltas, with the lowest foot as high as in the reference pose. */
function standing(rig: RandomRig, deltas: readonly Quaternion[]): Float64Array {
  const { humanoid } = rig;
  const hips = read(humanoid.reference.positions, 0, 3);
  const { nodes } = humanoid.map;
  const world = worldPose(humanoid.skeleton.parents, poseOfDeltas(humanoid, deltas, hips));
  const positions = new Float64Array(3 * BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (nodes[bone] >= 0) positions.set(toCanonical(humanoid, world.positions[nodes[bone]]), 3 * bone);
  }
  const sunk = lowestFoot(positions, nodes) - lowestFoot(humanoid.reference.positions, nodes);
  return poseOfDeltas(humanoid, deltas, minus(hips, [0, sunk, 0]));
}

describe('L16 the stored pose', () => {
  law(
    'a body stored with its arms lowered, elbows, fingers and knees bent is found to be what it is in a T',
    LAW_F64,
    (random) => {
      const rig = tellableRig(random, { ...tellable(random), tangled: false });
      const { humanoid, referenceLocal } = rig;
      const stored = resting(humanoid, standing(rig, posture(random, humanoid))).skeleton;
      const inT = resting(humanoid, referenceLocal).skeleton;
      return referenceError(described(stored, humanoid), described(inT, humanoid));
    },
  );

  law('and a motion moves the two alike', LAW_F64, (random) => {
    const rig = tellableRig(random, { ...tellable(random), tangled: false, bones: 'all' });
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

/** A pose with every joint turned by up to a radian. */
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

describe('L18 the estimator', () => {
  law('an exact T-pose comes back unchanged', ESTIMATE_AGAIN, (random) => {
    const { humanoid } = tellableRig(random, { ...tellable(random), restIsReference: true });
    return referenceError(described(humanoid.skeleton, humanoid), humanoid);
  });

  law('what it made of any pose it leaves as it is', ESTIMATE_AGAIN, (random) => {
    const { humanoid, referenceLocal } = randomRig(random, { tangled: false });
    const first = described(resting(humanoid, anyPose(random, humanoid, referenceLocal)).skeleton, humanoid);
    const still = worldDeltas(first, restPose(first.skeleton)).map((delta) => (delta === null ? null : IDENTITY));
    const inReference = poseOfDeltas(first, still, read(first.reference.positions, 0, 3));
    return referenceError(described(resting(first, inReference).skeleton, first), first);
  });

  law('its arms, hands, fingers and legs are a T, whatever the pose was', ESTIMATE_AGAIN, (random) => {
    const { humanoid, referenceLocal } = randomRig(random, { tangled: false });
    const { reference } = described(resting(humanoid, anyPose(random, humanoid, referenceLocal)).skeleton, humanoid);
    return largest(...Object.values(reference.deviationDegrees)) * (Math.PI / 180);
  });

  law('it turns no bone against the hips in spine, neck, head and shoulders', ESTIMATE_AGAIN, (random) => {
    const { humanoid, referenceLocal } = randomRig(random, { tangled: false, bones: 'all' });
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
