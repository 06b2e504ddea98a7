import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { restPose } from '../../skeleton/pose.ts';
import type { Humanoid } from '../humanoid.ts';
import { mapNodesToBones } from '../node-bones.ts';
import type { BonePose } from './bone-pose.ts';
import { toModelPose } from './model-pose.ts';

/**
 * Computes the world transforms of all nodes in the reference pose, which itself only covers bones. A non-bone node keeps its
 * transform relative to its parent from the base pose. Canonical frame, meters: xyzw and xyz per node.
 */
export function computeNodeReference({ skeleton, map, reference, basePose, frame, metersPerUnit }: Humanoid): BonePose {
  const { parents } = skeleton;
  const count = parents.length;
  const base = toModelPose('', parents, basePose ?? restPose(skeleton));
  const bones = mapNodesToBones(map.nodes, count);
  // Rotation of each node from the base pose, axes of the file, to the reference pose, canonical frame.
  const corrections = new Float64Array(4 * count);
  const rotations = new Float64Array(4 * count);
  const positions = new Float64Array(3 * count);
  const inverse = new Float64Array(4);
  const offset = new Float64Array(3);
  for (let node = 0; node < count; node++) {
    const parent = parents[node];
    const bone = bones[node];
    if (bone >= 0) {
      quat.conjugate(inverse, 0, base.rotations, 4 * node);
      quat.multiply(corrections, 4 * node, reference.rotations, 4 * bone, inverse, 0);
      quat.copy(rotations, 4 * node, reference.rotations, 4 * bone);
      vec3.copy(positions, 3 * node, reference.positions, 3 * bone);
      continue;
    }
    if (parent < 0) {
      quat.copy(corrections, 4 * node, frame, 0);
      vec3.copy(offset, 0, base.positions, 3 * node);
    } else {
      quat.copy(corrections, 4 * node, corrections, 4 * parent);
      vec3.subtract(offset, 0, base.positions, 3 * node, base.positions, 3 * parent);
    }
    quat.multiply(rotations, 4 * node, corrections, 4 * node, base.rotations, 4 * node);
    quat.normalize(rotations, 4 * node, rotations, 4 * node);
    vec3.rotate(offset, 0, corrections, 4 * node, offset, 0);
    vec3.scale(offset, 0, offset, 0, metersPerUnit);
    if (parent < 0) vec3.copy(positions, 3 * node, offset, 0);
    else vec3.add(positions, 3 * node, positions, 3 * parent, offset, 0);
  }
  return { rotations, positions };
}
