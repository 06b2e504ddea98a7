import { BufferAttribute, InterleavedBuffer, InterleavedBufferAttribute } from 'three';
import { expect, it } from 'vitest';
import { attributeFloats } from '../../../src/engines/three/read-attribute.ts';

it('attributeFloats: normalized integers become numbers', () => {
  expect([...attributeFloats(new BufferAttribute(Uint8Array.of(0, 255, 51, 0), 2, true), 2)]).toEqual([
    0,
    1,
    Math.fround(0.2),
    0,
  ]);
});

it('attributeFloats: reads the first components of an interleaved attribute', () => {
  const buffer = new InterleavedBuffer(Float32Array.of(9, 1, 2, 3, 9, 4, 5, 6), 4);
  expect([...attributeFloats(new InterleavedBufferAttribute(buffer, 3, 1), 2)]).toEqual([1, 2, 4, 5]);
});
