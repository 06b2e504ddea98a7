import { describe, expect, it } from 'vitest';
import {
  type AccessorType,
  type ComponentType,
  copyElements,
  elementLayout,
  isAccessorType,
  isComponentType,
  viewAsArray,
} from '../../../../src/formats/gltf/accessors/element-layout.ts';
import { componentOffset, packedSize } from '../../../support/reference/accessor.ts';

const TYPES: readonly AccessorType[] = ['SCALAR', 'VEC2', 'VEC3', 'VEC4', 'MAT2', 'MAT3', 'MAT4'];
const COMPONENTS: readonly ComponentType[] = [5120, 5121, 5122, 5123, 5125, 5126];

describe('elementLayout', () => {
  it('aligns columns as the reference reader does', () => {
    for (const type of TYPES) {
      for (const componentType of COMPONENTS) {
        const { componentSize, columnStride, rows, columns, packed, used } = elementLayout(type, componentType);
        expect(packed).toBe(packedSize(type, componentType));
        expect((columns - 1) * columnStride + (rows - 1) * componentSize).toBe(
          componentOffset(type, componentType, columns - 1, rows - 1),
        );
        expect(used).toBe(componentOffset(type, componentType, columns - 1, rows - 1) + componentSize);
      }
    }
  });
});

describe('viewAsArray', () => {
  const layout = elementLayout('VEC2', 5123);
  const bytes = Uint8Array.of(0, 0, 1, 0, 2, 0, 3, 0, 4, 0);

  it('returns a view of packed, aligned elements', () => {
    const array = viewAsArray({ bytes, offset: 2, stride: 4 }, 2, layout)!;
    expect([...array]).toEqual([1, 2, 3, 4]);
    expect(array.buffer).toBe(bytes.buffer);
  });

  it('returns null for unaligned addresses, gaps and padding', () => {
    expect(viewAsArray({ bytes, offset: 1, stride: 4 }, 2, layout)).toBeNull();
    expect(viewAsArray({ bytes: bytes.subarray(1), offset: 0, stride: 4 }, 1, layout)).toBeNull();
    expect(viewAsArray({ bytes, offset: 0, stride: 6 }, 1, layout)).toBeNull();
    expect(viewAsArray({ bytes, offset: 0, stride: 8 }, 1, elementLayout('MAT2', 5121))).toBeNull();
  });
});

describe('copyElements', () => {
  const source = { bytes: Uint8Array.of(9, 1, 2, 9, 9, 3, 4, 9, 9), offset: 1, stride: 4 };
  const matrix = elementLayout('MAT2', 5121);

  it('removes gaps', () => {
    const target = new Uint8Array(4);
    copyElements(source, 2, elementLayout('VEC2', 5121), target, null);
    expect([...target]).toEqual([1, 2, 3, 4]);
    copyElements(source, 1, matrix, target, null);
    expect([...target]).toEqual([1, 2, 3, 4]);
  });

  it('copies to the target elements of the indices', () => {
    const target = new Uint8Array(8);
    copyElements(source, 2, elementLayout('VEC2', 5121), target, Uint8Array.of(1, 3));
    expect([...target]).toEqual([0, 0, 1, 2, 0, 0, 3, 4]);
  });
});

describe('isComponentType and isAccessorType', () => {
  it('accept the types of glTF, not members of the prototype', () => {
    expect(TYPES.every(isAccessorType)).toBe(true);
    expect(COMPONENTS.every(isComponentType)).toBe(true);
    expect(['MAT5', 'vec3', 'toString', '__proto__', ''].some(isAccessorType)).toBe(false);
    expect([5124, 5127, 0, -1, Number.NaN].some(isComponentType)).toBe(false);
  });
});
