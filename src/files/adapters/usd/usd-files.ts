/** The files that a USD scene references, read on request. Runs in browsers and Node. */

import type { ReadResource } from '../../../core/asset/asset.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import { createFileAccess, type FileAccess } from '../../../formats/usd/stage/file-resolver.ts';
import { attributeAssets, layerAssets } from '../../../formats/usd/stage/layer-assets.ts';
import type { OpenedLayer } from '../../../formats/usd/stage/layer-stack.ts';
import { systemReason } from '../../reports/system-reason.ts';

/** The files of a scene, as far as they were read. */
export interface UsdFiles extends FileAccess {
  /** Bytes, or the reason why they are missing, by the path from the folder of the root layer. The first entry is the file itself. */
  readonly known: Map<string, Uint8Array | string>;
  /** Paths that `resolve` and `readAsset` were asked for and that are not loaded yet. */
  readonly wanted: Set<string>;
  /** The layers that were found by identifier, the root first. */
  readonly layers: Map<string, OpenedLayer>;
}

/** Maximum number of referenced files, as protection against malicious input. */
const MAX_FILES = 10_000;

/** Matches URI schemes such as `http:` and `omniverse:`, but not Windows drive letters. */
const SCHEME = /^[a-z][\w+.-]+:/i;

export function createUsdFiles(path: string, bytes: Uint8Array): UsdFiles {
  const known = new Map<string, Uint8Array | string>([[path, bytes]]);
  const wanted = new Set<string>();
  const access = createFileAccess((file) => {
    const found = known.get(file);
    if (found === undefined) wanted.add(file);
    if (typeof found === 'string') throw new FormatError('FILE_NOT_FOUND', found);
    return found ?? null;
  });
  return { known, wanted, layers: new Map(), ...access };
}

/**
 * Loads the requested files one after the other. `readResource` reads a file; undefined reads none. Throws FormatError `USD_LIMIT` for too many
 * files.
 */
export async function loadWanted({ known, wanted }: UsdFiles, readResource: ReadResource | undefined): Promise<void> {
  for (const path of wanted) {
    if (known.size > MAX_FILES) {
      const message = `The scene references more than ${MAX_FILES} files, the limit of anyrig; split or flatten it`;
      throw new FormatError('USD_LIMIT', message);
    }
    known.set(path, await load(path, readResource));
  }
  wanted.clear();
}

async function load(path: string, readResource: ReadResource | undefined): Promise<Uint8Array | string> {
  if (SCHEME.test(path)) return 'it is a URL, and anyrig downloads nothing';
  if (readResource === undefined) return 'the scene was opened without a way to read other files';
  try {
    return await readResource(path);
  } catch (error) {
    return systemReason(error);
  }
}

/** Calls `find`; returns null for unreadable files, which are reported when they are used. */
function tryFind<Found>(find: () => Found | null): Found | null {
  try {
    return find();
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}

/**
 * Loads the layers that layers reference, recursively, before the stage is composed. `readResource` reads a file; undefined reads none. Throws
 * FormatError `USD_LIMIT` for too many files.
 */
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

/**
 * Loads images and other assets of attributes, so that `readAsset` returns them. `readResource` reads a file; undefined reads none. Throws
 * FormatError `USD_LIMIT` for too many files.
 */
export async function loadAssets(files: UsdFiles, readResource: ReadResource | undefined): Promise<void> {
  for (const { layer, id } of files.layers.values()) {
    for (const asset of attributeAssets(layer)) tryFind(() => files.readAsset(asset, id));
  }
  await loadWanted(files, readResource);
}

/** Placeholder for the tile number in an image path, and the tiles after the first, which `loadAssets` loads. */
const TILES = '<UDIM>';
const MORE_TILES = Array.from({ length: 99 }, (_, k) => `${1002 + k}`);

/**
 * Loads the other tiles of UDIM images as far as they exist, for copies of the scene. Reading needs only the first tile. `readResource` reads a
 * file; undefined reads none. Throws FormatError `USD_LIMIT` for too many files.
 */
export async function loadTiles(files: UsdFiles, readResource: ReadResource | undefined): Promise<void> {
  for (const { layer, id } of files.layers.values()) {
    for (const asset of attributeAssets(layer)) {
      if (!asset.includes(TILES)) continue;
      for (const tile of MORE_TILES) tryFind(() => files.readAsset(asset.replace(TILES, tile), id));
      const asked = [...files.wanted];
      await loadWanted(files, readResource);
      // A scene does not declare how many tiles exist, so missing ones are no error.
      for (const path of asked) if (typeof files.known.get(path) === 'string') files.known.delete(path);
    }
  }
}
