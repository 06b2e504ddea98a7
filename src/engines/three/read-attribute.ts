import type { BufferAttribute, InterleavedBufferAttribute } from 'three';

/** Reads an attribute as floats: normalized integers become numbers. Returns `width` floats per vertex. */
export function attributeFloats(attribute: BufferAttribute | InterleavedBufferAttribute, width: number): Float32Array {
  const out = new Float32Array(width * attribute.count);
  for (let vertex = 0; vertex < attribute.count; vertex++) {
    for (let c = 0; c < width; c++) out[width * vertex + c] = attribute.getComponent(vertex, c);
  }
  return out;
}
