import type { FbxProperty, FbxRecord } from '../document/fbx-tree.ts';
import { propertyType } from '../document/property-type.ts';

/** Builds a record. `records`: nested records; an empty array is an empty list, nothing is no list. */
export function record(
  name: string,
  types: string,
  properties: readonly FbxProperty[],
  records?: readonly FbxRecord[],
): FbxRecord {
  return { name, properties, types, records: records ?? [], ...(records?.length === 0 ? { hasEmptyList: true } : {}) };
}

export function listRecord(name: string, records: readonly FbxRecord[]): FbxRecord {
  return record(name, '', [], records);
}

/** Builds an object of the section `Objects`: its id, its name and class, and its type. */
export function objectRecord(
  kind: string,
  id: number,
  [name, className]: readonly [name: string, className: string],
  type: string,
  records?: readonly FbxRecord[],
): FbxRecord {
  return record(kind, 'LSS', [id, `${name}\0\x01${className}`, type], records);
}

/** Type, label, flags and type codes of the values of a property, by the kind of property. */
const PROPERTY_KINDS = {
  int: ['int', 'Integer', '', 'I'],
  bool: ['bool', '', '', 'I'],
  enum: ['enum', '', '', 'I'],
  double: ['double', 'Number', '', 'D'],
  time: ['KTime', 'Time', '', 'L'],
  text: ['KString', '', '', 'S'],
  url: ['KString', 'Url', '', 'S'],
  vector: ['Vector3D', 'Vector', '', 'DDD'],
  color: ['ColorRGB', 'Color', '', 'DDD'],
  animatableColor: ['Color', '', 'A', 'DDD'],
  animatableNumber: ['Number', '', 'A', 'D'],
  compound: ['Compound', '', '', ''],
  object: ['object', '', '', ''],
  'Lcl Translation': ['Lcl Translation', '', 'A', 'DDD'],
  'Lcl Rotation': ['Lcl Rotation', '', 'A', 'DDD'],
  'Lcl Scaling': ['Lcl Scaling', '', 'A', 'DDD'],
  visibility: ['Visibility', '', 'A', 'D'],
  userText: ['KString', '', 'U', 'S'],
  userBool: ['bool', '', 'U', 'I'],
  userInt: ['int', 'Integer', 'U', 'I'],
  userDouble: ['double', 'Number', 'U', 'D'],
  userVector2: ['Vector2D', 'Vector2', 'U', 'DD'],
  userVector3: ['Vector3D', 'Vector', 'U', 'DDD'],
  userVector4: ['Vector4', '', 'U', 'DDDD'],
} as const;

export function property70(
  name: string,
  kind: keyof typeof PROPERTY_KINDS,
  ...values: readonly FbxProperty[]
): FbxRecord {
  const [type, label, flags, types] = PROPERTY_KINDS[kind];
  return record('P', `SSSS${types}`, [name, type, label, flags, ...values]);
}

/** Returns the type code of an object id: damaged files also have names and fractions there. */
function idType(id: FbxProperty): string {
  return typeof id === 'bigint' || Number.isSafeInteger(id) ? 'L' : propertyType(id);
}

/** Connects an object to its parent: 0 is the root of the scene. With a property, it connects to that property. */
export function connect(child: FbxProperty, parent: FbxProperty, property?: string): FbxRecord {
  const types = `${idType(child)}${idType(parent)}`;
  return property === undefined
    ? record('C', `S${types}`, ['OO', child, parent])
    : record('C', `S${types}S`, ['OP', child, parent, property]);
}
