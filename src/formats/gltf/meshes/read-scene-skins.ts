/** Skins as meshes use them: joints keep their index, repeated joints too. glTF 2.0 section 3.7.3. */
import type { Skin } from '../../../core/asset/geometry.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { accessorInfo, readFloats } from '../accessors/accessor.ts';
import { accessorError } from '../accessors/stored-elements.ts';
import { spendBytes } from '../document/decode-budget.ts';
import { arrayAt, indexAt, indicesAt, type JsonObject, objectItem, stringAt } from '../document/json-access.ts';
import type { SceneNodes } from '../read/read-scene.ts';
import { countIssue } from './geometry-issues.ts';
import { finiteFloats, type GeometryReader } from './geometry-reader.ts';

/**
 * Reads the skins whose joints are all nodes of the scene; skins without joints are left out. Missing inverse bind
 * matrices are the identity (section 3.7.3.1).
 */
export function readSceneSkins(
  reader: GeometryReader,
  { nodesBySource: sceneNodes }: SceneNodes,
): { skins: Skin[]; indices: Map<number, number> } {
  const { json } = reader.doc;
  const list = arrayAt(json, 'skins', '');
  const skins: Skin[] = [];
  const indices = new Map<number, number>();
  for (let index = 0; index < list.length; index++) {
    const pointer = `/skins/${index}`;
    const skin = objectItem(list, index, '/skins');
    const nodes = indicesAt(skin, 'joints', pointer, json, 'nodes');
    if (nodes.length === 0 || nodes.some((node) => sceneNodes[node] < 0)) continue;
    indices.set(index, skins.length);
    skins.push({
      name: stringAt(skin, 'name', pointer) ?? '',
      joints: Int32Array.from(nodes, (node) => sceneNodes[node]),
      inverseBindMatrices: readInverseBind(reader, skin, pointer, nodes.length),
    });
  }
  return { skins, indices };
}

function readInverseBind(reader: GeometryReader, skin: JsonObject, pointer: string, jointCount: number): Float32Array {
  const { doc } = reader;
  const index = indexAt(skin, 'inverseBindMatrices', pointer, doc.json, 'accessors');
  const size = jointCount * MATRIX_STRIDE;
  let stored = new Float32Array(0);
  if (index !== undefined) {
    const where = `/accessors/${index}`;
    const { type } = accessorInfo(doc, index);
    if (type !== 'MAT4') throw accessorError(`its type is ${type}, expected MAT4 for inverse bind matrices`, where);
    stored = finiteFloats(reader, readFloats(doc, index), where) as Float32Array<ArrayBuffer>;
    if (stored.length >= size) return stored.subarray(0, size);
    countIssue(reader.issueCounts, 'matrix', '', pointer);
  }
  spendBytes(doc, 4 * size, pointer);
  const matrices = new Float32Array(size);
  matrices.set(stored);
  for (let i = stored.length; i < size; i++) matrices[i] = (i % MATRIX_STRIDE) % 5 === 0 ? 1 : 0;
  return matrices;
}
