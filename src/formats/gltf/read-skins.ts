/** Skins of a document: joints and inverse bind matrices. glTF 2.0 section 3.7.3. */
import { FormatError } from '../../core/report/format-error.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { MATRIX_STRIDE } from '../../core/skeleton/skeleton.ts';
import { accessorInfo, readFloats } from './accessor.ts';
import type { GltfDocument } from './document.ts';
import type { NodeForest } from './read-nodes.ts';
import { arrayAt, indexAt, indicesAt, type JsonObject, objectItem, stringAt } from './schema.ts';

/** A skin with its joints as places of the node forest. */
export interface FileSkin {
  /** Index in the file. */
  readonly index: number;
  readonly name: string;
  /** Places of the joints, each once. */
  readonly joints: Int32Array;
  /** {@link MATRIX_STRIDE} floats for each of the first joints, for all but in damaged files. Null without matrices. */
  readonly inverseBind: Float64Array | null;
  /** Places of the nodes whose mesh the skin deforms. */
  readonly meshPlaces: readonly number[];
}

/**
 * All skins with at least one joint. Odd ones are reported as GLTF_SKIN: no joints, a joint twice, no inverse bind
 * matrices or too few, no common root. FormatError GLTF_SCHEMA, GLTF_REFERENCE, GLTF_ACCESSOR and those of `readAccessor`.
 */
export function readSkins(doc: GltfDocument, forest: NodeForest, issues: Issue[]): FileSkin[] {
  const list = arrayAt(doc.json, 'skins', '');
  const meshPlaces = meshPlacesOfSkins(doc, forest, list.length);
  const skins: FileSkin[] = [];
  const seen = new Int32Array(forest.parents.length).fill(-1);
  for (let index = 0; index < list.length; index++) {
    const pointer = `/skins/${index}`;
    const skin = objectItem(list, index, '/skins');
    const named = indicesAt(skin, 'joints', pointer, doc.json, 'nodes');
    const name = stringAt(skin, 'name', pointer) ?? '';
    const report = (message: string): void => {
      issues.push(issue('GLTF_SKIN', `Skin ${index}${name === '' ? '' : ` (${name})`} ${message}`, { pointer }));
    };
    if (named.length === 0) {
      report('has no joints; it was left out');
      continue;
    }
    const matrices = readInverseBind(doc, skin, pointer);
    if (matrices === null) report('has no inverse bind matrices, so no bind pose; the rest pose of the nodes is used');
    const given = matrices === null ? 0 : matrices.length / MATRIX_STRIDE;
    if (matrices !== null && given < named.length) {
      report(`has ${given} inverse bind matrices for ${named.length} joints; the others take their rest pose`);
    }
    // Of a joint that stands there twice the first one counts.
    const kept: number[] = [];
    named.forEach((node, i) => {
      const place = forest.places[node];
      if (seen[place] === index) return;
      seen[place] = index;
      kept.push(i);
    });
    if (kept.length < named.length) report(`names joints more than once: ${named.length - kept.length} too many`);
    const joints = Int32Array.from(kept, (i) => forest.places[named[i]]);
    if (!haveCommonRoot(forest, joints)) report('has joints in several trees; they should have a common root node');
    const bound = kept.filter((i) => i < given);
    const inverseBind = matrices === null ? null : new Float64Array(bound.length * MATRIX_STRIDE);
    bound.forEach((i, joint) => {
      const from = i * MATRIX_STRIDE;
      inverseBind?.set((matrices as Float32Array).subarray(from, from + MATRIX_STRIDE), joint * MATRIX_STRIDE);
    });
    skins.push({ index, name, joints, inverseBind, meshPlaces: meshPlaces[index] });
  }
  return skins;
}

/** Column-major matrices; null when the skin names none. */
function readInverseBind(doc: GltfDocument, skin: JsonObject, pointer: string): Float32Array | null {
  const accessor = indexAt(skin, 'inverseBindMatrices', pointer, doc.json, 'accessors');
  if (accessor === undefined) return null;
  const { type } = accessorInfo(doc, accessor);
  if (type === 'MAT4') return readFloats(doc, accessor);
  const message = `${pointer}/inverseBindMatrices is an accessor of type ${type}, expected MAT4`;
  throw new FormatError('GLTF_ACCESSOR', message, { pointer: `${pointer}/inverseBindMatrices` });
}

function haveCommonRoot({ parents }: NodeForest, joints: Int32Array): boolean {
  // Trees follow each other, so the first and the last joint are in one tree only when all are.
  let first = joints[0];
  let last = joints[0];
  for (const place of joints) {
    first = Math.min(first, place);
    last = Math.max(last, place);
  }
  while (parents[first] >= 0) first = parents[first];
  while (parents[last] >= 0) last = parents[last];
  return first === last;
}

/** Per skin the places of the nodes that name it. */
function meshPlacesOfSkins(doc: GltfDocument, forest: NodeForest, skinCount: number): number[][] {
  const places: number[][] = Array.from({ length: skinCount }, () => []);
  const nodes = arrayAt(doc.json, 'nodes', '');
  for (let place = 0; place < forest.parents.length; place++) {
    const node = forest.sourceNodes[place];
    const skin = indexAt(objectItem(nodes, node, '/nodes'), 'skin', `/nodes/${node}`, doc.json, 'skins');
    if (skin !== undefined) places[skin].push(place);
  }
  return places;
}
