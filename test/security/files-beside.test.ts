/** W4: which files beside a file become part of an output. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isImage } from '../../src/core/asset/image-type.ts';
import { convertFile } from '../../src/files/jobs/convert-file.ts';
import { openFile } from '../../src/files/node.ts';
import { openBytes } from '../../src/files/open.ts';
import { temporaryFolder } from '../support/make/demo-files.ts';

const path = temporaryFolder();
const SECRET = 'PASSWORD=CANARY-4711-CANARY-4711';
const PNG = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de', 'hex');

/** Writes a .gltf of a triangle that references a buffer and an image. */
function writeAsset(name: string, image: string, buffer = 'ok.bin'): string {
  const json = {
    asset: { version: '2.0' },
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
    textures: [{ source: 0 }],
    images: [{ uri: image }],
    buffers: [{ uri: buffer, byteLength: 36 }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
  };
  writeFileSync(path(name), JSON.stringify(json));
  return path(name);
}

mkdirSync(path('.git'));
for (const secret of ['.env', 'secret.txt', '.git/config', 'not-an-image.png'])
  writeFileSync(path(secret), `${SECRET}${' '.repeat(40)}`);
writeFileSync(path('.hidden.png'), PNG);
writeFileSync(path('ok.png'), PNG);
writeFileSync(path('ok.bin'), new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]));
symlinkSync(path('.env'), path('link.png'));

/** Returns all bytes that a conversion writes, also decoded from base64; the reason where it is refused. */
async function written(file: string, output: string): Promise<{ text: string; issues: string }> {
  try {
    const { outputs, report } = await convertFile(await openFile(file), { output });
    const bytes = outputs.flatMap(({ parts }) => parts).map((part) => Buffer.from(part).toString('latin1'));
    const data = bytes.flatMap((text) =>
      [...text.matchAll(/base64,([A-Za-z0-9+/=]+)/g)].map(([, base64]) => atob(base64)),
    );
    return { text: [...bytes, ...data].join('\n'), issues: report.issues.map(({ message }) => message).join('\n') };
  } catch (error) {
    return { text: '', issues: (error as Error).message };
  }
}

describe('W4: files beside a glTF', () => {
  it.each([
    '.env',
    'secret.txt',
    '.git/config',
    'not-an-image.png',
    '.hidden.png',
    'link.png',
    './.env',
    'a/../.env',
    '%2eenv',
  ])('W4: %s as an image is in no output, and the report says why', async (image) => {
    const file = writeAsset('image.gltf', image);
    for (const output of ['o.glb', 'o.gltf', 'o.usdz', 'o.usda']) {
      const { text, issues } = await written(file, path('out', output));
      expect(text).not.toContain('CANARY');
      expect(issues).not.toBe('');
    }
  });

  it('W4: a hidden file as a buffer is refused', async () => {
    await expect(openFile(writeAsset('buffer.gltf', 'ok.png', '.env'))).rejects.toMatchObject({
      code: 'GLTF_URI_REFUSED',
    });
  });

  it('W4: an image beside the file is taken, so that the other tests can fail', async () => {
    const file = writeAsset('good.gltf', 'ok.png');
    for (const output of ['o.glb', 'o.usdz']) expect((await written(file, path('out', output))).text).toContain('PNG');
  });

  it('W4: hidden files are not asked of a reader of the caller either', async () => {
    const asked: string[] = [];
    const readResource = async (name: string): Promise<Uint8Array> => {
      asked.push(name);
      return name.endsWith('.bin') ? new Uint8Array(36) : PNG;
    };
    const json = JSON.parse((await import('node:fs')).readFileSync(writeAsset('own.gltf', 'tex/.x/a.png'), 'utf8'));
    const file = await openBytes(Buffer.from(JSON.stringify(json)), { name: 'own.gltf', readResource });
    await convertFile(file, { output: 'o.usda' });
    expect(asked).toEqual(['ok.bin']);
  });
});

it('W4: isImage knows the images that files refer to by their first bytes, and takes no text for one', () => {
  const of = (text: string): Uint8Array => Buffer.from(text.padEnd(32, '\0'), 'latin1');
  const images = [
    '\x89PNG\r\n\x1a\n',
    '\xff\xd8\xff',
    'RIFF\0\0\0\0WEBP',
    '\xabKTX 20\xbb\r\n\x1a\n',
    '\xabKTX 11\xbb',
    '\0\0\0\x1cftypavif',
    'GIF89a',
    'DDS ',
    'BM\x36\0\0\0\0\0\0\0',
    'II*\0',
    '#?RADIANCE',
    'v/1\x01',
  ];
  for (const image of images) expect(isImage(of(image))).toBe(true);
  const targa = Buffer.alloc(40);
  targa[2] = 2;
  targa[16] = 24;
  expect(isImage(targa)).toBe(true);
  for (const text of [
    'BMW=secret',
    'root:x:0:0:root:/root:/bin/bash',
    '\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n  key',
    '{"a": 1}',
    '<svg',
    '',
  ])
    expect(isImage(Buffer.from(text.padEnd(40, ' ')))).toBe(false);
});
