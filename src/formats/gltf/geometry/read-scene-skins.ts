/** Skins as meshes use them: every joint in its place, also twice. glTF 2.0 section 3.7.3. */
import type { Skin } from '../../../core/asset/geometry.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { accessorInfo, readFloats } from '../accessor.ts';
import { spendBytes } from '../limits.ts';
import type { SceneNodes } from '../scene-nodes.ts';
import { arrayAt, indexAt, indicesAt, type JsonObject, objectItem, stringAt } from '../schema.ts';
import { accessorError } from '../stored-elements.ts';
import { note } from './geometry-findings.ts';
import { finiteFloats, type GeometryReading } from './geometry-reading.ts';

/**
 * Skins with at least one joint whose joints are all among the nodes, in the order of the file, and their places by
 * their index there. Joints without an inverse bind matrix have identity (section 3.7.3.1). Errors as with `readAccessor`.
 */
export function readSceneSkins(
  reading: GeometryReading,
  { places: nodePlaces }: SceneNodes,
): { skins: Skin[]; places: Map<number, number> } {
  const { json } = reading.doc;
  const list = arrayAt(json, 'skins', '');
  const skins: Skin[] = [];
  const places = new Map<number, number>();
  for (let index = 0; index < list.length; index++) {
    const pointer = `/skins/${index}`;
    const skin = objectItem(list, index, '/skins');
    const nodes = indicesAt(skin, 'joints', pointer, json, 'nodes');
    if (nodes.length === 0 || nodes.some((node) => nodePlaces[node] < 0)) continue;
    places.set(index, skins.length);
    skins.push({
      name: stringAt(skin, 'name', pointer) ?? '',
      joints: Int32Array.from(nodes, (node) => nodePlaces[node]),
      inverseBindMatrices: readInverseBind(reading, skin, pointer, nodes.length),
    });
  }
  return { skins, places };
}

function readInverseBind(
  reading: GeometryReading,
  skin: JsonObject,
  pointer: string,
  jointCount: number,
): Float32Array {
  const { doc } = reading;
  const index = indexAt(skin, 'inverseBindMatrices', pointer, doc.json, 'accessors');
  const size = jointCount * MATRIX_STRIDE;
  let given = new Float32Array(0);
  if (index !== undefined) {
    const where = `/accessors/${index}`;
    const { type } = accessorInfo(doc, index);
    if (type !== 'MAT4') throw accessorError(`it has inverse bind matrices of type ${type}, expected MAT4`, where);
    given = finiteFloats(reading, readFloats(doc, index), where) as Float32Array<ArrayBuffer>;
    if (given.length >= size) return given.subarray(0, size);
    note(reading.findings, 'matrix', '', pointer);
  }
  spendBytes(doc, 4 * size, pointer);
  const matrices = new Float32Array(size);
  matrices.set(given);
  for (let i = given.length; i < size; i++) matrices[i] = (i % MATRIX_STRIDE) % 5 === 0 ? 1 : 0;
  return matrices;
}
