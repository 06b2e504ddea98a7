/** Masks: how much of a pose each node takes. */
import { BONE, BONE_COUNT, BONE_PARENTS, BONES, type BoneName, isBoneName } from '../../core/humanoid/bones.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { boneAtOrAbove, mapNodesToBones } from '../../core/humanoid/node-bones.ts';

/** Weights by bone name; a bone without one has the weight of its parent bone. */
export type BoneWeights = Readonly<Partial<Record<BoneName, number>>>;

function weightsOfBones(weights: BoneWeights): Float64Array {
  const out = new Float64Array(BONE_COUNT);
  // Parents come first.
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const inherited = BONE_PARENTS[bone] < 0 ? 0 : out[BONE_PARENTS[bone]];
    out[bone] = weights[BONES[bone]] ?? inherited;
  }
  return out;
}

/**
 * Creates a mask for nodes that need not be those of a humanoid's skeleton, such as all objects of a model: one weight per node. See
 * {@link createBoneMask}.
 */
export function maskNodes(
  { boneNodes, parents }: { boneNodes: ArrayLike<number>; parents: Int32Array },
  weights: BoneWeights,
): Float32Array {
  for (const [name, weight] of Object.entries(weights)) {
    if (!isBoneName(name)) {
      throw new RangeError(
        `createBoneMask: there is no bone ${JSON.stringify(name)}. Expected a name from BONES, such as "spine".`,
      );
    }
    if (!(weight >= 0 && weight <= 1)) {
      throw new RangeError(`createBoneMask: the weight of ${name} is ${weight}. Expected a number between 0 and 1.`);
    }
  }
  const byBone = weightsOfBones(weights);
  const bones = mapNodesToBones(boneNodes, parents.length);
  return Float32Array.from(parents, (_, node) => {
    const bone = boneAtOrAbove(parents, bones, node);
    return byBone[Math.max(bone, BONE.hips)];
  });
}

/**
 * Creates a mask for parts of a humanoid. Weights are inherited downwards: `{ spine: 1 }` is the upper body, `{ spine: 1, leftUpperArm: 0 }`
 * the upper body without the left arm, `{ hips: 1 }` everything. The hips have weight 0 unless named. Nodes without a bone have the weight of
 * the nearest bone above them, else that of the hips.
 *
 * @param character The humanoid, or an object with it, such as `createHumanoid` of the plugins returns. For `CharacterMixer` and `BabylonMixer`, whose
 *   nodes are all objects of the model, use their method of the same name.
 * @param weights Weights by bone name, 0…1.
 * @returns One weight per node, for the inputs of `blendPose` and for actions.
 * @throws RangeError If a name is not one of the 55 bones, or a weight is not between 0 and 1.
 * @example
 * const upperBody = createBoneMask(humanoid, { spine: 1 });
 */
export function createBoneMask(
  character: Humanoid | { readonly humanoid: Humanoid },
  weights: BoneWeights,
): Float32Array {
  const { map, skeleton } = 'humanoid' in character ? character.humanoid : character;
  return maskNodes({ boneNodes: map.nodes, parents: skeleton.parents }, weights);
}
