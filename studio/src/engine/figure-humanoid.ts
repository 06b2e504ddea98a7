import type { Humanoid } from 'anyrig';
import type { FoundHumanoid } from 'anyrig/files';
import { BONE, BONES } from '../../../src/core/humanoid/bones.ts';
import * as mat4 from '../../../src/core/math/mat4.ts';
import * as quat from '../../../src/core/math/quat.ts';
import * as vec3 from '../../../src/core/math/vec3.ts';
import { modelMatrices } from '../../../src/core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import { reportHumanoid } from '../../../src/files/reports/humanoid-report.ts';
import type { FigureHumanoid, NodeRotation } from './protocol.ts';

const ROTATION_OFFSET = 3;
const STRIDE = 10;

/** Computes local rotations that put a skeleton into the reference pose of its humanoid. Nodes that are no bones keep their rest rotation. */
export function referenceRotations(humanoid: Humanoid, sourceNodes: Int32Array): NodeRotation[] {
  const { skeleton, map, reference, frame } = humanoid;
  const count = skeleton.parents.length;
  const boneOf = new Int32Array(count).fill(-1);
  for (let bone = 0; bone < BONES.length; bone++) if (map.nodes[bone] >= 0) boneOf[map.nodes[bone]] = bone;
  const toFile = quat.conjugated(frame);
  // Model space of the file, xyzw per node.
  const model = new Float64Array(4 * count);
  const local = new Float64Array(4);
  const parentInverse = new Float64Array(4);
  const rotations: NodeRotation[] = [];
  for (let node = 0; node < count; node++) {
    const parent = skeleton.parents[node];
    const bone = boneOf[node];
    if (bone < 0) {
      const rest = node * STRIDE + ROTATION_OFFSET;
      if (parent < 0) for (let axis = 0; axis < 4; axis++) model[4 * node + axis] = skeleton.rest[rest + axis];
      else quat.multiply(model, 4 * node, model, 4 * parent, skeleton.rest, rest);
      continue;
    }
    quat.multiply(model, 4 * node, toFile, 0, reference.rotations, 4 * bone);
    if (parent < 0) local.set(model.subarray(4 * node, 4 * node + 4));
    else {
      quat.conjugate(parentInverse, 0, model, 4 * parent);
      quat.multiply(local, 0, parentInverse, 0, model, 4 * node);
    }
    if (sourceNodes[node] >= 0)
      rotations.push({ node: sourceNodes[node], rotation: [local[0], local[1], local[2], local[3]] });
  }
  return rotations;
}

/** Computes the local translation of the hips in the reference pose. Nodes above the hips are at rest. */
function hipsTranslation({ skeleton, map, reference, frame, metersPerUnit }: Humanoid): [number, number, number] {
  const { parents } = skeleton;
  const hips = map.nodes[BONE.hips];
  const toFile = quat.conjugated(frame);
  const point = new Float64Array(3);
  vec3.rotate(point, 0, toFile, 0, reference.positions, 3 * BONE.hips);
  for (let axis = 0; axis < 3; axis++) point[axis] /= metersPerUnit;
  const parent = parents[hips];
  if (parent >= 0) {
    const matrices = modelMatrices(parents, skeleton.rest);
    mat4.invertAffine(matrices, 0, matrices, MATRIX_STRIDE * parent);
    mat4.transformPoint(point, 0, matrices, 0, point, 0);
  }
  return [point[0], point[1], point[2]];
}

/** Describes a humanoid for the stage. Returns placement, reference pose and its quality. */
export function figureHumanoid({ humanoid, part, index }: FoundHumanoid): FigureHumanoid {
  const { frame, referencePose } = reportHumanoid(humanoid, part, index);
  return {
    frame,
    metersPerUnit: humanoid.metersPerUnit,
    ground: humanoid.ground,
    hips: part.sourceNodes[humanoid.map.nodes[BONE.hips]],
    rotations: referenceRotations(humanoid, part.sourceNodes),
    hipsTranslation: hipsTranslation(humanoid),
    pose: referencePose,
  };
}
