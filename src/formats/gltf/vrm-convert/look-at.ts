/** Look-at and first person: `VRM.firstPerson`, and `lookAt` and `firstPerson` of `VRMC_vrm`. */

import * as mat4 from '../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { modelMatrices } from '../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { type JsonObject, memberAt } from '../document/json-access.ts';
import { isIndex, listOf, numberOf, numbersOf, objectOf, objectsOf, textOf } from '../document/loose-json.ts';
import { STRAIGHT_CURVE } from '../extensions/vrm0-face.ts';
import type { NodeForest } from '../read/read-nodes.ts';
import { clamp, toUnityVector, unityVector } from './vrm-values.ts';

const FIRST_PERSON_0 = '/extensions/VRM/firstPerson';

/** Names of a range map in VRM 1.0 and VRM 0.x. */
const RANGES = [
  ['rangeMapHorizontalInner', 'lookAtHorizontalInner'],
  ['rangeMapHorizontalOuter', 'lookAtHorizontalOuter'],
  ['rangeMapVerticalDown', 'lookAtVerticalDown'],
  ['rangeMapVerticalUp', 'lookAtVerticalUp'],
] as const;

/** Annotations of VRM 1.0; those of VRM 0.x begin with a capital. */
const FLAGS = ['auto', 'both', 'thirdPersonOnly', 'firstPersonOnly'] as const;

/** Expresses a point in the axes of another node. */
export function pointInNode(
  { parents, rest, nodesBySource }: NodeForest,
  point: readonly number[],
  from: number,
  to: number,
): number[] {
  const matrices = modelMatrices(parents, rest);
  const m = new Float64Array(MATRIX_STRIDE);
  if (!mat4.invertAffine(m, 0, matrices, MATRIX_STRIDE * nodesBySource[to])) return [...point];
  if (from >= 0) mat4.multiply(m, 0, m, 0, matrices, MATRIX_STRIDE * nodesBySource[from]);
  return [0, 1, 2].map((c) => m[c] * point[0] + m[4 + c] * point[1] + m[8 + c] * point[2] + m[12 + c]);
}

/**
 * Converts look-at to VRM 1.0. The document is already rotated to face +Z. `issues` receives VRM_CONVERT_FACE for curves, which VRM 1.0 does not
 * have.
 */
export function lookAtToVrm1(firstPerson: JsonObject, forest: NodeForest, head: number, issues: Issue[]): JsonObject {
  const isExpression = textOf(firstPerson, 'lookAtTypeName') === 'BlendShape';
  const lookAt: JsonObject = {};
  const hasOffset = memberAt(firstPerson, 'firstPersonBoneOffset') !== undefined;
  if (hasOffset) {
    const [x, y, z] = unityVector(firstPerson, 'firstPersonBoneOffset', [0, 0.06, 0]);
    // Unity negates z against glTF, the rotation by 180° negates x and z.
    const offset = [0 - x, y, z];
    const bone = memberAt(firstPerson, 'firstPersonBone');
    const isOther = isIndex(bone, forest.parents.length) && bone !== head;
    lookAt['offsetFromHeadBone'] = isOther ? pointInNode(forest, offset, bone, head) : offset;
  }
  lookAt['type'] = isExpression ? 'expression' : 'bone';
  for (const [name, old] of RANGES) {
    const map = objectOf(firstPerson, old);
    const curve = listOf(map, 'curve');
    if (
      curve.length > 0 &&
      (curve.length !== STRAIGHT_CURVE.length || curve.some((value, i) => value !== STRAIGHT_CURVE[i]))
    ) {
      const message = `${old} has a curve, but range maps of VRM 1.0 are straight lines; the curve was left out.`;
      issues.push(issue('VRM_CONVERT_FACE', message, { pointer: `${FIRST_PERSON_0}/${old}/curve` }));
    }
    lookAt[name] = {
      inputMaxValue: clamp(numberOf(map, 'xRange', 90), 0, 180),
      outputScale: numberOf(map, 'yRange', isExpression ? 1 : 10),
    };
  }
  return lookAt;
}

/** Converts first-person annotations to VRM 1.0, where they refer to nodes instead of meshes. */
export function firstPersonToVrm1(
  firstPerson: JsonObject,
  nodesOfMesh: ReadonlyMap<number, readonly number[]>,
): JsonObject {
  const types = new Map<number, string>();
  for (const annotation of objectsOf(firstPerson, 'meshAnnotations')) {
    const flag = textOf(annotation, 'firstPersonFlag').toLowerCase();
    const type = FLAGS.find((name) => name.toLowerCase() === flag) ?? 'auto';
    for (const node of nodesOfMesh.get(numberOf(annotation, 'mesh', -1)) ?? [])
      if (!types.has(node)) types.set(node, type);
  }
  return { meshAnnotations: Array.from(types, ([node, type]) => ({ node, type })) };
}

/**
 * Converts first-person annotations and look-at to VRM 0.x, where annotations refer to meshes instead of nodes. The document already faces −Z, the
 * vectors of the extension do not. `issues` receives VRM_CONVERT_FACE where nodes with one mesh have different annotations.
 */
export function firstPersonToVrm0(
  vrm: JsonObject,
  nodesOfMesh: ReadonlyMap<number, readonly number[]>,
  head: number,
  issues: Issue[],
): JsonObject {
  const annotations = objectsOf(objectOf(vrm, 'firstPerson'), 'meshAnnotations');
  const typeOf = new Map(annotations.map((one) => [memberAt(one, 'node'), textOf(one, 'type')]));
  const meshAnnotations: JsonObject[] = [];
  for (const [mesh, nodes] of nodesOfMesh) {
    const types = new Set(nodes.map((node) => typeOf.get(node)).filter((type) => type !== undefined));
    const [type] = types;
    if (type !== undefined) meshAnnotations.push({ mesh, firstPersonFlag: type.replace(/^./, (a) => a.toUpperCase()) });
    if (types.size < 2) continue;
    const message = `The nodes that show the mesh ${mesh} have different first-person annotations, but VRM 0.x has one per mesh; that of the first node was kept.`;
    issues.push(issue('VRM_CONVERT_FACE', message, { pointer: '/extensions/VRMC_vrm/firstPerson/meshAnnotations' }));
  }
  const lookAt = objectOf(vrm, 'lookAt');
  const isExpression = textOf(lookAt, 'type') === 'expression';
  const offset = numbersOf(lookAt, 'offsetFromHeadBone', [0, 0.06, 0]);
  const ranges = RANGES.map(([name, old]) => {
    const map = objectOf(lookAt, name);
    const yRange = numberOf(map, 'outputScale', isExpression ? 1 : 10);
    return [old, { curve: [...STRAIGHT_CURVE], xRange: numberOf(map, 'inputMaxValue', 90), yRange }] as const;
  });
  return {
    firstPersonBone: head,
    firstPersonBoneOffset: toUnityVector(offset),
    meshAnnotations,
    lookAtTypeName: isExpression ? 'BlendShape' : 'Bone',
    ...Object.fromEntries(ranges),
  };
}
