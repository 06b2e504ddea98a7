import { crc32 as zlibCrc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { crc32 } from '../../../src/core/math/crc32.ts';

it('crc32: equals the checksum of the standard', () => {
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
  expect(crc32(new Uint8Array())).toBe(0);
  for (let length = 995; length < 1003; length++) {
    const bytes = Uint8Array.from({ length }, (_, k) => k * k + length);
    expect(crc32(bytes)).toBe(zlibCrc32(bytes));
  }
});
