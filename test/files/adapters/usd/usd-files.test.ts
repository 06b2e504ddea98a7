import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import {
  createUsdFiles,
  loadAssets,
  loadLayers,
  loadTiles,
  loadWanted,
  type UsdFiles,
} from '../../../../src/files/adapters/usd/usd-files.ts';
import { loadedPaths } from '../../../../src/files/adapters/usd/usd-source.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(`#usda 1.0\n${text}`);
const layer = (references: string, image = ''): Uint8Array =>
  bytesOf(`def "A" (\n  references = [${references}]\n)\n{\n  asset image = @${image}@\n}\n`);
const IMAGE = Uint8Array.of(1, 2, 3);

/** Loads the layers and assets of a scene. */
async function load(
  root: Uint8Array,
  others: Readonly<Record<string, Uint8Array>> | undefined,
): Promise<{ files: UsdFiles; asked: string[] }> {
  const asked: string[] = [];
  const read = async (path: string): Promise<Uint8Array> => {
    asked.push(path);
    if (others?.[path] === undefined) throw Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' });
    return others[path];
  };
  const files = createUsdFiles('a.usda', root);
  const readResource = others === undefined ? undefined : read;
  await loadLayers(files, files.resolve('a.usda', '')!, readResource);
  await loadAssets(files, readResource);
  return { files, asked };
}

describe('UsdFiles', () => {
  it('loads layers and assets of attributes once each, also in a reference cycle', async () => {
    const { files, asked } = await load(layer('@b.usda@, @parts/c.usda@'), {
      'b.usda': layer('@a.usda@, @parts/c.usda@', 'skin.png'),
      'parts/c.usda': layer('@../b.usda@', 'skin.png'),
      'skin.png': IMAGE,
      'parts/skin.png': IMAGE,
    });
    expect(asked).toEqual(['b.usda', 'parts/c.usda', 'skin.png', 'parts/skin.png']);
    expect(loadedPaths(files)).toEqual(asked);
    expect([...files.layers.keys()]).toEqual(['a.usda', 'b.usda', 'parts/c.usda']);
    expect(files.readAsset('skin.png', 'parts/c.usda')).toEqual(IMAGE);
    expect(files.wanted.size).toBe(0);
  });

  it('records the reason for missing files, and loads the others', async () => {
    const { files, asked } = await load(layer('@none.usda@, @omniverse://x/y.usd@, @b.usda@', 'C:/skin.png'), {
      'b.usda': layer(''),
    });
    expect(asked).toEqual(['none.usda', 'b.usda', 'C:/skin.png']);
    expect(Object.fromEntries([...files.known].slice(1).filter(([, found]) => typeof found === 'string'))).toEqual({
      'none.usda': 'it does not exist',
      'omniverse://x/y.usd': 'it is a URL, and anyrig downloads nothing',
      'C:/skin.png': 'it does not exist',
    });
    expect(loadedPaths(files)).toEqual(['b.usda']);
    expect(() => files.resolve('none.usda', 'a.usda')).toThrow(FormatError);
    expect(() => files.readAsset('C:/skin.png', 'a.usda')).toThrow('it does not exist');
  });

  it('contains only the first file without readResource', async () => {
    const { files } = await load(layer('@b.usda@'), undefined);
    expect(files.known.get('b.usda')).toBe('the scene was opened without a way to read other files');
    expect(loadedPaths(files)).toEqual([]);
  });

  it('loads all tiles of a UDIM image with loadTiles', async () => {
    const others: Record<string, Uint8Array> = {
      'skin.1001.png': IMAGE,
      'skin.1003.png': IMAGE,
      'skin.1100.png': IMAGE,
    };
    const { files } = await load(layer('', './skin.<UDIM>.png'), others);
    expect(loadedPaths(files)).toEqual(['skin.1001.png']);
    await loadTiles(files, async (path) => {
      if (others[path] === undefined) throw new Error('it does not exist');
      return others[path];
    });
    expect([...files.known.keys()]).toEqual(['a.usda', ...Object.keys(others)]);
  });

  it('requests files when they are resolved', async () => {
    const files = createUsdFiles('a.usda', layer(''));
    expect(files.readAsset('late.png', 'a.usda')).toBeNull();
    expect([...files.wanted]).toEqual(['late.png']);
    await loadWanted(files, async () => IMAGE);
    expect([files.wanted.size, files.readAsset('late.png', 'a.usda')]).toEqual([0, IMAGE]);
  });
});
