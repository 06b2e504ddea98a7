import type { FaceRig, MorphNode } from '../../../core/face/face-rig.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import type { Issue } from '../../../core/report/issue.ts';
import type { GltfDocument } from '../document/document.ts';
import { arrayAt, indexAt, isObject, type JsonObject, listItem, memberAt, stringAt } from '../document/json-access.ts';
import { extensionOf, listOf } from '../document/loose-json.ts';
import type { FaceReading } from '../extensions/vrm-face.ts';
import { readVrm0Expressions, readVrm0LookAt } from '../extensions/vrm0-face.ts';
import { readVrm1Expressions, readVrm1LookAt } from '../extensions/vrm1-face.ts';
import { morphTargetCount, morphTargetNames } from '../meshes/morph-target-names.ts';

/** Limit for the morph targets of all nodes: nodes of a malicious file can share a mesh with many of them. */
const MAX_TARGETS = 2_000_000;

/** Default weights of a node or else of its mesh; zeros without any. */
function restWeights(owners: readonly JsonObject[], count: number): Float64Array {
  const weights = listOf(
    owners.find((owner) => Array.isArray(memberAt(owner, 'weights'))),
    'weights',
  );
  return Float64Array.from({ length: count }, (_, i) => (Number.isFinite(weights[i]) ? (weights[i] as number) : 0));
}

/**
 * Reads the nodes with morph targets, the expressions and the look-at of a document. Material and texture bindings of expressions are not read.
 * Reports VRM_FACE for expressions that reference missing nodes, meshes or morph targets; these bindings are dropped. Throws FormatError GLTF_SCHEMA,
 * GLTF_REFERENCE, GLTF_LIMIT.
 */
export function readFace(doc: GltfDocument): { readonly rig: FaceRig; readonly issues: readonly Issue[] } {
  const issues: Issue[] = [];
  return { rig: readFaceRig(doc, issues), issues };
}

function readFaceRig({ json }: GltfDocument, issues: Issue[]): FaceRig {
  const morphNodes = new Map<number, MorphNode>();
  const nodesOfMesh = new Map<number, number[]>();
  let total = 0;
  for (let node = 0; node < arrayAt(json, 'nodes', '').length; node++) {
    const pointer = `/nodes/${node}`;
    const item = listItem(json, 'nodes', node);
    const index = indexAt(item, 'mesh', pointer, json, 'meshes');
    if (index === undefined) continue;
    const mesh = listItem(json, 'meshes', index);
    const count = morphTargetCount(mesh, `/meshes/${index}`);
    if (count === 0) continue;
    total += count;
    if (total > MAX_TARGETS) {
      const message = `The nodes of the file have more than ${MAX_TARGETS} morph targets in total, which is the limit; the file is probably malicious`;
      throw new FormatError('GLTF_LIMIT', message, { pointer });
    }
    const nodes = nodesOfMesh.get(index) ?? [];
    nodesOfMesh.set(index, nodes);
    nodes.push(node);
    morphNodes.set(node, {
      node,
      name: stringAt(item, 'name', pointer) ?? '',
      targetNames: morphTargetNames(mesh, count),
      weights: restWeights([item, mesh], count),
    });
  }
  const reading: FaceReading = { morphNodes, issues };
  const vrm1 = extensionOf(json, 'VRMC_vrm');
  const vrm0 = extensionOf(json, 'VRM');
  const nodes = [...morphNodes.values()];
  if (isObject(vrm1)) {
    return { morphNodes: nodes, expressions: readVrm1Expressions(vrm1, reading), lookAt: readVrm1LookAt(vrm1) };
  }
  if (isObject(vrm0)) {
    const expressions = readVrm0Expressions(vrm0, nodesOfMesh, reading);
    return { morphNodes: nodes, expressions, lookAt: readVrm0LookAt(vrm0) };
  }
  return { morphNodes: nodes, expressions: [], lookAt: null };
}
