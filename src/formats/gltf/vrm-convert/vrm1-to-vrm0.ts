import { BONE, BONE_COUNT, BONES } from '../../../core/humanoid/bones.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import * as quat from '../../../core/math/quat.ts';
import { isIdentityRotation } from '../../../core/normalize/canonical-rotations.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { modelMatrices } from '../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { GltfDocument } from '../document/document.ts';
import { dropExtension, useExtension } from '../document/extensions-used.ts';
import { arrayAt, isObject, type JsonObject, listItem, memberAt } from '../document/json-access.ts';
import { objectOf, textOf } from '../document/loose-json.ts';
import { dropSkeletonDefinitions, readSkeletonDefinitions } from '../extensions/ext-skeleton-humanoid.ts';
import { readVrm1 } from '../extensions/vrm1.ts';
import { normalizeDocument } from '../normalize/normalize-document.ts';
import { readNodes } from '../read/read-nodes.ts';
import { expressionsToVrm0 } from './expressions-to-vrm0.ts';
import { humanoidToVrm0 } from './humanoid-bones.ts';
import { firstPersonToVrm0 } from './look-at.ts';
import { metaToVrm0 } from './meta-to-vrm0.ts';
import { MTOON } from './mtoon-properties.ts';
import { gltfShaderItem, mtoonToVrm0 } from './mtoon-to-vrm0.ts';
import { rotateScene } from './rotate-scene.ts';
import { springsToVrm0 } from './springs-to-vrm0.ts';
import { nodesByMesh } from './vrm0-to-vrm1.ts';

/**
 * Converts toon materials to MToon 0.x; other materials, also unlit ones, stay those of glTF. `issues` receives VRM_CONVERT_MATERIAL for settings
 * that MToon 0.x does not have.
 */
function materialsToVrm0(json: JsonObject, issues: Issue[]): JsonObject[] {
  const items = arrayAt(json, 'materials', '').map((_, m) => {
    const material = listItem(json, 'materials', m);
    const name = textOf(material, 'name');
    const extensions = objectOf(material, 'extensions');
    if (!isObject(memberAt(extensions, MTOON))) return gltfShaderItem(name);
    const { item, lost } = mtoonToVrm0(material, name);
    delete extensions[MTOON];
    if (Object.keys(extensions).length === 0) delete material['extensions'];
    if (lost.length > 0) {
      const message = `MToon 0.x has no setting for ${lost.join(', ')} of the material ${JSON.stringify(name.slice(0, 40))}; they were left out.`;
      issues.push(issue('VRM_CONVERT_MATERIAL', message, { pointer: `/materials/${m}` }));
    }
    return item;
  });
  dropExtension(json, MTOON);
  return items;
}

/** Sine of half the angle below which a rotation is a rounding error. */
const MAX_SINE = 1e-5;

const CONSTRAINT = 'VRMC_node_constraint';
const SPRING_EXTENSIONS = ['VRMC_springBone', 'VRMC_springBone_extended_collider', 'VRMC_springBone_limit'] as const;

function dropConstraints(json: JsonObject, issues: Issue[]): void {
  const found: number[] = [];
  arrayAt(json, 'nodes', '').forEach((node, n) => {
    const extensions = objectOf(node, 'extensions');
    if (!isObject(node) || memberAt(extensions, CONSTRAINT) === undefined) return;
    found.push(n);
    delete extensions[CONSTRAINT];
    if (Object.keys(extensions).length === 0) delete node['extensions'];
  });
  if (found.length === 0) return;
  dropExtension(json, CONSTRAINT);
  const message = `VRM 0.x has no node constraints; those of ${found.length} nodes were left out.`;
  issues.push(issue('VRM_CONVERT_NODE', message, { pointer: `/nodes/${found[0]}/extensions/${CONSTRAINT}` }));
}

/** Reports bones whose rotation makes up for that of a node above them. */
function reportRotated(doc: GltfDocument, bones: Int32Array, issues: Issue[]): void {
  const { rest, nodesBySource } = readNodes(doc, []);
  const rotated = bones.filter((node) => {
    const at = POSE_STRIDE * nodesBySource[node] + PATH_OFFSET.rotation;
    return node >= 0 && Math.hypot(rest[at], rest[at + 1], rest[at + 2]) > MAX_SINE;
  });
  if (rotated.length === 0) return;
  const message = `${rotated.length} bones have the axes of the scene, as VRM 0.x requires, but keep a rotation, because a node above them that is not a bone is rotated.`;
  issues.push(issue('VRM_CONVERT_HUMANOID', message, { pointer: `/nodes/${rotated[0]}/rotation` }));
}

/**
 * Replaces the extensions of VRM 1.0 of a document by `VRM`, gives its bones the axes of the scene, and rotates the scene to face −Z. `issues`
 * receives what could not be converted.
 */
export function vrm1ToVrm0(doc: GltfDocument, meta: JsonObject, issues: Issue[]): boolean {
  const { json } = doc;
  const extensions = objectOf(json, 'extensions');
  const vrm = objectOf(extensions, 'VRMC_vrm');
  const humanoid = readVrm1(vrm, readNodes(doc, []), []);
  if (humanoid === null || humanoid.nodes[BONE.head] < 0) return false;
  dropConstraints(json, issues);
  const bones = alignBoneAxes(doc, humanoid.nodes, issues);
  reportRotated(doc, bones, issues);
  rotateScene(doc, issues);
  // Materials get their names here.
  const blendShapeMaster = expressionsToVrm0(vrm, json, issues);
  const old = {
    exporterVersion: 'anyrig',
    specVersion: '0.0',
    meta: metaToVrm0({ ...objectOf(vrm, 'meta'), ...meta }, json, issues),
    humanoid: humanoidToVrm0(bones, issues),
    firstPerson: firstPersonToVrm0(vrm, nodesByMesh(json), bones[BONE.head], issues),
    blendShapeMaster,
    secondaryAnimation: springsToVrm0(objectOf(extensions, 'VRMC_springBone'), json, issues),
    materialProperties: materialsToVrm0(json, issues),
  };
  delete extensions['VRMC_vrm'];
  delete extensions['VRMC_springBone'];
  for (const name of ['VRMC_vrm', ...SPRING_EXTENSIONS]) dropExtension(json, name);
  extensions['VRM'] = old;
  useExtension(json, 'VRM');
  return true;
}

/**
 * Rotates the axes of all bones to those of the scene: bones of VRM 0.x have no rotations in the rest pose. Positions, meshes, clips and the vectors
 * of spring bones keep their meaning. A bone that carries a mesh becomes the child of a new node, which is the bone from then on. Returns the bones
 * of the edited document.
 */
function alignBoneAxes(doc: GltfDocument, bones: Int32Array, issues: Issue[]): Int32Array {
  const forest = readNodes(doc, []);
  const matrices = modelMatrices(forest.parents, forest.rest);
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
    modelSpace: mat4.createIdentity(),
    requiresRoot: false,
  };
  const { definition } = normalizeDocument(doc, request, issues);
  if (!wasDefined) dropSkeletonDefinitions(doc.json);
  return Int32Array.from(BONES, (bone) => definition.bones[bone] ?? -1);
}
