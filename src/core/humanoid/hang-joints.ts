/**
 * Joints that hang on nothing although their transforms mean a body: a UsdSkel Skeleton with the joints `["Hips", "Spine"]`, where
 * `["Hips", "Hips/Spine"]` was meant. Once it is known which bones they are, it is known what they hang on.
 */
import * as vec3 from '../math/vec3.ts';
import { localToModelMatrices, modelPositions } from '../skeleton/pose.ts';
import { MATRIX_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';
import { BONE, BONE_COUNT, type BoneName, presentParent } from './bones.ts';

/** Bones that stand above the bone they hang on, and such that stand below it. */
const RISING: readonly BoneName[] = ['spine', 'chest', 'upperChest', 'neck', 'head'];
const FALLING: readonly BoneName[] = ['leftLowerLeg', 'rightLowerLeg', 'leftFoot', 'rightFoot'];

/** How far a body stands upright: the sum over trunk and legs of the cosines between bones and where they should lead. */
function uprightness(skeleton: Skeleton, nodes: Int32Array, up: ArrayLike<number>): number {
  const count = skeleton.parents.length;
  const matrices = new Float64Array(MATRIX_STRIDE * count);
  const positions = new Float64Array(3 * count);
  localToModelMatrices(matrices, skeleton.parents, skeleton.rest);
  modelPositions(positions, matrices);
  const limb = new Float64Array(3);
  let sum = 0;
  for (const [names, sign] of [
    [RISING, 1],
    [FALLING, -1],
  ] as const) {
    for (const name of names) {
      const bone = BONE[name];
      const parent = nodes[bone] < 0 ? -1 : presentParent(bone, nodes);
      if (parent < 0) continue;
      vec3.subtract(limb, 0, positions, 3 * nodes[bone], positions, 3 * nodes[parent]);
      const length = vec3.length(limb, 0);
      if (length > 0) sum += (sign * (limb[0] * up[0] + limb[1] * up[1] + limb[2] * up[2])) / length;
    }
  }
  return sum;
}

/** Whether all bones, at least two, are children of one node, or roots. */
function areSiblings(parents: Int32Array, nodes: Int32Array): boolean {
  const own = Array.from(nodes).filter((node) => node >= 0);
  return own.length > 1 && own.every((node) => parents[node] === parents[own[0]]);
}

/**
 * The skeleton with every bone hung on the joint of the bone above, its local transforms as they are: where no bone hangs on another, no bind
 * pose tells where joints are, and the rest pose stands more upright that way. Null otherwise: the skeleton means what it says.
 * `nodes`: node per bone; `up`: unit length, axes of the file.
 */
export function hangOnBones(skeleton: Skeleton, nodes: Int32Array, up: ArrayLike<number>): Skeleton | null {
  if (skeleton.bind !== null || !areSiblings(skeleton.parents, nodes)) return null;
  const parents = Int32Array.from(skeleton.parents);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const parent = nodes[bone] < 0 ? -1 : presentParent(bone, nodes);
    if (parent < 0) continue;
    // Parents come first in a skeleton; joints that were listed otherwise stay as they are.
    if (nodes[parent] > nodes[bone]) return null;
    parents[nodes[bone]] = nodes[parent];
  }
  const hung = { ...skeleton, parents };
  return uprightness(hung, nodes, up) > uprightness(skeleton, nodes, up) ? hung : null;
}
