import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import { writeUsdz } from '../../../../src/formats/usd/package/write-usdz.ts';
import {
  createFileAccess,
  createFileResolver,
  type ReadFile,
} from '../../../../src/formats/usd/stage/file-resolver.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import type { Stage } from '../../../../src/formats/usd/stage/stage.ts';
import { asset, HAS_ASSETS } from '../../../support/assets.ts';
import { plain } from './scene.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(`#usda 1.0\n${text}`);
const layerOf = (arcs: string, value: number): Uint8Array =>
  bytesOf(`(\n  defaultPrim = "A"\n)\ndef "A" (\n  references = [${arcs}]\n)\n{\n  int v${value} = ${value}\n}\n`);

function open(path: string, readFile: ReadFile): Stage {
  const resolve = createFileResolver(readFile);
  const root = resolve(path, '');
  if (root === null) throw new Error(`no ${path}`);
  return openStage(root.layer, { id: root.id, resolve });
}

const from =
  (files: Readonly<Record<string, Uint8Array>>): ReadFile =>
  (path) =>
    files[path] ?? null;

describe('openedPackage', () => {
  it('returns packages that were opened, without opening them again', () => {
    const bytes = writeUsdz([{ name: 'a.usda', bytes: layerOf('', 1) }]);
    const access = createFileAccess(from({ 'p.usdz': bytes }));
    expect(access.openedPackage('p.usdz')).toBeNull();
    access.resolve('p.usdz', '');
    expect(access.openedPackage('p.usdz')?.entries.map(({ name }) => name)).toEqual(['a.usda']);
    expect(access.openedPackage('p.usdz')).toBe(access.openedPackage('p.usdz'));
    expect(access.openedPackage('a.usda')).toBeNull();
  });
});

describe('createFileResolver', () => {
  it('resolves relative to the folder of the referencing layer', () => {
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

  it('stays inside of packages and opens referenced packages', () => {
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

  it('reads a layer once, under any path', () => {
    let reads = 0;
    const resolve = createFileResolver((path) => {
      reads += path === 'b.usda' ? 1 : 0;
      return path === 'b.usda' ? layerOf('', 1) : null;
    });
    const opened = ['./b.usda', 'b.usda', 'x/../b.usda'].map((name) => resolve(name, 'a.usda'));
    expect(opened[0]).not.toBeNull();
    expect(new Set(opened).size).toBe(1);
    expect(reads).toBe(1);
  });

  it('returns null for files that are not packages and for files missing in a package', () => {
    const resolve = createFileResolver(
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

describe('createFileAccess', () => {
  const png = (mark: number): Uint8Array => Uint8Array.of(0x89, 0x50, 0x4e, 0x47, mark);
  const inner = writeUsdz([
    { name: 'x/root.usda', bytes: layerOf('', 3) },
    { name: 'x/near.png', bytes: png(1) },
    { name: 'tex/deep.png', bytes: png(2) },
  ]);
  const outer = writeUsdz([
    { name: 'sub/first.usda', bytes: layerOf('@../in.usdz@', 2) },
    { name: 'in.usdz', bytes: inner },
    { name: 'sub/tex/a.png', bytes: png(3) },
    { name: 'b.png', bytes: png(4) },
  ]);
  const files = {
    'a.usda': layerOf('@dir/p.usdz@', 1),
    'dir/p.usdz': outer,
    'dir/b.png': png(5),
    'tex/c.png': png(6),
    'tiles/d.1001.png': png(7),
  };

  it.each([
    ['./tex/c.png', 'a.usda', 6],
    ['../tex/c.png', 'dir/x.usda', 6],
    ['dir/p.usdz[b.png]', 'a.usda', 4],
    ['./dir/p.usdz[in.usdz[tex/deep.png]]', 'a.usda', 2],
    ['dir/p.usdz[none.png]', 'a.usda', null],
    ['dir/b.png[x.png]', 'a.usda', null],
    ['tex/a.png', 'dir/p.usdz[sub/first.usda]', 3],
    ['../b.png', 'dir/p.usdz[sub/first.usda]', 4],
    // Not the file beside the package.
    ['b.png', 'dir/p.usdz[sub/first.usda]', null],
    ['../../b.png', 'dir/p.usdz[sub/first.usda]', null],
    ['near.png', 'dir/p.usdz[in.usdz[x/root.usda]]', 1],
    ['../in.usdz[x/near.png]', 'dir/p.usdz[sub/first.usda]', 1],
    ['none.png', 'a.usda', null],
    ['./tiles/d.<UDIM>.png', 'a.usda', 7],
  ])('finds @%s@ of %s', (assetPath, fromLayer, mark) => {
    const { resolve, readAsset } = createFileAccess(from(files));
    resolve('a.usda', '');
    resolve('dir/p.usdz', 'a.usda');
    expect(readAsset(assetPath, fromLayer)?.[4] ?? null).toBe(mark);
  });

  it('reads a file once for all callers, and a package once for layers and assets', () => {
    const reads: string[] = [];
    const { resolve, readAsset } = createFileAccess((path) => {
      reads.push(path);
      return from(files)(path);
    });
    const first = resolve('dir/p.usdz', '');
    const found = [
      readAsset('tex/a.png', first?.id ?? ''),
      readAsset('./tex/../tex/a.png', first?.id ?? ''),
      readAsset('dir/p.usdz[sub/tex/a.png]', ''),
    ];
    expect(new Set(found).size).toBe(1);
    expect(readAsset('tex/c.png', '')).toBe(readAsset('../tex/c.png', 'dir/a.usda'));
    expect(reads).toEqual(['dir/p.usdz', 'tex/c.png']);
  });

  it('looks for missing files again', () => {
    let isThere = false;
    const { readAsset } = createFileAccess(() => (isThere ? png(7) : null));
    expect(readAsset('a.png', '')).toBeNull();
    isThere = true;
    expect(readAsset('a.png', '')?.[4]).toBe(7);
  });

  it('reports a damaged package', () => {
    const damaged = createFileAccess(from({ 'p.usdz': Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0) }));
    expect(() => damaged.readAsset('p.usdz[a.png]', '')).toThrow(FormatError);
  });
});

describe.skipIf(!HAS_ASSETS)('packages of OpenUSD', () => {
  const folder = asset('conformance/usd/openusd/pxr/usd/usd/testenv/testUsdUsdzFileFormat');
  const stageIn = (name: string): Stage =>
    open(`${folder}/${name}.usdz`, (path) => (existsSync(path) ? readFileSync(path) : null));

  it.each(['anchored_refs', 'anchored_refs_sub', 'nested_anchored_refs', 'nested_anchored_refs_sub'])(
    '%s: resolves relative to the folder of the layer',
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
    '%s: resolves relative to the folder of the root layer second',
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
