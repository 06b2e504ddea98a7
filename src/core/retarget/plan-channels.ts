/** Deciding how translations and scales of bones other than the hips are carried over. */
import type { Humanoid } from '../humanoid/humanoid.ts';
import { bonesOfNodes } from '../humanoid/node-bones.ts';
import * as mat4 from '../math/mat4.ts';
import * as quat from '../math/quat.ts';
import { scaledRotation } from './plan-hips.ts';
import { referenceParentRotation, restMatrix } from './reference-nodes.ts';
import type { ScalePlan, TranslationPlan } from './retarget-plan.ts';

/** Length of one local unit of the children of a node, meters: the cube root of the volume that its rest matrix spans. */
function restScale(humanoid: Humanoid, node: number): number {
  const matrix = new Float64Array(16);
  restMatrix(matrix, humanoid, node);
  return Math.cbrt(Math.abs(mat4.determinant(matrix, 0))) * humanoid.metersPerUnit;
}

/** Plans the translations of bones: offsets from the rest, turned as the parents' reference rotations say, scaled like the hips. */
export function planTranslations(
  source: Humanoid,
  target: Humanoid,
  bones: readonly number[],
  factor: number,
): TranslationPlan[] {
  const sourceBones = bonesOfNodes(source.map.nodes, source.skeleton.parents.length);
  const targetBones = bonesOfNodes(target.map.nodes, target.skeleton.parents.length);
  const turn = new Float64Array(4);
  const from = new Float64Array(4);
  return bones.map((bone) => {
    const sourceNode = source.map.nodes[bone];
    const targetNode = target.map.nodes[bone];
    referenceParentRotation(from, source, sourceBones, sourceNode);
    referenceParentRotation(turn, target, targetBones, targetNode);
    quat.conjugate(turn, 0, turn, 0);
    quat.multiply(turn, 0, turn, 0, from, 0);
    const targetUnit = restScale(target, target.skeleton.parents[targetNode]);
    const ratio = targetUnit > 0 ? (factor * restScale(source, source.skeleton.parents[sourceNode])) / targetUnit : 0;
    return {
      sourceNode,
      targetNode,
      linear: scaledRotation(turn, ratio),
      origin: Float64Array.from(source.skeleton.rest.subarray(10 * sourceNode, 10 * sourceNode + 3)),
      base: Float64Array.from(target.skeleton.rest.subarray(10 * targetNode, 10 * targetNode + 3)),
    };
  });
}

/** Plans the scales of bones: stretches relative to the rest, along the axes of the target. */
export function planScales(source: Humanoid, target: Humanoid, bones: readonly number[]): ScalePlan[] {
  return bones.map((bone) => {
    const sourceNode = source.map.nodes[bone];
    const targetNode = target.map.nodes[bone];
    const turn = new Float64Array(4);
    quat.conjugate(turn, 0, source.reference.rotations, 4 * bone);
    quat.multiply(turn, 0, turn, 0, target.reference.rotations, 4 * bone);
    return {
      sourceNode,
      targetNode,
      turn,
      sourceRest: Float64Array.from(source.skeleton.rest.subarray(10 * sourceNode + 7, 10 * sourceNode + 10)),
      targetRest: Float64Array.from(target.skeleton.rest.subarray(10 * targetNode + 7, 10 * targetNode + 10)),
    };
  });
}
