/** Memory layout of accessor elements. glTF 2.0 sections 3.6.2.2 and 3.6.2.4. */

/** Component types, the numbers that glTF assigns: 5120 BYTE, 5121 UNSIGNED_BYTE, 5122 SHORT, 5123 UNSIGNED_SHORT, 5125 UNSIGNED_INT, 5126 FLOAT. */
export type ComponentType = 5120 | 5121 | 5122 | 5123 | 5125 | 5126;

export type AccessorType = 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4' | 'MAT2' | 'MAT3' | 'MAT4';

/** Typed array of components, one class per {@link ComponentType}. */
export type ComponentArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Uint32Array | Float32Array;

export const TYPE_WIDTH: Readonly<Record<AccessorType, number>> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
};

interface ComponentArrayConstructor {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): ComponentArray;
  /** Creates a view; `byteOffset` in bytes, `length` in components. */
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): ComponentArray;
}

export const ARRAYS: Readonly<Record<ComponentType, ComponentArrayConstructor>> = {
  5120: Int8Array,
  5121: Uint8Array,
  5122: Int16Array,
  5123: Uint16Array,
  5125: Uint32Array,
  5126: Float32Array,
};

/** Memory layout of one element, sizes in bytes. Columns of matrices start at multiples of 4. */
export interface ElementLayout {
  readonly arrayClass: ComponentArrayConstructor;
  readonly componentSize: number;
  readonly rows: number;
  /** Columns of a matrix; 1 for scalars and vectors. */
  readonly columns: number;
  readonly columnStride: number;
  readonly packed: number;
  /** Size of an element without the padding after its last column. */
  readonly used: number;
}

export interface Elements {
  readonly bytes: Uint8Array;
  /** Offset of the first element in `bytes`. */
  readonly offset: number;
  /** Distance between elements in bytes. */
  readonly stride: number;
}

/** Tests whether a number is a component type of glTF. */
export function isComponentType(value: number): value is ComponentType {
  return value >= 5120 && value <= 5126 && value !== 5124 && Number.isInteger(value);
}

/** Tests whether a string is an element type of glTF. */
export function isAccessorType(type: string): type is AccessorType {
  return Object.hasOwn(TYPE_WIDTH, type);
}

/**
 * Returns the memory layout of an element. Section 3.6.2.4: the formula for matrix padding in the text is a known
 * erratum; the figures show columns at multiples of 4.
 */
export function elementLayout(type: AccessorType, componentType: ComponentType): ElementLayout {
  return LAYOUTS[type][componentType - FIRST_TYPE];
}

const FIRST_TYPE = 5120;

/** All layouts, by component type − 5120: looking up classes by numbers like 5126 is slow. Index 4 (5124) is empty. */
const LAYOUTS = Object.fromEntries(
  Object.keys(TYPE_WIDTH).map((type) => {
    const byComponentType: ElementLayout[] = [];
    for (const componentType of [5120, 5121, 5122, 5123, 5125, 5126] as const) {
      byComponentType[componentType - FIRST_TYPE] = makeLayout(type as AccessorType, componentType);
    }
    return [type, byComponentType];
  }),
) as Record<AccessorType, ElementLayout[]>;

function makeLayout(type: AccessorType, componentType: ComponentType): ElementLayout {
  const arrayClass = ARRAYS[componentType];
  const componentSize = arrayClass.BYTES_PER_ELEMENT;
  const columns = type === 'MAT2' ? 2 : type === 'MAT3' ? 3 : type === 'MAT4' ? 4 : 1;
  const rows = TYPE_WIDTH[type] / columns;
  const columnSize = rows * componentSize;
  const columnStride = columns === 1 ? columnSize : Math.ceil(columnSize / 4) * 4;
  const packed = columns * columnStride;
  // The padding after the last column may be missing at the end of a view.
  const used = packed - columnStride + columnSize;
  return { arrayClass, componentSize, rows, columns, columnStride, packed, used };
}

/** Returns a view of the components in the file, without copying; null when the elements have gaps or are not aligned. */
export function viewAsArray(
  { bytes, offset, stride }: Elements,
  count: number,
  layout: ElementLayout,
): ComponentArray | null {
  const start = bytes.byteOffset + offset;
  if (stride !== layout.used || layout.packed !== layout.used || start % layout.componentSize !== 0) return null;
  return new layout.arrayClass(bytes.buffer, start, count * layout.columns * layout.rows);
}

/** Copies elements into a packed array. `indices`: target element of each source element; null copies them in order. */
export function copyElements(
  { bytes, offset, stride }: Elements,
  count: number,
  { componentSize, rows, columns, columnStride }: ElementLayout,
  target: ComponentArray,
  indices: ComponentArray | null,
): void {
  const out = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
  const columnSize = rows * componentSize;
  const size = columnSize * columns;
  for (let i = 0; i < count; i++) {
    let from = offset + i * stride;
    let to = (indices === null ? i : indices[i]!) * size;
    for (let column = 0; column < columns; column++) {
      for (let b = 0; b < columnSize; b++) out[to + b] = bytes[from + b]!;
      from += columnStride;
      to += columnSize;
    }
  }
}
