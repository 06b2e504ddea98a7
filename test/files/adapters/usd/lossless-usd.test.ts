import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { losslessUsdFiles } from '../../../../src/files/adapters/usd/lossless-usd.ts';
import { type OpenFile, openBytes } from '../../../../src/files/open.ts';
import type { OutputFile } from '../../../../src/files/outputs/output-file.ts';
import type { UsdFormat } from '../../../../src/files/outputs/output-format.ts';
import { concatParts } from '../../../../src/formats/gltf/document/glb.ts';
import { readUsdz, type UsdzEntry } from '../../../../src/formats/usd/package/read-usdz.ts';
import { writeUsdz } from '../../../../src/formats/usd/package/write-usdz.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { addAnimations } from '../../../../src/formats/usd/write/add-animations.ts';
import { openDemo } from '../../../support/make/demo-files.ts';
import { usdSourceOf } from '../../../support/make/opened.ts';
import { demoUsd } from '../../../support/make/usd-demo.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(`#usda 1.0\n${text}`);
const textIn = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
/** A prim that references another file, and an image. */
const scene = (body: string, image = 'skin.png'): Uint8Array =>
  bytesOf(`def "Hero" (\n  references = @${body}@</Body>\n)\n{\n  asset image = @${image}@\n}\n`);
const BODY = bytesOf('def "Body" {\n  int fingers = 10\n}\n');
const PNG = Uint8Array.of(1, 2, 3);

/** Opens a scene among other files. */
async function open(name: string, bytes: Uint8Array, others: Readonly<Record<string, Uint8Array>>): Promise<OpenFile> {
  const readResource = async (path: string): Promise<Uint8Array> => {
    if (others[path] === undefined) throw new Error('it does not exist');
    return others[path];
  };
  return openBytes(bytes, { name, readResource });
}

interface Written {
  readonly outputs: readonly OutputFile[];
  readonly issues: readonly Issue[];
}

async function write(file: OpenFile, path: string, format: UsdFormat): Promise<Written> {
  const issues: Issue[] = [];
  const source = usdSourceOf(file);
  return { outputs: await losslessUsdFiles(file, source, source.layer, { path, format }, issues), issues };
}

const namesIn = ([{ parts }]: readonly OutputFile[]): string[] => readUsdz(concatParts(parts)).entries.map(nameOf);
const nameOf = ({ name }: UsdzEntry): string => name;
const pathsOf = (outputs: readonly OutputFile[]): string[] => outputs.map(({ path }) => path);

/** Checks that the reference of the prim resolves in a written package. */
async function fingersIn([{ parts }]: readonly OutputFile[]): Promise<boolean> {
  const { stage, files } = usdSourceOf(await openBytes(concatParts(parts), { name: 'made.usdz' }));
  expect(stage.issues).toEqual([]);
  return stage.prims.some(({ path }) => path === '/Hero') && files.layers.size === 2;
}

describe('losslessUsdFiles', () => {
  it('packs or copies the files that a layer references', async () => {
    const file = await open('in/shot.usda', scene('parts/body.usda'), { 'parts/body.usda': BODY, 'skin.png': PNG });
    const packed = await write(file, 'out/hero.usdz', 'usdz');
    expect(packed.issues).toEqual([]);
    expect(namesIn(packed.outputs)).toEqual(['shot.usda', 'parts/body.usda', 'skin.png']);
    expect(await fingersIn(packed.outputs)).toBe(true);
    const beside = await write(file, 'out/hero.usdc', 'usdc');
    expect(pathsOf(beside.outputs)).toEqual(['out/parts/body.usda', 'out/skin.png', 'out/hero.usdc']);
    expect(textIn(beside.outputs[2].parts[0]).slice(0, 8)).toBe('PXR-USDC');
  });

  it('copies all tiles of a UDIM image', async () => {
    const tiles = { 'skin.1001.png': PNG, 'skin.1002.png': PNG, 'skin.1011.png': PNG };
    const file = await open('shot.usda', scene('body.usda', 'skin.<UDIM>.png'), { 'body.usda': BODY, ...tiles });
    const { outputs, issues } = await write(file, 'hero.usdz', 'usdz');
    expect(issues).toEqual([]);
    expect(namesIn(outputs)).toEqual(['shot.usda', 'body.usda', ...Object.keys(tiles)]);
  });

  it('packs files from parent folders so that paths stay valid', async () => {
    const others = { '../../chars/scene/body.usda': BODY, '../skin.png': PNG };
    const file = await open('shots/10/shot.usda', scene('../../chars/scene/body.usda', '../skin.png'), others);
    const { outputs, issues } = await write(file, 'shot.usdz', 'usdz');
    expect(issues).toEqual([]);
    expect(namesIn(outputs)).toEqual(['scene_/scene_/shot.usda', 'chars/scene/body.usda', 'scene_/skin.png']);
    expect(await fingersIn(outputs)).toBe(true);
  });

  it('reports files that the output in another folder cannot find', async () => {
    const file = await open('shots/10/shot.usda', scene('../../chars/body.usda'), {
      '../../chars/body.usda': BODY,
      'skin.png': PNG,
    });
    for (const path of ['shots/10/new.usda', './shots/20/new.usda', 'shots/x/../10/new.usda']) {
      expect((await write(file, path, 'usda')).issues, path).toEqual([]);
    }
    const { outputs, issues } = await write(file, 'new.usda', 'usda');
    expect(pathsOf(outputs)).toEqual(['skin.png', 'new.usda']);
    expect(issues).toMatchObject([{ code: 'RESOURCE_NOT_COPIED', where: { resource: '../../chars/body.usda' } }]);
    expect(issues[0].message).toMatch(/write a \.usdz to include it/);
  });

  it('reports files that are missing or have absolute paths', async () => {
    const file = await open('shot.usda', scene('/chars/body.usda'), { '/chars/body.usda': BODY });
    const { outputs, issues } = await write(file, 'shot.usdz', 'usdz');
    expect(namesIn(outputs)).toEqual(['shot.usda']);
    expect(issues.map(({ message }) => message.replace(/^.*lack it: /, ''))).toEqual([
      '/chars/body.usda: it is an absolute path',
      'skin.png: it does not exist',
    ]);
  });

  it('gives the root layer of a package a unique name', async () => {
    const file = await open('scene', scene('scene.usda'), { 'scene.usda': BODY, 'skin.png': PNG });
    const { outputs } = await write(file, 'hero.usdz', 'usdz');
    expect(namesIn(outputs)).toEqual(['_scene.usda', 'scene.usda', 'skin.png']);
    expect(await fingersIn(outputs)).toBe(true);
  });

  it('keeps the bytes of unedited layers and packages', async () => {
    const text = bytesOf('# a comment\ndef "Hero" {\n}\n');
    const unchanged = await write(await open('a.usda', text, {}), 'b.usda', 'usda');
    expect(unchanged.outputs).toEqual([{ path: 'b.usda', parts: [text] }]);
    const usdz = writeUsdz([{ name: 'x/a.usda', bytes: text }]);
    expect((await write(await open('a.usdz', usdz, {}), 'b.usdz', 'usdz')).outputs[0].parts).toEqual([usdz]);
    const made = await write(await open('a.usda', text, {}), 'b.usd', 'usd');
    expect(textIn(made.outputs[0].parts[0]).slice(0, 8)).toBe('PXR-USDC');
  });

  it('names the root layer of a package after its kind when its name does not tell it', async () => {
    const named = writeUsdz([{ name: 'x/a.usda', bytes: BODY }]);
    // In the directory at the end alone: by the name at the start the file is known to be a package.
    named[Buffer.from(named).lastIndexOf('x/a.usda') + 'x/a.'.length] = 'B'.charCodeAt(0);
    const file = await open('a.usdz', named, {});
    const source = usdSourceOf(file);
    const destination = { path: 'b.usdz', format: 'usdz' } as const;
    expect(namesIn(await losslessUsdFiles(file, source, { ...source.layer }, destination, []))).toEqual(['x/a.usda']);
  });

  it('keeps the file paths of a package when its root layer is edited', async () => {
    const character = await demoUsd('mixamo.glb', 'mixamo.usdc');
    const root = bytesOf('def "Hero" (\n  references = @../chars/body.usdc@</mixamo>\n)\n{\n}\n');
    const usdz = writeUsdz([
      { name: 'shots/shot.usda', bytes: root },
      { name: 'chars/body.usdc', bytes: character },
      { name: 'skin.png', bytes: PNG },
    ]);
    const file = await openBytes(usdz, { name: 'a.usdz' });
    const { asset } = await openDemo('mixamo.glb');
    const [{ sourceNodes, skeleton }] = file.asset.skeletons;
    const target = skeleton.names.indexOf(asset.skeletons[0].skeleton.names[5]);
    const times = Float32Array.of(0, 1);
    const values = Float32Array.of(0, 0, 0, 1, 0, 0, 1, 0);
    const clip = {
      name: 'Turn',
      duration: 1,
      tracks: [{ target, path: 'rotation', interpolation: 'LINEAR', times, values } as const],
    };
    const source = usdSourceOf(file);
    const added = addAnimations(source.scene, source.layer, [{ name: 'Turn', clip, sourceNodes, morphs: [] }], {
      replace: false,
    });
    const issues: Issue[] = [...added.issues];
    const destination = { path: 'b.usdz', format: 'usdz' } as const;
    const outputs = await losslessUsdFiles(file, source, added.layer, destination, issues);
    expect(issues).toEqual([]);
    expect(namesIn(outputs)).toEqual(['shots/shot.usda', 'chars/body.usdc', 'skin.png']);
    const read = await openBytes(concatParts(outputs[0].parts), { name: 'b.usdz' });
    expect(read.asset.clips.map(({ name }) => name)).toEqual(['Turn']);
    expect(read.asset.skeletons[0].skeleton.names).toEqual(skeleton.names);

    const unpacked = await write(file, 'out/b.usda', 'usda');
    expect(pathsOf(unpacked.outputs)).toEqual(['out/b.usda']);
    expect(parseUsda(textIn(concatParts(unpacked.outputs[0].parts))).specs.has('/Hero')).toBe(true);
    expect(unpacked.issues.map(({ where }) => where.resource)).toEqual(['chars/body.usdc', 'skin.png']);
  });
});
