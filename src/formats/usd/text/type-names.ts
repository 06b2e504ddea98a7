/** Maps the type names of attributes and dictionaries to stored types. */
import { STORED_TYPES, type StoredType } from '../layer/value.ts';

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

/** Stored types by type name, without arrays: `point3f` is stored as `float3`. */
const STORED: ReadonlyMap<string, StoredType> = new Map<string, StoredType>([
  ...Array.from(STORED_TYPES, (type): [string, StoredType] => [type, type as StoredType]),
  ...roles(),
  ['frame4d', 'matrix4d'],
]);

/** Current type names by the names in files of before 2016. */
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

/** Converts a type name of before 2016 to the current name: `Vec3d[]` becomes `double3[]`. */
export function currentTypeName(name: string): string {
  const isArray = name.endsWith('[]');
  const current = OLD_NAMES.get(isArray ? name.slice(0, -2) : name);
  if (current === undefined || !STORED.has(current)) return name;
  return isArray ? `${current}[]` : current;
}

/** Parses a type name like `point3f[]`. `stored`: type of one value; null for unknown types, whose values are kept as text. */
export function namedType(name: string): { readonly stored: StoredType | null; readonly isArray: boolean } {
  const isArray = name.endsWith('[]');
  return { stored: STORED.get(isArray ? name.slice(0, -2) : name) ?? null, isArray };
}
