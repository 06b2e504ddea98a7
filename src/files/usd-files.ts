/** The files that a USD scene names, read as they are asked for. Runs in browsers and Node. */
import { FormatError } from '../core/report/format-error.ts';
import type { ReadResource } from '../formats/gltf/buffers.ts';
import type { Usdz } from '../formats/usd/package/read-usdz.ts';
import { makeFileAccess } from '../formats/usd/stage/file-resolver.ts';
import { attributeAssets, layerAssets } from '../formats/usd/stage/layer-assets.ts';
import type { OpenedLayer, ResolveLayer } from '../formats/usd/stage/layer-stack.ts';
import type { ReadAsset } from '../formats/usd/stage/read-asset.ts';
import { systemReason } from './system-reason.ts';

/** The files of a scene, as far as they were read. */
export interface UsdFiles {
  /** Bytes, or why there are none, by the path from the folder of the root layer; the file itself too. */
  readonly known: Map<string, Uint8Array | string>;
  /** Those that somebody asked for in vain. */
  readonly wanted: Set<string>;
  /** The layers that were found, the root first. */
  readonly layers: Map<string, OpenedLayer>;
  readonly resolve: ResolveLayer;
  readonly readAsset: ReadAsset;
  readonly openedPackage: (path: string) => Usdz | null;
}

/** Files that a scene may name: more is an attack. */
const MAX_FILES = 10_000;

/** `http:`, `omniverse:` …, but no drives of Windows. */
const SCHEME = /^[a-z][\w+.-]+:/i;

/** The files of a scene of which the first is there. */
export function makeUsdFiles(path: string, bytes: Uint8Array): UsdFiles {
  const known = new Map<string, Uint8Array | string>([[path, bytes]]);
  const wanted = new Set<string>();
  const access = makeFileAccess((file) => {
    const found = known.get(file);
    if (found === undefined) wanted.add(file);
    if (typeof found === 'string') throw new FormatError('FILE_NOT_FOUND', found);
    return found ?? null;
  });
  return { known, wanted, layers: new Map(), ...access };
}

/** Loads what is wanted, one after the other. USD_LIMIT for too many files. */
export async function loadWanted({ known, wanted }: UsdFiles, readResource: ReadResource | undefined): Promise<void> {
  for (const path of wanted) {
    if (known.size > MAX_FILES)
      throw new FormatError('USD_LIMIT', `The scene names more than ${MAX_FILES} files, which anyrig does not open`);
    known.set(path, await load(path, readResource));
  }
  wanted.clear();
}

async function load(path: string, readResource: ReadResource | undefined): Promise<Uint8Array | string> {
  if (SCHEME.test(path)) return 'it is no path, and anyrig fetches nothing';
  if (readResource === undefined) return 'only the file that names it was handed over';
  try {
    return await readResource(path);
  } catch (error) {
    return systemReason(error);
  }
}

/** What is found; null too for what cannot be read: whoever needs it is told then. */
function tryFind<Found>(find: () => Found | null): Found | null {
  try {
    return find();
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}

/** The layers that layers name, with what these name, loaded before anything is composed. */
export async function loadLayers(
  files: UsdFiles,
  root: OpenedLayer,
  readResource: ReadResource | undefined,
): Promise<void> {
  files.layers.set(root.id, root);
  for (let open = [root]; open.length > 0; ) {
    const named = open.flatMap(({ layer, id }) => layerAssets(layer).map((asset) => ({ asset, id })));
    for (const { asset, id } of named) tryFind(() => files.resolve(asset, id));
    await loadWanted(files, readResource);
    open = [];
    for (const { asset, id } of named) {
      const found = tryFind(() => files.resolve(asset, id));
      if (found === null || files.layers.has(found.id)) continue;
      files.layers.set(found.id, found);
      open.push(found);
    }
  }
}

/** Loads images and whatever else attributes name, so that `readAsset` has them. */
export async function loadAssets(files: UsdFiles, readResource: ReadResource | undefined): Promise<void> {
  for (const { layer, id } of files.layers.values()) {
    for (const asset of attributeAssets(layer)) tryFind(() => files.readAsset(asset, id));
  }
  await loadWanted(files, readResource);
}

/** What stands for the number of a tile in the path of an image, and the tiles behind the first, which is read as the image. */
const TILES = '<UDIM>';
const MORE_TILES = Array.from({ length: 99 }, (_, k) => `${1002 + k}`);

/** Loads the other tiles of images that come in tiles, as far as they are there: for copies; nothing that is read needs them. */
export async function loadTiles(files: UsdFiles, readResource: ReadResource | undefined): Promise<void> {
  for (const { layer, id } of files.layers.values()) {
    for (const asset of attributeAssets(layer)) {
      if (!asset.includes(TILES)) continue;
      for (const tile of MORE_TILES) tryFind(() => files.readAsset(asset.replace(TILES, tile), id));
      const asked = [...files.wanted];
      await loadWanted(files, readResource);
      // Nobody says how many there are.
      for (const path of asked) if (typeof files.known.get(path) === 'string') files.known.delete(path);
    }
  }
}
