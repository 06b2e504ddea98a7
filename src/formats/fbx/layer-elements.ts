/** Layer elements of FBX meshes: normals, tangents, uvs, colors and materials, by corner, control point, polygon or mesh. */

import type { CornerValues } from '../../core/asset/corner-values.ts';
import type { GeometryBudget } from '../../core/asset/geometry-budget.ts';
import { FLOAT32_MAX } from '../../core/math/floats.ts';
import { countIn, type FbxPolygons, integersIn, type MeshFaults, noteMeshFault, numbersIn } from './read-polygons.ts';
import { numberOf, recordIn, textOf } from './records.ts';
import type { FbxRecord } from './tree.ts';

/** A layer of values at corners. */
export interface LayerElement extends CornerValues {
  readonly name: string;
}

/** Where the numbers of a kind of layer element stand. */
interface ElementKind {
  readonly record: string;
  readonly values: string;
  readonly indices: string;
  readonly width: number;
}

export const NORMALS: ElementKind = {
  record: 'LayerElementNormal',
  values: 'Normals',
  indices: 'NormalsIndex',
  width: 3,
};
export const TANGENTS: ElementKind = {
  record: 'LayerElementTangent',
  values: 'Tangents',
  indices: 'TangentsIndex',
  width: 3,
};
export const BINORMALS: ElementKind = {
  record: 'LayerElementBinormal',
  values: 'Binormals',
  indices: 'BinormalsIndex',
  width: 3,
};
export const UVS: ElementKind = { record: 'LayerElementUV', values: 'UV', indices: 'UVIndex', width: 2 };
export const COLORS: ElementKind = { record: 'LayerElementColor', values: 'Colors', indices: 'ColorIndex', width: 4 };

/** The layer elements of a kind, by their numbers. Those that are empty or mapped in a way that means nothing are left out. */
export function layerElements(
  { records }: FbxRecord,
  kind: ElementKind,
  polygons: FbxPolygons,
  faults: MeshFaults,
  budget: GeometryBudget,
  most: number,
): LayerElement[] {
  const found = records.filter(({ name }) => name === kind.record);
  found.sort((a, b) => (numberOf(a.properties[0]) ?? 0) - (numberOf(b.properties[0]) ?? 0));
  noteMeshFault(
    faults,
    `layer elements ${kind.record} are more than are read; they were left out`,
    found.length - most,
  );
  return found.slice(0, most).flatMap((record) => readElement(record, kind, polygons, faults, budget) ?? []);
}

function readElement(
  element: FbxRecord,
  { record, values: valuesName, indices: indicesName, width }: ElementKind,
  polygons: FbxPolygons,
  faults: MeshFaults,
  budget: GeometryBudget,
): LayerElement | null {
  budget.take(countIn(element.records, valuesName) + countIn(element.records, indicesName) + polygons.corners.length);
  const numbers = numbersIn(element.records, valuesName);
  const count = Math.floor(numbers.length / width);
  if (count === 0) return null;
  const keys = keysOf(element, polygons);
  if (keys === null) {
    noteMeshFault(faults, `layer elements ${record} are mapped in a way that is not read; they were left out`, 1);
    return null;
  }
  const values = new Float32Array(count * width);
  let broken = 0;
  for (let i = 0; i < values.length; i++) {
    // Minus zero would count as another value.
    if (Math.abs(numbers[i]) <= FLOAT32_MAX) values[i] = numbers[i] + 0;
    else broken++;
  }
  noteMeshFault(faults, `numbers of ${record} are not finite; they were set to 0`, broken);
  const table = isDirect(element) ? null : integersIn(element.records, indicesName);
  let strays = 0;
  for (let corner = 0; corner < keys.length; corner++) {
    const key = keys[corner];
    if (key < 0) continue;
    // Some write IndexToDirect and no indices.
    const index = table === null || table.length === 0 ? key : key < table.length ? table[key] : -2;
    const isThere = index >= 0 && index < count;
    keys[corner] = isThere ? index : -1;
    // −1 is how files say that a corner has none.
    if (!isThere && index !== -1) strays++;
  }
  noteMeshFault(faults, `corners have no value of ${record} although one is due`, strays);
  const name = textOf(recordIn(element.records, 'Name')?.properties[0]) ?? '';
  return { name, width, values, indices: keys };
}

function isDirect({ records }: FbxRecord): boolean {
  return textOf(recordIn(records, 'ReferenceInformationType')?.properties[0]) === 'Direct';
}

/** What the values go by, for every corner: the number of the corner, control point or polygon, or 0; null where unknown. */
function keysOf({ records }: FbxRecord, { corners, starts }: FbxPolygons): Int32Array | null {
  switch (textOf(recordIn(records, 'MappingInformationType')?.properties[0])) {
    case 'ByPolygonVertex':
      return Int32Array.from(corners.keys());
    case 'ByVertex':
    case 'ByVertice':
      return corners.slice();
    case 'ByPolygon': {
      const keys = new Int32Array(corners.length).fill(-1);
      for (let polygon = 0; polygon + 1 < starts.length; polygon++) {
        keys.fill(polygon, starts[polygon], starts[polygon + 1]);
      }
      return keys;
    }
    case 'AllSame':
      return new Int32Array(corners.length);
    default:
      return null;
  }
}

/** Which material of its Model every polygon has, as the first `LayerElementMaterial` says; 0 where it says nothing. */
export function polygonMaterials({ records }: FbxRecord, { starts }: FbxPolygons): Int32Array {
  const out = new Int32Array(starts.length - 1);
  const element = recordIn(records, 'LayerElementMaterial');
  if (element === undefined) return out;
  // Always indices, whatever the reference says.
  const written = integersIn(element.records, 'Materials');
  const mapping = textOf(recordIn(element.records, 'MappingInformationType')?.properties[0]);
  if (mapping === 'ByPolygon') out.set(written.subarray(0, out.length));
  else if (written.length > 0) out.fill(written[0]);
  return out;
}
