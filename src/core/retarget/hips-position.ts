/** Where the source has its pelvis, and where the target has the node that carries it, relative to the reference pose. */
import type { Floats } from '../math/floats.ts';
import * as vec3 from '../math/vec3.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../skeleton/skeleton.ts';
import type { HipsPlan } from './plan-types.ts';
import { applyLinear, toParentSpace } from './transform-point.ts';

const point = new Float64Array(3);

/**
 * Computes the position of the source pelvis. `out` receives xyz at 0: canonical frame, meters. `sourceLocal`: local pose of the source, 10 floats
 * per node.
 */
function sourcePelvis(out: Float64Array, hips: HipsPlan, sourceLocal: Floats): void {
  const { sourceJoints, sourceAncestors } = hips;
  vec3.set(out, 0, 0, 0, 0);
  for (let joint = 0; joint < sourceJoints.length; joint++) {
    const nodes = sourceJoints[joint];
    vec3.set(point, 0, 0, 0, 0);
    for (let k = 0; k < nodes.length; k++) toParentSpace(point, sourceLocal, POSE_STRIDE * nodes[k]);
    // Transforms of points are affine: the middle of the joints is transformed like the joints.
    for (let axis = 0; axis < 3; axis++) out[axis] += point[axis] / sourceJoints.length;
  }
  for (let k = 0; k < sourceAncestors.length; k++) toParentSpace(out, sourceLocal, POSE_STRIDE * sourceAncestors[k]);
  applyLinear(out, 0, hips.sourceLinear, out, 0);
}

/**
 * Computes how far the vector from the target pelvis to the translated node is from that of the reference pose. `out` receives xyz at 0: canonical
 * frame, meters. `sourceLocal`: local pose of the source, 10 floats per node.
 */
function armsOffset(out: Float64Array, { arms, frame }: HipsPlan, sourceLocal: Floats): void {
  vec3.set(out, 0, 0, 0, 0);
  for (let arm = 0; arm < arms.length; arm++) {
    const { nodes, vector, reference } = arms[arm];
    vec3.copy(point, 0, vector, 0);
    for (let k = 0; k < nodes.length; k++) {
      vec3.rotate(point, 0, sourceLocal, POSE_STRIDE * nodes[k] + PATH_OFFSET.rotation, point, 0);
    }
    vec3.rotate(point, 0, frame, 0, point, 0);
    vec3.add(out, 0, out, 0, point, 0);
    vec3.subtract(out, 0, out, 0, reference, 0);
  }
}

const arm = new Float64Array(3);

/**
 * Computes how far the translated node of the target is from its reference position. `out` receives xyz at 0: canonical frame, meters.
 * `sourceLocal`: local pose of the source, 10 floats per node.
 */
export function hipsOffset(out: Float64Array, hips: HipsPlan, sourceLocal: Floats): void {
  sourcePelvis(out, hips, sourceLocal);
  armsOffset(arm, hips, sourceLocal);
  // One loop instead of vec3.subtract and vec3.scale: `hips.factor` is boxed as the argument of a call that is not inlined.
  for (let axis = 0; axis < 3; axis++) out[axis] = (out[axis] - hips.sourceOrigin[axis]) * hips.factor + arm[axis];
}

/** Lists the source nodes whose local transforms decide where the pelvis is. */
export function nodesAroundHips({ sourceAncestors, sourceJoints, arms }: HipsPlan): number[] {
  return [
    ...new Set([
      ...sourceAncestors,
      ...sourceJoints.flatMap((nodes) => [...nodes]),
      ...arms.flatMap(({ nodes }) => [...nodes]),
    ]),
  ];
}
