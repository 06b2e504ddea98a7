/** The properties of FBX objects: `Properties70` (7.x) and `Properties60` (6.1), with the templates of `Definitions` underneath. */
import { FLOAT32_MAX } from '../../core/math/floats.ts';
import { numberOf, recordIn } from './records.ts';
import type { FbxProperty, FbxRecord, FbxTree } from './tree.ts';

/** Values by name, without type, label and flags. */
export type FbxPropertyMap = ReadonlyMap<string, readonly FbxProperty[]>;

/** What an object says about itself, and what holds where it says nothing. */
export interface FbxProperties {
  readonly own: FbxPropertyMap;
  /** Of the template of its kind. */
  readonly defaults: FbxPropertyMap;
}

const NONE: FbxPropertyMap = new Map();

/** Properties inside a record; of equal names the first counts. */
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

/** The templates of a file by the kind of object (`Model`, `AnimationLayer`…): the first of each kind. */
export function readTemplates({ records }: FbxTree): ReadonlyMap<string, FbxPropertyMap> {
  const out = new Map<string, FbxPropertyMap>();
  for (const definition of recordIn(records, 'Definitions')?.records ?? []) {
    const kind = definition.properties[0];
    const template = recordIn(definition.records, 'PropertyTemplate');
    if (typeof kind === 'string' && template !== undefined && !out.has(kind)) out.set(kind, readProperties(template));
  }
  return out;
}

/** The values of a property; undefined where neither the object nor its template has any. */
export function propertyOf({ own, defaults }: FbxProperties, name: string): readonly FbxProperty[] | undefined {
  return own.get(name) ?? defaults.get(name);
}

/** The first value of a property as a finite number, else `otherwise`. */
export function numberProperty(properties: FbxProperties, name: string, otherwise: number): number {
  return numberOf(propertyOf(properties, name)?.[0]) ?? otherwise;
}

/** The first value of a property as yes or no, else `otherwise`. */
export function boolProperty(properties: FbxProperties, name: string, otherwise: boolean): boolean {
  const number = numberOf(propertyOf(properties, name)?.[0]);
  return number === undefined ? otherwise : number !== 0;
}

/**
 * Three numbers of a property. `otherwise` where the property is missing, and where it is broken: then `broken` gets its
 * name. Numbers past float32 are broken: their squares would overflow.
 */
export function vectorProperty(
  properties: FbxProperties,
  name: string,
  otherwise: readonly [number, number, number],
  broken: Set<string>,
): [number, number, number] {
  const values = propertyOf(properties, name);
  if (values === undefined) return [...otherwise];
  const x = numberOf(values[0]);
  const y = numberOf(values[1]);
  const z = numberOf(values[2]);
  const isGood = x !== undefined && y !== undefined && z !== undefined;
  if (isGood && Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) <= FLOAT32_MAX) return [x, y, z];
  broken.add(name);
  return [...otherwise];
}
