import type { GeometryBudget } from '../../../core/asset/geometry-budget.ts';
import type { CornerValues, Polygons } from '../../../core/asset/polygons.ts';
import { FLOAT32_MAX } from '../../../core/math/floats.ts';
import { type IssueTally, tallyIssue } from '../../../core/report/issue-tally.ts';
import type { FbxRecord } from '../document/fbx-tree.ts';
import { numberOf, numbersIn, recordIn, textOf } from '../document/records.ts';
import { countIn, integersIn } from './read-polygons.ts';

export interface LayerElement extends CornerValues {
  /** Name of the layer; may be empty. */
  readonly name: string;
}

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

/**
 * Reads the layer elements of one kind, sorted by layer. Empty ones and those with an unsupported mapping are left out. `faults`: counts invalid
 * values and omitted elements.
 */
export function layerElements(
  { records }: FbxRecord,
  kind: ElementKind,
  polygons: Polygons,
  faults: IssueTally,
  budget: GeometryBudget,
  most: number,
): LayerElement[] {
  const found = records.filter(({ name }) => name === kind.record);
  found.sort((a, b) => (numberOf(a.properties[0]) ?? 0) - (numberOf(b.properties[0]) ?? 0));
  tallyIssue(
    faults,
    `layer elements ${kind.record} are beyond the limit of ${most}; they were left out`,
    found.length - most,
  );
  return found.slice(0, most).flatMap((record) => readElement(record, kind, polygons, faults, budget) ?? []);
}

function readElement(
  element: FbxRecord,
  { record, values: valuesName, indices: indicesName, width }: ElementKind,
  polygons: Polygons,
  faults: IssueTally,
  budget: GeometryBudget,
): LayerElement | null {
  budget.take(countIn(element.records, valuesName) + countIn(element.records, indicesName) + polygons.corners.length);
  const numbers = numbersIn(element.records, valuesName);
  const count = Math.floor(numbers.length / width);
  if (count === 0) return null;
  const keys = keysOf(element, polygons);
  if (keys === null) {
    tallyIssue(faults, `layer elements ${record} have an unsupported mapping; they were left out`, 1);
    return null;
  }
  const values = new Float32Array(count * width);
  let broken = 0;
  for (let i = 0; i < values.length; i++) {
    // Minus zero would count as a different value.
    if (Math.abs(numbers[i]) <= FLOAT32_MAX) values[i] = numbers[i] + 0;
    else broken++;
  }
  tallyIssue(faults, `numbers of ${record} are not finite; they were set to 0`, broken);
  const table = isDirect(element) ? null : integersIn(element.records, indicesName);
  let strays = 0;
  for (let corner = 0; corner < keys.length; corner++) {
    const key = keys[corner];
    if (key < 0) continue;
    // Some programs write IndexToDirect without indices.
    const index = table === null || table.length === 0 ? key : key < table.length ? table[key] : -2;
    const isThere = index >= 0 && index < count;
    keys[corner] = isThere ? index : -1;
    // Files use −1 for corners without a value.
    if (!isThere && index !== -1) strays++;
  }
  tallyIssue(faults, `corners have an invalid index into ${record}; they got no value`, strays);
  const name = textOf(recordIn(element.records, 'Name')?.properties[0]) ?? '';
  return { name, width, values, indices: keys };
}

function isDirect({ records }: FbxRecord): boolean {
  return textOf(recordIn(records, 'ReferenceInformationType')?.properties[0]) === 'Direct';
}

/** Returns the index of each corner's value: that of the corner, control point or polygon, or 0; null for unknown mappings. */
function keysOf({ records }: FbxRecord, { corners, starts }: Polygons): Int32Array | null {
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

export function polygonMaterials({ records }: FbxRecord, { starts }: Polygons): Int32Array {
  const out = new Int32Array(starts.length - 1);
  const element = recordIn(records, 'LayerElementMaterial');
  if (element === undefined) return out;
  // Materials are always indices, whatever the ReferenceInformationType is.
  const written = integersIn(element.records, 'Materials');
  const mapping = textOf(recordIn(element.records, 'MappingInformationType')?.properties[0]);
  if (mapping === 'ByPolygon') out.set(written.subarray(0, out.length));
  else if (written.length > 0) out.fill(written[0]);
  return out;
}
