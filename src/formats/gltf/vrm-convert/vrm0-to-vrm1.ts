import { BONE } from '../../../core/humanoid/bones.ts';
import type { Issue } from '../../../core/report/issue.ts';
import type { GltfDocument } from '../document/document.ts';
import { dropExtension, useExtension } from '../document/extensions-used.ts';
import { arrayAt, indexAt, type JsonObject, objectItem } from '../document/json-access.ts';
import { objectOf } from '../document/loose-json.ts';
import { readVrm0 } from '../extensions/vrm0.ts';
import { readNodes } from '../read/read-nodes.ts';
import { expressionsToVrm1 } from './expressions-to-vrm1.ts';
import { humanoidToVrm1 } from './humanoid-bones.ts';
import { firstPersonToVrm1, lookAtToVrm1 } from './look-at.ts';
import { materialsToVrm1 } from './materials-to-vrm1.ts';
import { metaToVrm1 } from './meta.ts';
import { rotateScene } from './rotate-scene.ts';
import { springsToVrm1 } from './springs-to-vrm1.ts';

export function nodesByMesh(json: JsonObject): Map<number, number[]> {
  const found = new Map<number, number[]>();
  const nodes = arrayAt(json, 'nodes', '');
  nodes.forEach((_, n) => {
    const mesh = indexAt(objectItem(nodes, n, '/nodes'), 'mesh', `/nodes/${n}`, json, 'meshes');
    if (mesh !== undefined) found.set(mesh, [...(found.get(mesh) ?? []), n]);
  });
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
