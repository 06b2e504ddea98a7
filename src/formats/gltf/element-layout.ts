/** How elements of accessors are stored: glTF 2.0 sections 3.6.2.2 and 3.6.2.4. */

/** Component types of accessors, by their glTF numbers. */
export type ComponentType = 5120 | 5121 | 5122 | 5123 | 5125 | 5126;

/** Shapes of accessor elements. */
export type AccessorType = 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4' | 'MAT2' | 'MAT3' | 'MAT4';

/** Array that holds components of a {@link ComponentType} as they are stored. */
export type ComponentArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Uint32Array | Float32Array;

/** Components of an element of an accessor type. */
export const TYPE_WIDTH: Readonly<Record<AccessorType, number>> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
};

/** Class of a {@link ComponentArray}. */
export interface ComponentArrayConstructor {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): ComponentArray;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): ComponentArray;
}

/** Array classes by component type. */
export const ARRAYS: Readonly<Record<ComponentType, ComponentArrayConstructor>> = {
  5120: Int8Array,
  5121: Uint8Array,
  5122: Int16Array,
  5123: Uint16Array,
  5125: Uint32Array,
  5126: Float32Array,
};

/** Where the components of an element stand, in bytes: columns of small matrices start at multiples of 4. */
export interface ElementLayout {
  readonly componentType: ComponentType;
  readonly arrayClass: ComponentArrayConstructor;
  readonly componentSize: number;
  readonly rows: number;
  readonly columns: number;
  readonly columnStride: number;
  /** From one element to the next where they are packed. */
  readonly packed: number;
  /** From the first byte of an element to behind its last component. */
  readonly used: number;
}

/** Elements in the bytes of a view. */
export interface Elements {
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly stride: number;
}

/** Whether a number of the file is a component type of glTF. */
export function isComponentType(value: number): value is ComponentType {
  return value >= 5120 && value <= 5126 && value !== 5124 && Number.isInteger(value);
}

/** Whether a string of the file is an accessor type of glTF. */
export function isAccessorType(type: string): type is AccessorType {
  return Object.hasOwn(TYPE_WIDTH, type);
}

/**
 * Layout of the elements of an accessor (section 3.6.2.4: the printed formula for the padding of matrices is a known
 * mistake; its figures show columns at multiples of 4).
 */
export function elementLayout(type: AccessorType, componentType: ComponentType): ElementLayout {
  return LAYOUTS[type][componentType - LEAST_TYPE];
}

const LEAST_TYPE = 5120;

/** Made once: looking up classes by numbers like 5126 is slow. By component type from 5120 on, with a hole at 5124. */
const LAYOUTS = Object.fromEntries(
  Object.keys(TYPE_WIDTH).map((type) => {
    const byComponentType: ElementLayout[] = [];
    for (const componentType of [5120, 5121, 5122, 5123, 5125, 5126] as const) {
      byComponentType[componentType - LEAST_TYPE] = makeLayout(type as AccessorType, componentType);
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
  // The padding behind the last column may be missing at the end of a view.
  const used = packed - columnStride + columnSize;
  return { componentType, arrayClass, componentSize, rows, columns, columnStride, packed, used };
}

/** A view of the components where they stand without gaps at a fitting alignment, else null. */
export function arrayInPlace(
  { bytes, offset, stride }: Elements,
  count: number,
  layout: ElementLayout,
): ComponentArray | null {
  const start = bytes.byteOffset + offset;
  if (stride !== layout.used || layout.packed !== layout.used || start % layout.componentSize !== 0) return null;
  return new layout.arrayClass(bytes.buffer, start, count * layout.columns * layout.rows);
}

/** Copies elements into `target`, to the places that `indices` gives or one after the other. */
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
