import { BONE } from '../../../core/humanoid/bones.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { GltfDocument } from '../document/document.ts';
import { dropExtension, useExtension } from '../document/extensions-used.ts';
import { arrayAt, indexAt, type JsonObject, listItem, objectsAt } from '../document/json-access.ts';
import { objectOf, objectsOf, textOf } from '../document/loose-json.ts';
import { readVrm0 } from '../extensions/vrm0.ts';
import { readNodes } from '../read/read-nodes.ts';
import { expressionsToVrm1 } from './expressions-to-vrm1.ts';
import { humanoidToVrm1 } from './humanoid-bones.ts';
import { firstPersonToVrm1, lookAtToVrm1 } from './look-at.ts';
import { metaToVrm1 } from './meta.ts';
import { BLEND_MODE, EMISSIVE_STRENGTH, MTOON, MTOON_SHADER, TEXTURE_TRANSFORM, UNLIT } from './mtoon-properties.ts';
import { blendModeOf, mtoonToVrm1, queueOf, unlitToVrm1, unlitZWriteToVrm1 } from './mtoon-to-vrm1.ts';
import { rotateScene } from './rotate-scene.ts';
import { springsToVrm1 } from './springs-to-vrm1.ts';

const UNLIT_Z_WRITE = 'VRM/UnlitTransparentZWrite';

/** Most steps of the order that MToon 1.0 has. */
const MAX_OFFSET = 9;

/**
 * Ranks the render queues of transparent materials: offsets of MToon 1.0 count from 0 down to −9, and from 0 up to 9 for
 * materials that write depth.
 */
function queueOffsets(items: readonly JsonObject[]): (item: JsonObject) => number {
  const ranks = (mode: number, ascending: boolean): Map<number, number> => {
    const queues = new Set(items.filter((item) => blendModeOf(item) === mode).map(queueOf));
    const sorted = [...queues].sort((a, b) => (ascending ? a - b : b - a));
    return new Map(sorted.map((queue, rank) => [queue, Math.min(rank, MAX_OFFSET)]));
  };
  const transparent = ranks(BLEND_MODE.transparent, false);
  const withZWrite = ranks(BLEND_MODE.transparentWithZWrite, true);
  return (item) => {
    const mode = blendModeOf(item);
    if (mode === BLEND_MODE.transparent) return 0 - (transparent.get(queueOf(item)) ?? 0);
    return mode === BLEND_MODE.transparentWithZWrite ? (withZWrite.get(queueOf(item)) ?? 0) : 0;
  };
}

/**
 * Converts the materials that `VRM.materialProperties` describes. Materials with the shader VRM_USE_GLTFSHADER, or with one that is not known, keep
 * their glTF material. `issues` receives VRM_CONVERT_MATERIAL for settings that MToon 1.0 does not have.
 */
function materialsToVrm1(extension: JsonObject, json: JsonObject, issues: Issue[]): void {
  const items = objectsOf(extension, 'materialProperties').slice(0, arrayAt(json, 'materials', '').length);
  const textureCount = arrayAt(json, 'textures', '').length;
  const shaded = items.filter((item) => [MTOON_SHADER, UNLIT_Z_WRITE].includes(textOf(item, 'shader')));
  const offsetOf = queueOffsets(shaded);
  items.forEach((item, m) => {
    const material = listItem(json, 'materials', m);
    const shader = textOf(item, 'shader');
    let lost: string[] = [];
    if (shader === MTOON_SHADER) lost = mtoonToVrm1(material, item, offsetOf(item), textureCount);
    else if (shader === UNLIT_Z_WRITE) unlitZWriteToVrm1(material, item, offsetOf(item), textureCount);
    else if (!unlitToVrm1(material, item, textureCount)) return;
    for (const name of [MTOON, UNLIT, EMISSIVE_STRENGTH])
      if (objectOf(material, 'extensions')[name] !== undefined) useExtension(json, name);
    if (JSON.stringify(material).includes(`"${TEXTURE_TRANSFORM}"`)) useExtension(json, TEXTURE_TRANSFORM);
    if (lost.length === 0) return;
    const message = `MToon 1.0 has no setting for ${lost.join(', ')} of the material ${JSON.stringify(textOf(item, 'name').slice(0, 40))}; they were left out.`;
    issues.push(issue('VRM_CONVERT_MATERIAL', message, { pointer: `/extensions/VRM/materialProperties/${m}` }));
  });
}

export function nodesByMesh(json: JsonObject): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const { json: node, pointer, index } of objectsAt(json, 'nodes', '')) {
    const mesh = indexAt(node, 'mesh', pointer, json, 'meshes');
    if (mesh !== undefined) found.set(mesh, [...(found.get(mesh) ?? []), index]);
  }
  return found;
}

/**
 * Replaces the extension `VRM` of a document by those of VRM 1.0, and rotates the scene to face +Z. `doc`: the document to edit; discard it where
 * null is returned. `issues` receives what could not be converted.
 */
export function vrm0ToVrm1(doc: GltfDocument, meta: JsonObject, issues: Issue[]): boolean {
  const { json } = doc;
  const extensions = objectOf(json, 'extensions');
  const old = objectOf(extensions, 'VRM');
  const humanoid = readVrm0(old, readNodes(doc, []), []);
  const head = humanoid?.nodes[BONE.head] ?? -1;
  if (humanoid === null || head < 0) return false;
  rotateScene(doc, issues);
  const forest = readNodes(doc, []);
  const nodesOfMesh = nodesByMesh(json);
  const firstPerson = objectOf(old, 'firstPerson');
  const expressions = expressionsToVrm1(old, json, nodesOfMesh, issues);
  const vrm = {
    specVersion: '1.0',
    meta: metaToVrm1(objectOf(old, 'meta'), meta, json, issues),
    humanoid: humanoidToVrm1(humanoid.nodes, issues),
    firstPerson: firstPersonToVrm1(firstPerson, nodesOfMesh),
    lookAt: lookAtToVrm1(firstPerson, forest, head, issues),
    expressions,
  };
  materialsToVrm1(old, json, issues);
  const springs = springsToVrm1(old, json, issues);
  delete extensions['VRM'];
  dropExtension(json, 'VRM');
  extensions['VRMC_vrm'] = vrm;
  useExtension(json, 'VRMC_vrm');
  if (springs !== null) {
    extensions['VRMC_springBone'] = springs;
    useExtension(json, 'VRMC_springBone');
  }
  json['extensions'] = extensions;
  return true;
}
