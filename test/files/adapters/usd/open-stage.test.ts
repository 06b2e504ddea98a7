import { mkdirSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { openUsdStage } from '../../../../src/files/adapters/usd/open-stage.ts';
import { loadedPaths } from '../../../../src/files/adapters/usd/usd-source.ts';
import { resourceReader } from '../../../../src/files/node/read-input.ts';
import { serializeUsdc } from '../../../../src/formats/usd/crate/serialize-usdc.ts';
import { writeUsdz } from '../../../../src/formats/usd/package/write-usdz.ts';
import { attributeValue } from '../../../../src/formats/usd/stage/attribute-values.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { temporaryFolder } from '../../../support/make/demo-files.ts';

const textOf = (text: string): Uint8Array => new TextEncoder().encode(`#usda 1.0\n${text}`);
/** Creates a layer with a prim A that has its own attribute and references. */
const layerOf = (value: number, arcs = ''): Uint8Array =>
  textOf(`(\n  defaultPrim = "A"\n)\ndef "A" (\n  references = [${arcs}]\n)\n{\n  int v${value} = ${value}\n}\n`);
const crateOf = (bytes: Uint8Array): Uint8Array => serializeUsdc(parseUsda(new TextDecoder().decode(bytes)));

/** Creates a reader of some files that records the requested paths. */
function readerOf(files: Readonly<Record<string, Uint8Array>>): {
  asked: string[];
  read: (path: string) => Promise<Uint8Array>;
} {
  const asked: string[] = [];
  const read = async (path: string): Promise<Uint8Array> => {
    asked.push(path);
    if (files[path] === undefined) throw new Error('it does not exist');
    return files[path];
  };
  return { asked, read };
}

type Opened = Awaited<ReturnType<typeof openUsdStage>>;
const valuesIn = ({ stage }: Opened, names: readonly string[]): unknown[] =>
  names.map((name) => {
    const value = attributeValue(stage, '/A', name, 'default');
    return value !== null && 'numbers' in value ? Number(value.numbers[0]) : null;
  });
const messages = ({ stage }: Opened): string[] => stage.issues.map(({ message }) => message);

describe('openUsdStage', () => {
  it('opens a scene with all references, recursively and of every kind', async () => {
    const { asked, read } = readerOf({
      'parts/b.usdc': crateOf(layerOf(2, '@../c.usda@')),
      'c.usda': layerOf(3, '@../outside/d.usda@'),
      '../outside/d.usda': layerOf(4, '@e.usdz@'),
      '../outside/e.usdz': writeUsdz([
        { name: 'r.usdc', bytes: crateOf(layerOf(5, '@sub/f.usda@')) },
        { name: 'sub/f.usda', bytes: layerOf(6) },
      ]),
    });
    const file = await openUsdStage(layerOf(1, '@parts/b.usdc@'), { name: 'folder/a.usda', readResource: read });
    expect(valuesIn(file, ['v1', 'v2', 'v3', 'v4', 'v5', 'v6'])).toEqual([1, 2, 3, 4, 5, 6]);
    expect(file.stage.issues).toEqual([]);
    expect([file.kind, file.id, file.package]).toEqual(['usda', 'a.usda', null]);
    expect(file.layer.specs.has('/A.v1')).toBe(true);
    expect(asked).toEqual(['parts/b.usdc', 'c.usda', '../outside/d.usda', '../outside/e.usdz']);
    expect(loadedPaths(file.files)).toEqual(asked);
  });

  it('lists the files of a package, and opens its first layer', async () => {
    const bytes = writeUsdz([
      { name: 'x/r.usda', bytes: layerOf(1, '@s.usda@, @../../out.usda@') },
      { name: 'x/s.usda', bytes: layerOf(2) },
      { name: 'x/skin.png', bytes: new Uint8Array(3) },
    ]);
    const { asked, read } = readerOf({ 'out.usda': layerOf(3) });
    const file = await openUsdStage(bytes, { name: 'a.usdz', readResource: read });
    expect([file.kind, file.id]).toEqual(['usdz', 'a.usdz[x/r.usda]']);
    expect(file.package?.entries.map(({ name }) => name)).toEqual(['x/r.usda', 'x/s.usda', 'x/skin.png']);
    expect(valuesIn(file, ['v1', 'v2', 'v3'])).toEqual([1, 2, null]);
    expect(asked).toEqual([]);
  });

  it('reads value clips that follow a name template', async () => {
    const clip = textOf('def "A" {\n  int v.timeSamples = { 0: 1, 1: 2 }\n}\n'.replace(' }\n', '\n  }\n'));
    const { asked, read } = readerOf({
      'clip.1.usda': clip,
      'clip.2.usda': clip,
      'manifest.usda': textOf('over "A" {\n  int v\n}\n'),
    });
    const clips = `clips = {
      dictionary default = {
        asset manifestAssetPath = @./manifest.usda@
        string primPath = "/A"
        string templateAssetPath = "./clip.#.usda"
        double templateStartTime = 1
        double templateEndTime = 3
        double templateStride = 1
      }
    }`;
    const file = await openUsdStage(textOf(`def "A" (\n${clips}\n)\n{\n  int v\n}\n`), { readResource: read });
    expect(asked).toEqual(['manifest.usda', 'clip.1.usda', 'clip.2.usda', 'clip.3.usda']);
    expect(loadedPaths(file.files)).toEqual(['manifest.usda', 'clip.1.usda', 'clip.2.usda']);
    expect(file.stage.clipSets.get('/A')?.[0].clips.length).toBe(2);
    expect(file.stage.issues).toEqual([]);
  });

  it('leaves out missing, damaged and remote layers, with the reason', async () => {
    const { asked, read } = readerOf({ 'bad.usda': new TextEncoder().encode('hello') });
    const root = layerOf(1, '@none.usda@, @bad.usda@, @https://example.org/x.usda@');
    const file = await openUsdStage(root, { name: 'a.usda', readResource: read });
    expect(valuesIn(file, ['v1'])).toEqual([1]);
    expect(asked).toEqual(['none.usda', 'bad.usda']);
    expect(messages(file)).toEqual([
      'The layer @none.usda@ was ignored: it does not exist.',
      'The layer @bad.usda@ was ignored: Found neither #usda, PXR-USDC nor a zip signature at the start, expected a USD file.',
      'The layer @https://example.org/x.usda@ was ignored: it is a URL, and anyrig downloads nothing.',
    ]);
    expect(messages(await openUsdStage(root))[0]).toMatch(/without a way to read other files/);
  });

  it('throws for content that is not USD', async () => {
    const failure = (bytes: Uint8Array): Promise<unknown> => openUsdStage(bytes).catch((error: unknown) => error);
    expect(await failure(new TextEncoder().encode('hello'))).toMatchObject({ code: 'USD_SYNTAX' });
    expect(await failure(new TextEncoder().encode('PXR-USDC'))).toMatchObject({ code: 'USD_CRATE' });
    const pictures = writeUsdz([{ name: 'skin.usd', bytes: new Uint8Array(3) }]);
    expect(await failure(pictures)).toMatchObject({
      code: 'USD_PACKAGE',
      message: expect.stringMatching(/Found skin/),
    });
  });

  it('throws for more than 10000 references', async () => {
    const arcs = Array.from({ length: 10_001 }, (_, k) => `@n${k}.usda@`).join(', ');
    const { asked, read } = readerOf({});
    await expect(openUsdStage(layerOf(1, arcs), { readResource: read })).rejects.toMatchObject({ code: 'USD_LIMIT' });
    expect(asked.length).toBe(10_000);
  });
});

describe('openUsdStage: scene on disk', () => {
  const at = temporaryFolder();

  beforeAll(() => {
    mkdirSync(at('shots/one'), { recursive: true });
    mkdirSync(at('bodies'));
    writeFileSync(at('shots/one/near.usda'), layerOf(2));
    writeFileSync(at('bodies/hero.usda'), layerOf(3));
  });

  it('reads files of its own folder, and of other folders with an allowed root', async () => {
    const scene = layerOf(1, '@near.usda@, @../../bodies/hero.usda@');
    const path = at('shots/one/shot.usda');
    const own = await openUsdStage(scene, { name: path, readResource: resourceReader(path) });
    expect(valuesIn(own, ['v1', 'v2', 'v3'])).toEqual([1, 2, null]);
    expect(messages(own)).toEqual([
      'The layer @../../bodies/hero.usda@ was ignored: The file ../../bodies/hero.usda is outside of the folder of the asset; allow a folder with the option assetRoot.',
    ]);
    const all = await openUsdStage(scene, { name: path, readResource: resourceReader(path, at()) });
    expect(valuesIn(all, ['v1', 'v2', 'v3'])).toEqual([1, 2, 3]);
    expect(all.stage.issues).toEqual([]);
    const absolute = layerOf(1, `@${at('bodies/hero.usda')}@`);
    const options = { name: path, readResource: resourceReader(path, at('bodies')) };
    expect(valuesIn(await openUsdStage(absolute, options), ['v1', 'v3'])).toEqual([1, 3]);
  });
});
