/** Reads the properties of FBX objects: `Properties70` (7.x) and `Properties60` (6.1), with the templates of `Definitions` as defaults. */
import { FLOAT32_MAX } from '../../../core/math/floats.ts';
import type { FbxProperty, FbxRecord, FbxTree } from './fbx-tree.ts';
import { numberOf, recordIn } from './records.ts';

/** Property values by name, without type, label and flags. */
type FbxPropertyMap = ReadonlyMap<string, readonly FbxProperty[]>;

/** The properties of an object and their defaults. */
export interface FbxProperties {
  readonly own: FbxPropertyMap;
  readonly defaults: FbxPropertyMap;
}

const NONE: FbxPropertyMap = new Map();

/** Reads the property table of a record. The first of several properties with one name counts. */
export function readProperties({ records }: FbxRecord): FbxPropertyMap {
  const { table, head } = propertyTable(records);
  if (table.length === 0) return NONE;
  const out = new Map<string, readonly FbxProperty[]>();
  for (const { properties } of table) {
    const name = properties[0];
    if (typeof name === 'string' && !out.has(name)) out.set(name, properties.slice(head));
  }
  return out;
}

/** The records of a property table, and how many values are before those of the property: 7.x writes name, type, label, flags; 6.1 has no label. */
function propertyTable(records: readonly FbxRecord[]): { readonly table: readonly FbxRecord[]; readonly head: 3 | 4 } {
  const table = recordIn(records, 'Properties70') ?? recordIn(records, 'Properties60');
  return { table: table?.records ?? [], head: table?.name === 'Properties70' ? 4 : 3 };
}

/** A property that people gave to an object. */
export interface FbxUserProperty {
  readonly name: string;
  readonly type: string;
  readonly values: readonly FbxProperty[];
}

/** Names of the properties that every Model has (FbxNode of the SDK). Exporters give them the flag U too. */
export const OF_MODELS =
  /^(?:Lcl .*|Visibility(?: Inheritance)?|Show|Freeze|LODBox|AxisLen|InheritType|DefaultAttributeIndex|NegativePercentShapeSupport|QuaternionInterpolate|LookAtProperty|UpVectorProperty|(?:Set)?PreferedAngle[XYZ]?|(?:Min|Max)Damp(?:Range|Strength)[XYZ]|(?:Pre|Post)Rotation|RotationOrder|RotationSpaceForLimitOnly|RotationStiffness[XYZ]|(?:Rotation|Scaling)(?:Offset|Pivot)|(?:Translation|Rotation|Scaling)(?:Active|(?:Min|Max)[XYZ]?)|Geometric(?:Translation|Rotation|Scaling))$/;

/** User properties with which Maya, MotionBuilder and 3ds Max keep their own state. */
const OF_PROGRAMS = new Set(['currentUVSet', 'filmboxTypeID', 'lockInfluenceWeights', 'MaxHandle']);

/** Lists the user properties of the record of a Model: those with the flag U, without those that programs hide (H) or keep for themselves. */
export function userProperties({ records }: FbxRecord): FbxUserProperty[] {
  const { table, head } = propertyTable(records);
  return table.flatMap(({ properties }) => {
    const [name, type] = properties;
    const flags = properties[head - 1];
    if (typeof name !== 'string' || typeof type !== 'string' || typeof flags !== 'string') return [];
    const isOwn = flags.includes('U') && !flags.includes('H') && !OF_PROGRAMS.has(name) && !OF_MODELS.test(name);
    return isOwn ? [{ name, type, values: properties.slice(head) }] : [];
  });
}

/** Reads the property templates of a file. The first template of each kind counts. */
export function readTemplates({ records }: FbxTree): ReadonlyMap<string, FbxPropertyMap> {
  const out = new Map<string, FbxPropertyMap>();
  for (const definition of recordIn(records, 'Definitions')?.records ?? []) {
    const kind = definition.properties[0];
    const template = recordIn(definition.records, 'PropertyTemplate');
    if (typeof kind === 'string' && template !== undefined && !out.has(kind)) out.set(kind, readProperties(template));
  }
  return out;
}

/** Returns the values of a property; undefined if neither the object nor its template has the property. */
export function propertyOf({ own, defaults }: FbxProperties, name: string): readonly FbxProperty[] | undefined {
  return own.get(name) ?? defaults.get(name);
}

export function numberProperty(properties: FbxProperties, name: string, fallback: number): number {
  return numberOf(propertyOf(properties, name)?.[0]) ?? fallback;
}

export function boolProperty(properties: FbxProperties, name: string, fallback: boolean): boolean {
  const number = numberOf(propertyOf(properties, name)?.[0]);
  return number === undefined ? fallback : number !== 0;
}

/**
 * Returns three numbers of a property. Numbers beyond float32 are invalid, because their squares would overflow. `broken` receives the name of an
 * invalid property.
 */
export function vectorProperty(
  properties: FbxProperties,
  name: string,
  fallback: readonly [number, number, number],
  broken: Set<string>,
): [number, number, number] {
  const values = propertyOf(properties, name);
  if (values === undefined) return [...fallback];
  const x = numberOf(values[0]);
  const y = numberOf(values[1]);
  const z = numberOf(values[2]);
  const isGood = x !== undefined && y !== undefined && z !== undefined;
  if (isGood && Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) <= FLOAT32_MAX) return [x, y, z];
  broken.add(name);
  return [...fallback];
}
