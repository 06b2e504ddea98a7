import type { Humanoid } from '../../humanoid/humanoid.ts';
import { computeNodeReference } from '../../humanoid/t-pose/node-reference.ts';
import * as mat4 from '../../math/mat4.ts';
import { modelMatrices } from '../../skeleton/pose.ts';
import { axisSign, findReflections } from '../../skeleton/reflections.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../../skeleton/skeleton.ts';

/**
 * Computes the matrices of all nodes in the reference pose. Nodes keep the scale of the base pose. Returns matrices from node space to the canonical
 * frame, meters: 16 floats per node.
 */
export function referenceMatrices(humanoid: Humanoid): Float64Array {
  const { skeleton, basePose, metersPerUnit } = humanoid;
  const { parents } = skeleton;
  const signs = findReflections(skeleton);
  const { rotations, positions } = computeNodeReference(humanoid);
  const matrices = modelMatrices(parents, basePose ?? skeleton.rest);
  const trs = new Float64Array(POSE_STRIDE);
  for (let node = 0; node < parents.length; node++) {
    const m = MATRIX_STRIDE * node;
    trs.set(positions.subarray(3 * node, 3 * node + 3), PATH_OFFSET.translation);
    trs.set(rotations.subarray(4 * node, 4 * node + 4), PATH_OFFSET.rotation);
    for (let axis = 0; axis < 3; axis++) {
      const at = m + 4 * axis;
      const sign = signs === null ? 1 : axisSign(signs, node, axis);
      const length = Math.hypot(matrices[at], matrices[at + 1], matrices[at + 2]);
      trs[PATH_OFFSET.scale + axis] = sign * metersPerUnit * length;
    }
    mat4.compose(matrices, m, trs, 0);
  }
  return matrices;
}
