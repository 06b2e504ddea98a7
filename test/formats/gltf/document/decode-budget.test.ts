import { describe, expect, it } from 'vitest';
import { spendBytes } from '../../../../src/formats/gltf/document/decode-budget.ts';
import { GLTF_LIMITS } from '../../../../src/formats/gltf/document/limits.ts';
import { documentOf } from '../../../support/make/glb.ts';

describe('spendBytes', () => {
  it('throws past the limit for one allocation and past the limit for the sum', () => {
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
