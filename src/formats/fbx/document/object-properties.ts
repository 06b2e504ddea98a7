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
  const table = recordIn(records, 'Properties70') ?? recordIn(records, 'Properties60');
  if (table === undefined || table.records.length === 0) return NONE;
  // 7.x writes name, type, label, flags; 6.1 has no label.
  const head = table.name === 'Properties70' ? 4 : 3;
  const out = new Map<string, readonly FbxProperty[]>();
  for (const { properties } of table.records) {
    const name = properties[0];
    if (typeof name === 'string' && !out.has(name)) out.set(name, properties.slice(head));
  }
  return out;
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
