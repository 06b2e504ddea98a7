/** Gives the bones of a VRM 1.0 the axes of the scene: bones of VRM 0.x have no rotations in the rest pose. */
import { BONE_COUNT, BONES } from '../../../core/humanoid/bones.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import * as quat from '../../../core/math/quat.ts';
import { isIdentityRotation } from '../../../core/normalize/canonical-rotations.ts';
import type { Issue } from '../../../core/report/issue.ts';
import { localToModelMatrices } from '../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { GltfDocument } from '../document/document.ts';
import { dropSkeletonDefinitions, readSkeletonDefinitions } from '../extensions/ext-skeleton-humanoid.ts';
import { normalizeDocument } from '../normalize/normalize-document.ts';
import { readNodes } from '../read/read-nodes.ts';

const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

/**
 * Rotates the axes of all bones to those of the scene. Positions, meshes, clips and the vectors of spring bones keep their meaning. A bone that
 * carries a mesh becomes the child of a new node, which is the bone from then on. Returns the bones of the edited document.
 */
export function alignBoneAxes(doc: GltfDocument, bones: Int32Array, issues: Issue[]): Int32Array {
  const forest = readNodes(doc, []);
  const matrices = new Float64Array(MATRIX_STRIDE * forest.parents.length);
  localToModelMatrices(matrices, forest.parents, forest.rest);
  const axesRotations = new Float64Array(4 * BONE_COUNT);
  const world = new Float64Array(POSE_STRIDE);
  let isAligned = true;
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    quat.identity(axesRotations, 4 * bone);
    if (bones[bone] < 0) continue;
    mat4.decompose(world, 0, matrices, MATRIX_STRIDE * forest.nodesBySource[bones[bone]]);
    if (isIdentityRotation(world, PATH_OFFSET.rotation)) continue;
    quat.conjugate(axesRotations, 4 * bone, world, PATH_OFFSET.rotation);
    isAligned = false;
  }
  if (isAligned) return bones;
  const wasDefined = readSkeletonDefinitions(doc).definitions.length > 0;
  const request = {
    bones,
    sourceNodes: forest.sourceNodes,
    bind: matrices,
    shared: new Set<number>(),
    axesRotations,
    pose: null,
    space: null,
    rootSpace: null,
    modelSpace: IDENTITY,
    requiresRoot: false,
  };
  const { definition } = normalizeDocument(doc, request, issues);
  if (!wasDefined) dropSkeletonDefinitions(doc.json);
  return Int32Array.from(BONES, (bone) => definition.bones[bone] ?? -1);
}
