/**
 * Repairs flat joint hierarchies: a UsdSkel Skeleton with the joints `["Hips", "Spine"]` where `["Hips", "Hips/Spine"]`
 * was meant. Once the bones are known, so are their parents.
 */
import * as vec3 from '../math/vec3.ts';
import { modelMatrices, modelPositions } from '../skeleton/pose.ts';
import type { Skeleton } from '../skeleton/skeleton.ts';
import { BONE, BONE_COUNT, type BoneName, presentParent } from './bones.ts';

/** Bones above their parent bone in an upright character. */
const RISING: readonly BoneName[] = ['spine', 'chest', 'upperChest', 'neck', 'head'];
/** Bones below their parent bone in an upright character. */
const FALLING: readonly BoneName[] = ['leftLowerLeg', 'rightLowerLeg', 'leftFoot', 'rightFoot'];

/** How upright the rest pose is: the sum, over spine and legs, of the cosine between each bone and its expected direction. */
function uprightness(skeleton: Skeleton, nodes: Int32Array, up: ArrayLike<number>): number {
  const count = skeleton.parents.length;
  const matrices = modelMatrices(skeleton.parents, skeleton.rest);
  const positions = new Float64Array(3 * count);
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

/** Whether all bones, at least two, are children of one node or are all roots. */
function areSiblings(parents: Int32Array, nodes: Int32Array): boolean {
  const present = Array.from(nodes).filter((node) => node >= 0);
  return present.length > 1 && present.every((node) => parents[node] === parents[present[0]]);
}

/** Sum of the distances of the bones from their joints in the bind pose, each relative to the hips: a file may be bound elsewhere. */
function distanceFromBind({ parents, rest, bind }: Skeleton, nodes: Int32Array): number {
  const matrices = modelMatrices(parents, rest);
  const positions = new Float64Array(3 * parents.length);
  modelPositions(positions, matrices);
  const bound = new Float64Array(3 * parents.length);
  modelPositions(bound, Float64Array.from(bind as ArrayLike<number>));
  const [offset, boundOffset] = [new Float64Array(3), new Float64Array(3)];
  const hips = nodes[BONE.hips];
  let sum = 0;
  for (const node of nodes) {
    if (node < 0) continue;
    vec3.subtract(offset, 0, positions, 3 * node, positions, 3 * hips);
    vec3.subtract(boundOffset, 0, bound, 3 * node, bound, 3 * hips);
    sum += vec3.distance(offset, 0, boundOffset, 0);
  }
  return sum;
}

/**
 * Parents every bone to its parent bone, keeping all local transforms, where the file has a flat hierarchy: no bone is parented to another, and the
 * rest pose is nearer to the bind pose that way; without a bind pose, more upright. `up`: up axis of the file, unit length. Returns the skeleton
 * with the inferred parents; null when its own hierarchy is used.
 */
export function inferJointHierarchy(skeleton: Skeleton, nodes: Int32Array, up: ArrayLike<number>): Skeleton | null {
  if (!areSiblings(skeleton.parents, nodes)) return null;
  const parents = Int32Array.from(skeleton.parents);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const parent = nodes[bone] < 0 ? -1 : presentParent(bone, nodes);
    if (parent < 0) continue;
    // A skeleton lists parents before children. Joints in another order cannot be reparented.
    if (nodes[parent] > nodes[bone]) return null;
    parents[nodes[bone]] = nodes[parent];
  }
  const inferred = { ...skeleton, parents };
  if (skeleton.bind !== null) {
    return distanceFromBind(inferred, nodes) < distanceFromBind(skeleton, nodes) ? inferred : null;
  }
  return uprightness(inferred, nodes, up) > uprightness(skeleton, nodes, up) ? inferred : null;
}
