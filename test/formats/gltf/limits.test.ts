import { describe, expect, it } from 'vitest';
import { GLTF_LIMITS, spendBytes } from '../../../src/formats/gltf/limits.ts';
import { documentOf } from '../../make/glb.ts';

describe('spendBytes', () => {
  it('stops at the limit of one and at the limit of all', () => {
    const doc = documentOf({});
    const { accessorBytes, decodedBytes } = GLTF_LIMITS;
    expect(() => spendBytes(doc, accessorBytes + 1, '/accessors/0')).toThrow(
      expect.objectContaining({ code: 'GLTF_LIMIT', where: { pointer: '/accessors/0' } }),
    );
    for (let spent = 0; spent < decodedBytes; spent += accessorBytes) spendBytes(doc, accessorBytes, '');
    expect(() => spendBytes(doc, 1, '/accessors/1')).toThrow(`limit of ${decodedBytes}`);
    expect(() => spendBytes(doc, 0, '')).not.toThrow();
  });
});
