/** Where all nodes of a humanoid are in its reference pose. */
import type { Humanoid } from '../core/humanoid/humanoid.ts';
import { modelPose } from '../core/humanoid/model-pose.ts';
import * as quat from '../core/math/quat.ts';
import * as vec3 from '../core/math/vec3.ts';
import { bonesByNode } from '../core/retarget/reference-nodes.ts';
import { restPose } from '../core/skeleton/pose.ts';

/**
 * Positions of all nodes in the reference pose, xyz, canonical frame, metres. Only bones have a place in it: a node between or
 * below bones stands to the bone above it as in the pose that the reference was taken from, one above all bones as there.
 */
export function referencePositions(humanoid: Humanoid): Float64Array {
  const { skeleton, reference, shape, frame, metresPerUnit } = humanoid;
  const { parents } = skeleton;
  const taken = modelPose('', parents, shape ?? restPose(skeleton));
  const boneOfNode = bonesByNode(humanoid);
  const turns = new Float64Array(4 * parents.length);
  const positions = new Float64Array(3 * parents.length);
  const inverse = new Float64Array(4);
  const offset = new Float64Array(3);
  for (let node = 0; node < parents.length; node++) {
    const parent = parents[node];
    const bone = boneOfNode[node];
    if (bone >= 0) {
      quat.conjugate(inverse, 0, taken.rotations, 4 * node);
      quat.multiply(turns, 4 * node, reference.rotations, 4 * bone, inverse, 0);
      vec3.copy(positions, 3 * node, reference.positions, 3 * bone);
      continue;
    }
    if (parent < 0) {
      quat.copy(turns, 4 * node, frame, 0);
      vec3.copy(offset, 0, taken.positions, 3 * node);
    } else {
      quat.copy(turns, 4 * node, turns, 4 * parent);
      vec3.subtract(offset, 0, taken.positions, 3 * node, taken.positions, 3 * parent);
    }
    vec3.rotate(offset, 0, turns, 4 * node, offset, 0);
    vec3.scale(offset, 0, offset, 0, metresPerUnit);
    if (parent < 0) vec3.copy(positions, 3 * node, offset, 0);
    else vec3.add(positions, 3 * node, positions, 3 * parent, offset, 0);
  }
  return positions;
}
