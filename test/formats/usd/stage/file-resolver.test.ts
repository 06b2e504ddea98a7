import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { writeUsdz } from '../../../../src/formats/usd/package/write-usdz.ts';
import { makeFileResolver, type ReadFile } from '../../../../src/formats/usd/stage/file-resolver.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import type { Stage } from '../../../../src/formats/usd/stage/stage.ts';
import { asset, HAS_ASSETS } from '../../../assets.ts';
import { plain } from './scene.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(`#usda 1.0\n${text}`);
const layerOf = (arcs: string, value: number): Uint8Array =>
  bytesOf(`(\n  defaultPrim = "A"\n)\ndef "A" (\n  references = [${arcs}]\n)\n{\n  int v${value} = ${value}\n}\n`);

function open(path: string, readFile: ReadFile): Stage {
  const resolve = makeFileResolver(readFile);
  const root = resolve(path, '');
  if (root === null) throw new Error(`no ${path}`);
  return openStage(root.layer, { id: root.id, resolve });
}

const from =
  (files: Readonly<Record<string, Uint8Array>>): ReadFile =>
  (path) =>
    files[path] ?? null;

describe('makeFileResolver', () => {
  it('starts from the folder of the layer that names a file', () => {
    const stage = open(
      'scenes/a.usda',
      from({
        'scenes/a.usda': layerOf('@./sub/b.usda@', 1),
        'scenes/sub/b.usda': layerOf('@../../c.usda@', 2),
        'c.usda': layerOf('@../d.usda@', 3),
        '../d.usda': layerOf('', 4),
      }),
    );
    expect(stage.issues).toEqual([]);
    expect([1, 2, 3, 4].map((v) => plain(stage, '/A', `v${v}`))).toEqual([1, 2, 3, 4]);
  });

  it('stays inside of packages, and goes into those that are named', () => {
    const inner = writeUsdz([
      { name: 'x/root.usda', bytes: layerOf('@side.usda@', 3) },
      { name: 'x/side.usda', bytes: layerOf('@../out.usda@', 4) },
      { name: 'other.usda', bytes: layerOf('', 6) },
    ]);
    const outer = writeUsdz([
      { name: 'first.usda', bytes: layerOf('@./in.usdz@, @./in.usdz[other.usda]@', 2) },
      { name: 'in.usdz', bytes: inner },
    ]);
    const stage = open(
      'a.usda',
      from({ 'a.usda': layerOf('@dir/p.usdz@', 1), 'dir/p.usdz': outer, 'dir/out.usda': layerOf('', 5) }),
    );
    expect([1, 2, 3, 4, 5, 6].map((v) => plain(stage, '/A', `v${v}`))).toEqual([1, 2, 3, 4, null, 6]);
    expect(stage.issues).toMatchObject([
      { code: 'RESOURCE_MISSING', where: { resource: 'dir/p.usdz[in.usdz[x/side.usda]]' } },
    ]);
  });

  it('reads a layer once, under whatever name', () => {
    let reads = 0;
    const resolve = makeFileResolver((path) => {
      reads += path === 'b.usda' ? 1 : 0;
      return path === 'b.usda' ? layerOf('', 1) : null;
    });
    const opened = ['./b.usda', 'b.usda', 'x/../b.usda'].map((name) => resolve(name, 'a.usda'));
    expect(opened[0]).not.toBeNull();
    expect(new Set(opened).size).toBe(1);
    expect(reads).toBe(1);
  });

  it('finds nothing in files that are no packages, nor beside packages that have it not', () => {
    const resolve = makeFileResolver(
      from({ 'a.usda': layerOf('', 1), 'p.usdz': writeUsdz([{ name: 'r.usda', bytes: layerOf('', 2) }]) }),
    );
    expect([
      resolve('a.usda[b]', ''),
      resolve('p.usdz[b]', ''),
      resolve('none', ''),
      resolve('/none', 'a.usda'),
    ]).toEqual([null, null, null, null]);
    expect(resolve('p.usdz', '')?.id).toBe('p.usdz[r.usda]');
  });
});

describe.skipIf(!HAS_ASSETS)('packages of OpenUSD', () => {
  const folder = asset('conformance/usd/openusd/pxr/usd/usd/testenv/testUsdUsdzFileFormat');
  const stageIn = (name: string): Stage =>
    open(`${folder}/${name}.usdz`, (path) => (existsSync(path) ? readFileSync(path) : null));

  it.each(['anchored_refs', 'anchored_refs_sub', 'nested_anchored_refs', 'nested_anchored_refs_sub'])(
    '%s: paths from the folder of the layer',
    (name) => {
      const stage = stageIn(name);
      expect(stage.issues).toEqual([]);
      const [prim] = stage.prims;
      expect(['attr_usd', 'attr_usda', 'attr_usdc'].map((attribute) => plain(stage, prim.path, attribute))).toEqual([
        'usd',
        'usda',
        'usdc',
      ]);
    },
  );

  it.each(['search_refs', 'search_refs_sub', 'nested_search_refs', 'nested_search_refs_sub'])(
    '%s: then from the folder of the root layer',
    (name) => {
      const stage = stageIn(name);
      expect(stage.issues).toEqual([]);
      const [prim] = stage.prims;
      const texts = ['attr_in_root', 'attr_in_both', 'attr_in_subdir'].map((attribute) =>
        plain(stage, prim.path, attribute),
      );
      expect(texts).toEqual(['attr_in_root', 'right_attr_in_both', 'attr_in_subdir']);
    },
  );
});
