import { describe, expect, it } from 'vitest';
import { readAgain, staysWhole } from '../../src/files/kept-outputs.ts';
import { createDocument } from '../../src/formats/gltf/document.ts';
import { openDemo } from '../make/demo-files.ts';

describe('staysWhole', () => {
  it('lets glTF stay whole as glTF only', async () => {
    const file = await openDemo('walk.glb');
    const kept = (['glb', 'gltf', 'vrma', 'bvh', 'usdz'] as const).filter((format) => staysWhole(file, format));
    expect(kept).toEqual(['glb', 'gltf']);
  });
});

describe('readAgain', () => {
  it('gives the document as it was before edits', async () => {
    const { document } = await openDemo('walk.glb');
    const { json } = document!;
    const before = structuredClone(json);
    json['animations'] = [];
    expect(readAgain(document!).json).toEqual(before);
  });

  it('refuses documents that were never read', () => {
    expect(() => readAgain(createDocument())).toThrow(RangeError);
  });
});
