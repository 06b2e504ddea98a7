import { describe, expect, it } from 'vitest';
import { parseGltf } from '../../../../src/formats/gltf/index.ts';

const needs = (json: Record<string, unknown>, minVersion = '2.1') =>
  new TextEncoder().encode(JSON.stringify({ asset: { version: minVersion, minVersion }, ...json }));

describe('minVersion 2.1', () => {
  it('parseGltf: reads a file whose properties are known of the draft, and reports the draft', () => {
    const doc = parseGltf(
      needs({
        nodes: [{ boundingVolume: { shape: 0 }, extras: 1, name: 'a', extensions: {} }],
        shapes: [{ type: 'sphere', sphere: { radius: 1 } }],
        skins: [{ joints: [0] }],
        materials: [{ anything: 1 }],
      }),
    );
    expect(doc.issues.map(({ code, where }) => [code, where])).toEqual([
      ['GLTF_DRAFT', { pointer: '/asset/minVersion' }],
    ]);
  });

  it('parseGltf: reads version 2.1 without minVersion as 2.0 and ignores what it does not know', () => {
    const text = JSON.stringify({ asset: { version: '2.1' }, lights: [], nodes: [{ light: 0, externalAsset: 0 }] });
    expect(parseGltf(new TextEncoder().encode(text)).issues).toEqual([]);
  });

  it.each([
    ['an unknown list', { externalAssets: [{}] }, '/externalAssets'],
    ['an unknown property of a node', { nodes: [{}, { externalAsset: 0 }] }, '/nodes/1/externalAsset'],
    [
      'an unknown property of a channel',
      { animations: [{ channels: [{ blend: 1 }] }] },
      '/animations/0/channels/0/blend',
    ],
    ['an unknown property of a buffer', { buffers: [{ file: 0 }] }, '/buffers/0/file'],
  ])('parseGltf: refuses %s, as the file may not be readable without it', (_, json, pointer) => {
    expect(() => parseGltf(needs(json))).toThrow(expect.objectContaining({ code: 'GLTF_VERSION', where: { pointer } }));
  });

  it('parseGltf: refuses later versions', () => {
    const error = expect.objectContaining({ code: 'GLTF_VERSION', where: { pointer: '/asset/minVersion' } });
    for (const version of ['2.2', '2.10', '3.0'])
      expect(() => parseGltf(needs({}, version.replace('3.', '2.3')))).toThrow(error);
  });
});
