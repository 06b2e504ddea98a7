import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../../src/core/report/issue.ts';
import type { FbxProperty } from '../../../../src/formats/fbx/document/fbx-tree.ts';
import { loadTextures, readTextureSource } from '../../../../src/formats/fbx/materials/read-fbx-textures.ts';
import { rec } from '../fbx-bytes.ts';
import { properties70, sceneOf, type Values } from '../fbx-scene.ts';

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const JPEG = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);
const WEBP = new TextEncoder().encode('RIFF\0\0\0\0WEBPVP8 ');

interface Drawn {
  readonly values?: Values;
  readonly files?: Readonly<Record<string, string>>;
  readonly content?: readonly FbxProperty[];
}

function sourceOf({ values = {}, files = {}, content }: Drawn) {
  const names = Object.entries(files).map(([field, path]) => rec(field, [path]));
  const { scene } = sceneOf({
    objects: [
      rec('Texture', [1, 'skin\0\x01Texture', ''], [properties70(values), ...names]),
      rec('Video', [2, 'skin\0\x01Video', 'Clip'], content === undefined ? [] : [rec('Content', content)]),
    ],
    connections: [[2, 1]],
  });
  return readTextureSource(scene, scene.objects.get('1')!);
}

describe('readTextureSource', () => {
  it('reads embedded images as bytes and as pieces of base64', () => {
    expect(sourceOf({ content: [PNG] }).content).toEqual(PNG);
    expect(sourceOf({ content: [''] }).content).toBeNull();
    expect(sourceOf({ content: [new Uint8Array(0)] }).content).toBeNull();
    expect(sourceOf({}).content).toBeNull();
    const text = Buffer.from(PNG).toString('base64');
    expect(sourceOf({ content: [text] }).content).toEqual(PNG);
    expect(sourceOf({ content: [text.slice(0, 3), `${text.slice(3, 6)}\n`, text.slice(6)] }).content).toEqual(PNG);
    const padded = [PNG.slice(0, 4), PNG.slice(4)].map((part) => Buffer.from(part).toString('base64'));
    expect(sourceOf({ content: padded }).content).toEqual(PNG);
    expect(sourceOf({ content: ['§§§§'] }).content).toBeNull();
  });

  it('lists paths beside the file, never outside its folder', () => {
    const paths = (RelativeFilename: string, FileName = '') =>
      sourceOf({ files: { RelativeFilename, FileName } }).paths;
    expect(paths('texture\\bake\\skin.png', 'C:\\Users\\me\\skin.png')).toEqual(['texture/bake/skin.png', 'skin.png']);
    expect(paths('..\\..\\skin.png')).toEqual(['skin.png']);
    expect(paths('a/../../skin.png')).toEqual(['skin.png']);
    expect(paths('/etc/skin.png')).toEqual(['skin.png']);
    expect(paths('./skin.png')).toEqual(['skin.png']);
    expect(paths('', 'D:skin/a.png')).toEqual(['a.png']);
    expect(paths('..')).toEqual([]);
    expect(paths('a\0b')).toEqual([]);
  });

  it('reads wrapping, uv set and a transform with v down', () => {
    const source = sourceOf({
      values: { WrapModeU: [1], UVSet: ['UVMap'], Scaling: [2, 4, 1], Translation: [0.5, 0.25, 0] },
    });
    expect(source).toMatchObject({ wrapU: 'clamp', wrapV: 'repeat', uvSet: 'UVMap', isRotated: false });
    expect(source.transform).toEqual({ offset: [0.5, -3.25], rotation: 0, scale: [2, 4] });
    // v = 0.75 upwards is 0.75 · 4 + 0.25 = 3.25; downwards 0.25 becomes 1 − 3.25.
    expect(source.transform!.offset[1] + source.transform!.scale[1] * 0.25).toBeCloseTo(1 - 3.25, 12);
    expect(sourceOf({ values: { Scaling: [1, 1, 1], Rotation: [0, 0, 30] } })).toMatchObject({
      transform: null,
      isRotated: true,
    });
  });
});

describe('loadTextures', () => {
  it('reads each image once, from the first readable path, and detects its format by content', async () => {
    const asked: string[] = [];
    const issues: Issue[] = [];
    const files = new Map([
      ['skin.png', JPEG],
      ['b.tga', Uint8Array.of(0, 0, 2)],
      ['c.webp', WEBP],
    ]);
    const read = async (path: string): Promise<Uint8Array> => {
      asked.push(path);
      const bytes = files.get(path);
      if (bytes === undefined) throw new Error('no such file');
      return bytes;
    };
    const named = (RelativeFilename: string) => sourceOf({ files: { RelativeFilename } });
    const sources = [
      named('a\\skin.png'),
      named('skin.png'),
      named('b.tga'),
      named('c.webp'),
      named('gone.png'),
      sourceOf({ content: [PNG] }),
      sourceOf({}),
    ];
    const textures = await loadTextures(sources, read, issues);
    expect(textures.map((texture) => texture?.mimeType ?? null)).toEqual([
      'image/jpeg',
      'image/jpeg',
      null,
      'image/webp',
      null,
      'image/png',
      null,
    ]);
    expect(asked).toEqual(['a/skin.png', 'skin.png', 'b.tga', 'c.webp', 'gone.png']);
    expect(issues.map(({ code, where }) => [code, where.resource])).toEqual([
      ['FBX_MATERIAL', undefined],
      ['RESOURCE_MISSING', 'gone.png'],
      ['RESOURCE_MISSING', undefined],
    ]);
  });

  it('reports images beside the file as missing without readResource', async () => {
    const issues: Issue[] = [];
    expect(await loadTextures([sourceOf({ files: { FileName: 'a.png' } })], undefined, issues)).toEqual([null]);
    expect(issues).toMatchObject([{ code: 'RESOURCE_MISSING' }]);
  });
});
