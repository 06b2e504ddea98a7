import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { validateFile } from '../../../src/files/jobs/validate-file.ts';

const bytesOf = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../corpus/ext-skeleton-humanoid/${name}.gltf`, import.meta.url)));

describe('validateFile', () => {
  it('is invalid when only gltf-validator finds an error', async () => {
    const text = new TextDecoder().decode(bytesOf('sound')).replace('"scene": 0', '"scene": 0, "cameras": []');
    const bytes = new TextEncoder().encode(text);
    expect((await validateFile(bytes)).isValid).toBe(true);
    const asked = await validateFile(bytes, { khronos: true });
    expect(asked.isValid).toBe(false);
    expect(asked.khronos).toContainEqual(expect.objectContaining({ severity: 'error', pointer: '/cameras' }));
  });

  it('is invalid for an error against glTF 2.0', async () => {
    const text = new TextDecoder().decode(bytesOf('sound')).replace('"scene": 0', '"scene": 7');
    const report = await validateFile(new TextEncoder().encode(text));
    expect(report.gltf).toEqual([
      expect.objectContaining({ code: 'UNRESOLVED_REFERENCE', severity: 'error', pointer: '/scene' }),
    ]);
    expect([report.isValid, report.issues]).toEqual([false, []]);
  });

  it('passes valid glTF without the extension, unless it is required', async () => {
    const plain = new TextEncoder().encode('{"asset":{"version":"2.0"}}');
    expect(await validateFile(plain)).toMatchObject({ ok: true, isValid: true, hasExtension: false });
    expect(await validateFile(plain, { requireExtension: true })).toMatchObject({ ok: false, isValid: true });
  });

  it('measures bones only when the structure passes the strict rules', async () => {
    const report = await validateFile(bytesOf('EXT_SCHEMA--negative-node'), { name: 'a.gltf', strict: true });
    expect(report).toMatchObject({ file: 'a.gltf', hasExtension: true, isValid: false, skeletons: [] });
  });
});
