import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase64, encodeBase64 } from '../../../src/core/text/base64.ts';
import { lawRuns } from '../../support/law-runs.ts';

describe('decodeBase64 and encodeBase64', () => {
  it('match Node in both directions, padded or not', () => {
    const law = fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const text = encodeBase64(bytes);
      expect(text).toBe(Buffer.from(bytes).toString('base64'));
      expect(Buffer.compare(decodeBase64(text)!, bytes)).toBe(0);
      expect(Buffer.compare(decodeBase64(`data,${text.replaceAll('=', '')}`, 5)!, bytes)).toBe(0);
    });
    fc.assert(law, { seed: 1, numRuns: lawRuns(500) });
  });

  it('match Node on long data', () => {
    for (const length of [6143, 6144, 6145, 100_003]) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 7919) >> 3);
      const text = Buffer.from(bytes).toString('base64');
      expect(encodeBase64(bytes)).toBe(text);
      expect(Buffer.compare(decodeBase64(text)!, bytes)).toBe(0);
    }
  });

  it.each(['A', 'AAAAA', 'AA-_', 'AA A', 'AA\nA', '====', 'AA=', 'A===', 'AAA==', 'AAé=', 'A=AA', 'AA==AA=='])(
    'refuses %j',
    (text) => {
      expect(decodeBase64(text)).toBeNull();
    },
  );
});
