import type { Humanoid } from '../humanoid/humanoid.ts';
import { mapNodesToBones } from '../humanoid/node-bones.ts';
import * as mat4 from '../math/mat4.ts';
import * as quat from '../math/quat.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../skeleton/skeleton.ts';
import { referenceParentRotation, restMatrix } from './node-transforms.ts';
import { scaledRotation } from './plan-hips.ts';
import type { ScalePlan, TranslationPlan } from './plan-types.ts';

/** Returns the length of one local unit of the children of a node, meters: the cube root of the volume of its rest matrix. */
function restScale(humanoid: Humanoid, node: number): number {
  const matrix = new Float64Array(MATRIX_STRIDE);
  restMatrix(matrix, humanoid, node);
  return Math.cbrt(Math.abs(mat4.determinant(matrix, 0))) * humanoid.metersPerUnit;
}

function restVector({ skeleton }: Humanoid, node: number, path: 'translation' | 'scale'): Float64Array {
  const at = POSE_STRIDE * node + PATH_OFFSET[path];
  return Float64Array.from(skeleton.rest.subarray(at, at + 3));
}

/**
 * Plans the translations of bones: offsets from the rest, rotated from the reference axes of the source parent to those of the target parent, and
 * scaled as the hips. `factor`: meters of the target per meter of the source.
 */
export function planTranslations(
  source: Humanoid,
  target: Humanoid,
  bones: readonly number[],
  factor: number,
): TranslationPlan[] {
  const sourceBones = mapNodesToBones(source.map.nodes, source.skeleton.parents.length);
  const targetBones = mapNodesToBones(target.map.nodes, target.skeleton.parents.length);
  const rotation = new Float64Array(4);
  const from = new Float64Array(4);
  return bones.map((bone) => {
    const sourceNode = source.map.nodes[bone];
    const targetNode = target.map.nodes[bone];
    referenceParentRotation(from, source, sourceBones, sourceNode);
    referenceParentRotation(rotation, target, targetBones, targetNode);
    quat.conjugate(rotation, 0, rotation, 0);
    quat.multiply(rotation, 0, rotation, 0, from, 0);
    const targetUnit = restScale(target, target.skeleton.parents[targetNode]);
    const ratio = targetUnit > 0 ? (factor * restScale(source, source.skeleton.parents[sourceNode])) / targetUnit : 0;
    return {
      sourceNode,
      targetNode,
      linear: scaledRotation(rotation, ratio),
      origin: restVector(source, sourceNode, 'translation'),
      base: restVector(target, targetNode, 'translation'),
    };
  });
}

/** Plans the scales of bones: relative to the rest, along the axes of the target. */
export function planScales(source: Humanoid, target: Humanoid, bones: readonly number[]): ScalePlan[] {
  return bones.map((bone) => {
    const sourceNode = source.map.nodes[bone];
    const targetNode = target.map.nodes[bone];
    const toSourceAxes = quat.conjugated(source.reference.rotations, 4 * bone);
    quat.multiply(toSourceAxes, 0, toSourceAxes, 0, target.reference.rotations, 4 * bone);
    return {
      sourceNode,
      targetNode,
      toSourceAxes,
      sourceRest: restVector(source, sourceNode, 'scale'),
      targetRest: restVector(target, targetNode, 'scale'),
    };
  });
}
