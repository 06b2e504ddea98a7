/** The names that value types have in attributes and dictionaries, and how their values are stored. */
import type { StoredType } from '../layer/value.ts';

const TUPLES: readonly (readonly [string, readonly string[]])[] = [
  ['2', ['texCoord']],
  ['3', ['point', 'vector', 'normal', 'color', 'texCoord']],
  ['4', ['color']],
];
const PRECISIONS = { h: 'half', f: 'float', d: 'double' } as const;

function roles(): [string, StoredType][] {
  return TUPLES.flatMap(([width, names]) =>
    names.flatMap((name) =>
      Object.entries(PRECISIONS).map(([letter, kind]): [string, StoredType] => {
        return [`${name}${width}${letter}`, `${kind}${width}` as StoredType];
      }),
    ),
  );
}

const PLAIN: readonly StoredType[] = [
  'bool',
  'uchar',
  'int',
  'uint',
  'int64',
  'uint64',
  'half',
  'float',
  'double',
  'timecode',
  'string',
  'token',
  'asset',
  'pathExpression',
  ...(['half', 'float', 'double', 'int'] as const).flatMap((kind) =>
    ([2, 3, 4] as const).map((n): StoredType => `${kind}${n}`),
  ),
  'quath',
  'quatf',
  'quatd',
  'matrix2d',
  'matrix3d',
  'matrix4d',
];

/** How values of a type are stored, by the name of the type: `point3f` as `float3`. Names of arrays are not in it. */
const STORED: ReadonlyMap<string, StoredType> = new Map<string, StoredType>([
  ...PLAIN.map((type): [string, StoredType] => [type, type]),
  ...roles(),
  ['frame4d', 'matrix4d'],
]);

/** Names of types in files of before 2016, and what they are called since. */
const OLD_NAMES: ReadonlyMap<string, string> = new Map<string, string>([
  ...(['Vec', 'Quat', 'Matrix'] as const).flatMap((kind) =>
    ['2', '3', '4', ''].flatMap((n) =>
      Object.entries({ ...PRECISIONS, i: 'int' }).map(([letter, precision]): [string, string] => {
        return [`${kind}${n}${letter}`, kind === 'Vec' ? `${precision}${n}` : `${kind.toLowerCase()}${n}${letter}`];
      }),
    ),
  ),
  ...(['Point', 'Vector', 'Normal', 'Color'] as const).flatMap((role): [string, string][] => [
    [role, `${role.toLowerCase()}3d`],
    [`${role}Float`, `${role.toLowerCase()}3f`],
  ]),
  ['Frame', 'frame4d'],
  ['Transform', 'frame4d'],
  ['PointIndex', 'int'],
  ['EdgeIndex', 'int'],
  ['FaceIndex', 'int'],
]);

/** The name of a type as it is today: `Vec3d[]` is `double3[]`. */
export function currentTypeName(name: string): string {
  const isArray = name.endsWith('[]');
  const current = OLD_NAMES.get(isArray ? name.slice(0, -2) : name);
  if (current === undefined || !STORED.has(current)) return name;
  return isArray ? `${current}[]` : current;
}

/** A type name taken apart. */
export interface NamedType {
  /** Null for types that are not known: their values are kept as text. */
  readonly stored: StoredType | null;
  readonly isArray: boolean;
}

/** What a type name like `point3f[]` means. */
export function namedType(name: string): NamedType {
  const isArray = name.endsWith('[]');
  return { stored: STORED.get(isArray ? name.slice(0, -2) : name) ?? null, isArray };
}
