import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeLooseUtf8, encodeLooseUtf8 } from '../../../../src/formats/usd/layer/loose-utf8.ts';

import { cpuTimer } from '../../../support/cpu-time.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { HOSTILE_USD_MS } from '../../../support/tolerances.ts';

describe('decodeLooseUtf8 and encodeLooseUtf8', () => {
  it('convert valid UTF-8, also with a byte order mark', () => {
    const text = '\ufeffAé€𝄞';
    expect([...encodeLooseUtf8(text)]).toEqual([...new TextEncoder().encode(text)]);
    expect(decodeLooseUtf8(new TextEncoder().encode(text))).toBe(text);
  });

  it.each([
    ['a byte that starts no character', [0x41, 0xff, 0x42], 'A\udcffB'],
    ['a continuation byte without a start', [0x80], '\udc80'],
    ['an incomplete character', [0xe2, 0x82], '\udce2\udc82'],
    ['an overlong character', [0xc0, 0x80], '\udcc0\udc80'],
    ['a surrogate', [0xed, 0xb2, 0x80], '\udced\udcb2\udc80'],
    ['a code point beyond Unicode', [0xf5, 0x80, 0x80, 0x80], '\udcf5\udc80\udc80\udc80'],
    ['an invalid byte between valid characters', [0xc3, 0xa9, 0xff, 0xc3, 0xa9], 'é\udcffé'],
  ])('keep %s', (_, bytes, text) => {
    expect(decodeLooseUtf8(Uint8Array.from(bytes))).toBe(text);
    expect([...encodeLooseUtf8(text)]).toEqual(bytes);
  });

  it('round-trip any bytes', () => {
    const any = fc.oneof(
      fc.uint8Array(),
      fc.string({ unit: 'binary' }).map((text) => new TextEncoder().encode(text)),
    );
    const property = fc.property(fc.array(any, { maxLength: 4 }), (parts) => {
      const bytes = parts.flatMap((part) => [...part]);
      expect([...encodeLooseUtf8(decodeLooseUtf8(Uint8Array.from(bytes)))]).toEqual(bytes);
    });
    fc.assert(property, { seed: 74, numRuns: lawRuns(100) });
  });

  it('convert a megabyte of invalid UTF-8 quickly', () => {
    const spent = cpuTimer();
    for (const byte of [0xff, 0xe2, 0x80]) {
      const bytes = new Uint8Array(1 << 20).fill(byte);
      expect(Buffer.compare(encodeLooseUtf8(decodeLooseUtf8(bytes)), bytes)).toBe(0);
    }
    expect(spent()).toBeLessThan(HOSTILE_USD_MS);
  });
});
