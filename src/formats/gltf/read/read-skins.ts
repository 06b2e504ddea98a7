/** Reads the skins of a document: joints and inverse bind matrices. glTF 2.0 section 3.7.3. */
import { FormatError } from '../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { accessorInfo, readFloats } from '../accessors/accessor.ts';
import type { GltfDocument } from '../document/document.ts';
import {
  arrayAt,
  indexAt,
  indicesAt,
  type JsonObject,
  objectItem,
  objectsAt,
  stringAt,
} from '../document/json-access.ts';
import type { NodeForest } from './read-nodes.ts';

export interface FileSkin {
  readonly index: number;
  /** Name; empty without a name. */
  readonly name: string;
  /** Joints as nodes of the forest, without repetitions. */
  readonly joints: Int32Array;
  /** {@link MATRIX_STRIDE} floats per joint; damaged files have matrices for the first joints only. Null without matrices. */
  readonly inverseBind: Float64Array | null;
  /** Nodes of the forest whose mesh the skin deforms. */
  readonly meshNodes: readonly number[];
}

/**
 * Reads all skins with at least one joint. `issues` receives GLTF_SKIN for skins without joints, repeated joints, missing inverse bind matrices and
 * joints without a common root. Throws FormatError GLTF_SCHEMA, GLTF_REFERENCE, GLTF_ACCESSOR; errors of `readAccessor`.
 */
export function readSkins(doc: GltfDocument, forest: NodeForest, issues: Issue[]): FileSkin[] {
  const meshNodes = meshNodesOfSkins(doc, forest, arrayAt(doc.json, 'skins', '').length);
  const skins: FileSkin[] = [];
  const seen = new Int32Array(forest.parents.length).fill(-1);
  for (const { json: skin, pointer, index } of objectsAt(doc.json, 'skins', '')) {
    const sourceJoints = indicesAt(skin, 'joints', pointer, doc.json, 'nodes');
    const name = stringAt(skin, 'name', pointer) ?? '';
    const report = (message: string): void => {
      issues.push(issue('GLTF_SKIN', `Skin ${index}${name === '' ? '' : ` (${name})`} ${message}`, { pointer }));
    };
    if (sourceJoints.length === 0) {
      report('has no joints; it was ignored');
      continue;
    }
    const matrices = readInverseBind(doc, skin, pointer);
    // A skin that deforms nothing only makes joints of nodes.
    if (matrices === null && meshNodes[index].length > 0)
      report('has no inverse bind matrices and therefore no bind pose; the rest pose of the nodes was used');
    const matrixCount = matrices === null ? 0 : matrices.length / MATRIX_STRIDE;
    if (matrices !== null && matrixCount < sourceJoints.length) {
      report(
        `has only ${matrixCount} inverse bind matrices for ${sourceJoints.length} joints; the other joints use their rest pose`,
      );
    }
    // The first occurrence of a repeated joint counts.
    const kept: number[] = [];
    sourceJoints.forEach((sourceNode, i) => {
      const node = forest.nodesBySource[sourceNode];
      if (seen[node] === index) return;
      seen[node] = index;
      kept.push(i);
    });
    const repeated = sourceJoints.length - kept.length;
    if (repeated > 0)
      report(
        `lists joints more than once; ${repeated === 1 ? 'one repetition was' : `${repeated} repetitions were`} ignored`,
      );
    const joints = Int32Array.from(kept, (i) => forest.nodesBySource[sourceJoints[i]]);
    if (!haveCommonRoot(forest, joints))
      report('has joints in several node trees, but they should have a common root node');
    const bound = kept.filter((i) => i < matrixCount);
    const inverseBind = matrices === null ? null : new Float64Array(bound.length * MATRIX_STRIDE);
    bound.forEach((i, joint) => {
      const from = i * MATRIX_STRIDE;
      inverseBind?.set((matrices as Float32Array).subarray(from, from + MATRIX_STRIDE), joint * MATRIX_STRIDE);
    });
    skins.push({ index, name, joints, inverseBind, meshNodes: meshNodes[index] });
  }
  return skins;
}

/** Column-major matrices; null when the skin has none. */
function readInverseBind(doc: GltfDocument, skin: JsonObject, pointer: string): Float32Array | null {
  const accessor = indexAt(skin, 'inverseBindMatrices', pointer, doc.json, 'accessors');
  if (accessor === undefined) return null;
  const { type } = accessorInfo(doc, accessor);
  if (type === 'MAT4') return readFloats(doc, accessor);
  const message = `${pointer}/inverseBindMatrices refers to an accessor of type ${type}, expected MAT4`;
  throw new FormatError('GLTF_ACCESSOR', message, { pointer: `${pointer}/inverseBindMatrices` });
}

function haveCommonRoot({ parents }: NodeForest, joints: Int32Array): boolean {
  // Trees are contiguous in the forest: if the first and the last joint are in one tree, all joints are.
  let first = joints[0];
  let last = joints[0];
  for (const joint of joints) {
    first = Math.min(first, joint);
    last = Math.max(last, joint);
  }
  while (parents[first] >= 0) first = parents[first];
  while (parents[last] >= 0) last = parents[last];
  return first === last;
}

function meshNodesOfSkins(doc: GltfDocument, forest: NodeForest, skinCount: number): number[][] {
  const meshNodes: number[][] = Array.from({ length: skinCount }, () => []);
  const nodes = arrayAt(doc.json, 'nodes', '');
  for (let node = 0; node < forest.parents.length; node++) {
    const source = forest.sourceNodes[node];
    const skin = indexAt(objectItem(nodes, source, '/nodes'), 'skin', `/nodes/${source}`, doc.json, 'skins');
    if (skin !== undefined) meshNodes[skin].push(node);
  }
  return meshNodes;
}
