import { describe, expect, it } from 'vitest';
import { appendAccessor } from '../../../../src/formats/gltf/accessors/append-accessor.ts';
import { copyDocument } from '../../../../src/formats/gltf/document/copy-document.ts';
import { parseGltf } from '../../../../src/formats/gltf/document/document.ts';
import { concatParts } from '../../../../src/formats/gltf/document/glb.ts';
import { serializeGltf } from '../../../../src/formats/gltf/document/serialize-gltf.ts';
import { demoBytes } from '../../../support/make/demo-files.ts';

describe('copyDocument', () => {
  it('shares text and binary data, and serializes to the same bytes', () => {
    const bytes = demoBytes('walk.glb');
    const doc = parseGltf(bytes);
    const copy = copyDocument(doc);
    expect(copy.source).toBe(doc.source);
    expect(copy.bin).toBe(doc.bin);
    expect(copy.json).toEqual(doc.json);
    expect(Buffer.from(concatParts(serializeGltf(copy).parts)).equals(Buffer.from(bytes))).toBe(true);
  });

  it('keeps edits of the copy out of the original, and the other way round', () => {
    const doc = parseGltf(demoBytes('walk.glb'));
    const before = structuredClone(doc.json);
    const copy = copyDocument(doc);
    (copy.json['nodes'] as Record<string, unknown>[])[0]['name'] = 'edited';
    appendAccessor(copy, new Float32Array(3), { type: 'VEC3' });
    expect(doc.json).toEqual(before);
    expect(doc.growing).toBeNull();
    appendAccessor(doc, new Float32Array(3), { type: 'VEC3' });
    const appended = copyDocument(doc);
    const length = doc.growing?.length;
    appendAccessor(appended, new Float32Array(300), { type: 'VEC3' });
    expect(doc.growing?.length).toBe(length);
    expect(doc.growing?.chunks.size).toBe(1);
  });

  it('copies members that are named __proto__', () => {
    const text = '{"asset":{"version":"2.0","extras":{"__proto__":{"a":[1]}}}}';
    const copy = copyDocument(parseGltf(new TextEncoder().encode(text)));
    expect(new TextDecoder().decode(concatParts(serializeGltf(copy).parts))).toBe(text);
    expect(JSON.stringify(copy.json)).toBe(text);
  });
});
