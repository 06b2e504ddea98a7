/** The face of a character: morph targets of its nodes, the expressions and the gaze of a VRM. */
import type { FaceRig, MorphNode } from '../../core/face/face-rig.ts';
import { FormatError } from '../../core/report/format-error.ts';
import type { Issue } from '../../core/report/issue.ts';
import type { GltfDocument } from './document.ts';
import type { FaceReading } from './extensions/vrm-face.ts';
import { readVrm0Expressions, readVrm0Gaze } from './extensions/vrm0-face.ts';
import { readVrm1Expressions, readVrm1Gaze } from './extensions/vrm1-face.ts';
import { morphTargetCount, morphTargetNames } from './geometry/morph-names.ts';
import { arrayAt, indexAt, isObject, type JsonObject, listItem, memberAt, stringAt } from './schema.ts';

/** Nodes with morph targets times their targets: more is an attack. */
const MAX_TARGETS = 2_000_000;

/** Weights of a node or mesh where nothing animates them; zeros where it says nothing. */
function restWeights(owners: readonly JsonObject[], count: number): Float64Array {
  const list = owners.map((owner) => memberAt(owner, 'weights')).find((weights) => Array.isArray(weights));
  const weights: readonly unknown[] = Array.isArray(list) ? list : [];
  return Float64Array.from({ length: count }, (_, i) => (Number.isFinite(weights[i]) ? (weights[i] as number) : 0));
}

/**
 * Nodes with morph targets, expressions and gaze of a document. What of a VRM points to nothing is left out and reported as VRM_FACE.
 * Binds to colors and textures are not read. FormatError GLTF_SCHEMA, GLTF_REFERENCE, GLTF_LIMIT.
 */
export function readFace({ json }: GltfDocument, issues: Issue[]): FaceRig {
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
      const message = `The nodes of the file have more than ${MAX_TARGETS} morph targets in all`;
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
  const extensions = memberAt(json, 'extensions');
  const vrm1 = isObject(extensions) ? memberAt(extensions, 'VRMC_vrm') : undefined;
  const vrm0 = isObject(extensions) ? memberAt(extensions, 'VRM') : undefined;
  const nodes = [...morphNodes.values()];
  if (isObject(vrm1)) {
    return { morphNodes: nodes, expressions: readVrm1Expressions(vrm1, reading), gaze: readVrm1Gaze(vrm1) };
  }
  if (isObject(vrm0)) {
    const expressions = readVrm0Expressions(vrm0, nodesOfMesh, reading);
    return { morphNodes: nodes, expressions, gaze: readVrm0Gaze(vrm0) };
  }
  return { morphNodes: nodes, expressions: [], gaze: null };
}
