/**
 * Reads accessors one component at a time with a DataView, from valid JSON: the reference for the reader of src, without shared code.
 * glTF 2.0 sections 3.6.2 and 3.11.
 */

interface View {
  readonly byteOffset?: number;
  readonly byteLength: number;
  readonly byteStride?: number;
}

interface Sparse {
  readonly count: number;
  readonly indices: { readonly bufferView: number; readonly byteOffset?: number; readonly componentType: number };
  readonly values: { readonly bufferView: number; readonly byteOffset?: number };
}

export interface PlainAccessor {
  readonly bufferView?: number;
  readonly byteOffset?: number;
  readonly componentType: number;
  readonly normalized?: boolean;
  readonly count: number;
  readonly type: string;
  readonly sparse?: Sparse;
}

const SIZES: Record<number, number> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const SHAPES: Record<string, readonly [columns: number, rows: number]> = {
  SCALAR: [1, 1],
  VEC2: [1, 2],
  VEC3: [1, 3],
  VEC4: [1, 4],
  MAT2: [2, 2],
  MAT3: [3, 3],
  MAT4: [4, 4],
};

/** Returns the byte offset of a component in its element. Columns of matrices start at multiples of 4. */
export function componentOffset(type: string, componentType: number, column: number, row: number): number {
  const [columns, rows] = SHAPES[type]!;
  const size = SIZES[componentType]!;
  let columnSize = rows * size;
  if (columns > 1) while (columnSize % 4 !== 0) columnSize++;
  return column * columnSize + row * size;
}

/** Returns the bytes of a tightly packed element. */
export function packedSize(type: string, componentType: number): number {
  const [columns, rows] = SHAPES[type]!;
  return columns === 1 ? rows * SIZES[componentType]! : componentOffset(type, componentType, columns, 0);
}

function component(data: DataView, offset: number, componentType: number): number {
  switch (componentType) {
    case 5120:
      return data.getInt8(offset);
    case 5121:
      return data.getUint8(offset);
    case 5122:
      return data.getInt16(offset, true);
    case 5123:
      return data.getUint16(offset, true);
    case 5125:
      return data.getUint32(offset, true);
    default:
      return data.getFloat32(offset, true);
  }
}

/** Returns the stored components of an accessor, element by element, column by column. */
export function plainComponents(accessor: PlainAccessor, views: readonly View[], bin: Uint8Array): number[] {
  const data = new DataView(bin.buffer, bin.byteOffset, bin.byteLength);
  const { type, componentType, count, sparse } = accessor;
  const [columns, rows] = SHAPES[type]!;
  const packed = packedSize(type, componentType);
  const elements: number[][] = [];
  const read = (start: number): number[] => {
    const element: number[] = [];
    for (let column = 0; column < columns; column++) {
      for (let row = 0; row < rows; row++) {
        element.push(component(data, start + componentOffset(type, componentType, column, row), componentType));
      }
    }
    return element;
  };
  for (let i = 0; i < count; i++) {
    if (accessor.bufferView === undefined) {
      elements.push(Array<number>(columns * rows).fill(0));
      continue;
    }
    const view = views[accessor.bufferView]!;
    const start = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
    elements.push(read(start + i * (view.byteStride ?? packed)));
  }
  for (let i = 0; i < (sparse?.count ?? 0); i++) {
    const { indices, values } = sparse!;
    const at = (views[indices.bufferView]!.byteOffset ?? 0) + (indices.byteOffset ?? 0);
    const index = component(data, at + i * SIZES[indices.componentType]!, indices.componentType);
    elements[index] = read((views[values.bufferView]!.byteOffset ?? 0) + (values.byteOffset ?? 0) + i * packed);
  }
  return elements.flat();
}

/** Converts a stored component to its float value. */
export function plainFloat(stored: number, componentType: number, normalized: boolean): number {
  if (!normalized) return Math.fround(stored);
  if (componentType === 5120) return Math.fround(Math.max(stored / 127, -1));
  if (componentType === 5121) return Math.fround(stored / 255);
  if (componentType === 5122) return Math.fround(Math.max(stored / 32767, -1));
  return Math.fround(componentType === 5123 ? stored / 65535 : stored);
}
