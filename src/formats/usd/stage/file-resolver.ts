/** Finding the layers and images that layers name: in files, and inside of packages. */
import { FormatError } from '../../../core/report/format-error.ts';
import type { Issue } from '../../../core/report/issue.ts';
import { readUsdz, type Usdz } from '../package/read-usdz.ts';
import { readUsdLayer, rootLayerEntry, detectUsdKind } from '../read-usd-layer.ts';
import type { OpenedLayer, ResolveLayer } from './layer-stack.ts';
import type { ReadAsset } from './read-asset.ts';

/** The bytes of a file by its path, with slashes; null when there is none. Which paths are allowed is for this function to say. */
export type ReadFile = (path: string) => Uint8Array | null;

/** Packages inside of packages: more is an attack. */
const MAX_PACKAGES = 8;

/** What stands for the number of a tile in paths of images, and the tile at uv 0…1. */
const TILES = '<UDIM>';
const FIRST_TILE = '1001';

interface Package extends Usdz {
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** `a.usdz[b.usdz[c.usda]]` → its three paths. */
function splitId(id: string): string[] {
  if (!id.endsWith(']')) return [id];
  const depth = id.length - id.replace(/\]+$/, '').length;
  const parts = id.slice(0, -depth).split('[');
  // Brackets that do not pair are part of a name.
  return parts.length === depth + 1 ? parts : [id];
}

function joinId(parts: readonly string[]): string {
  return parts.join('[') + ']'.repeat(parts.length - 1);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** A path from a folder, without `.` and `..` as far as that goes; null where it leaves a package. */
function joinPath(folder: string, path: string, isInPackage: boolean): string | null {
  const isAbsolute = folder.startsWith('/');
  const elements: string[] = [];
  for (const element of (folder + path).split('/')) {
    if (element === '' || element === '.') continue;
    const last = elements[elements.length - 1];
    if (element !== '..') elements.push(element);
    else if (last !== undefined && last !== '..') elements.pop();
    else if (isInPackage || isAbsolute) return null;
    else elements.push(element);
  }
  return (isAbsolute ? '/' : '') + elements.join('/');
}

/** How the files of a scene are found. Both keep what they read: packages are opened once for both. */
export interface FileAccess {
  readonly resolve: ResolveLayer;
  readonly readAsset: ReadAsset;
  /** The package at a path, if it was opened on the way to something in it. */
  readonly openedPackage: (path: string) => Usdz | null;
}

/** {@link createFileAccess} for layers alone. */
export function createFileResolver(readFile: ReadFile): ResolveLayer {
  return createFileAccess(readFile).resolve;
}

/**
 * Finds and reads files, each once: layers, text, binary or packaged, and others as they are. A path starts from the folder of the layer that names
 * it, inside of the same package; one without `./` or `../` then from the folder of the package's root layer. Of a package its root layer is meant;
 * `a.usdz[b.usda]` is a file in it, and how the ids of such layers look. The first layer of a scene is `resolve(path, '')`.
 */
export function createFileAccess(readFile: ReadFile): FileAccess {
  const packages = new Map<string, Package>();
  const layers = new Map<string, OpenedLayer>();
  /** Why a layer cannot be read, so that it is tried once however many name it. */
  const faults = new Map<string, FormatError>();
  const assets = new Map<string, Uint8Array>();

  const openPackage = (id: string, bytes: Uint8Array): Package => {
    const known = packages.get(id);
    if (known !== undefined) return known;
    const usdz = readUsdz(bytes);
    const opened = { ...usdz, files: new Map(usdz.entries.map((entry) => [entry.name, entry.bytes])) };
    packages.set(id, opened);
    return opened;
  };

  const open = (named: readonly string[]): OpenedLayer | null => {
    const known = layers.get(joinId(named));
    if (known !== undefined) return known;
    const fault = faults.get(joinId(named));
    if (fault !== undefined) throw fault;
    try {
      return openAnew(named);
    } catch (error) {
      if (error instanceof FormatError) faults.set(joinId(named), error);
      throw error;
    }
  };

  const openAnew = (named: readonly string[]): OpenedLayer | null => {
    const parts = [named[0]];
    const issues: Issue[] = [];
    let bytes = readFile(named[0]);
    while (bytes !== null && parts.length <= MAX_PACKAGES) {
      const isPackage = detectUsdKind(bytes) === 'package';
      if (!isPackage && parts.length < named.length) return null;
      if (!isPackage) break;
      const usdz = openPackage(joinId(parts), bytes);
      issues.push(...usdz.issues);
      const name = named[parts.length] ?? rootLayerEntry(usdz).name;
      parts.push(name);
      bytes = usdz.files.get(name) ?? null;
    }
    if (bytes === null) return null;
    const id = joinId(parts);
    const read = layers.get(id);
    const layer = read?.layer ?? readUsdLayer(bytes);
    const opened = read ?? {
      id,
      layer: issues.length === 0 ? layer : { ...layer, issues: [...issues, ...layer.issues] },
    };
    layers.set(id, opened).set(joinId(named), opened);
    return opened;
  };

  /** A file as it is: packages on the way are opened, it itself is not. */
  const openAsset = (named: readonly string[]): Uint8Array | null => {
    const id = joinId(named);
    const outer = named.slice(0, -1);
    const known =
      assets.get(id) ?? (outer.length === 0 ? undefined : packages.get(joinId(outer))?.files.get(named[outer.length]));
    if (known !== undefined) return known;
    let bytes = readFile(named[0]);
    for (let depth = 1; bytes !== null && depth < named.length; depth++) {
      if (depth > MAX_PACKAGES || detectUsdKind(bytes) !== 'package') return null;
      bytes = openPackage(joinId(named.slice(0, depth)), bytes).files.get(named[depth]) ?? null;
    }
    if (bytes !== null) assets.set(id, bytes);
    return bytes;
  };

  const find = <Found>(
    assetPath: string,
    fromId: string,
    openAt: (named: readonly string[]) => Found | null,
  ): Found | null => {
    const asset = splitId(assetPath);
    if (fromId === '' || /^(?:\/|[A-Za-z][\w+.-]*:)/.test(asset[0])) return openAt(asset);
    const from = splitId(fromId);
    const outside = from.slice(0, -1);
    const inside = outside.length > 0;
    const folders = [folderOf(from[from.length - 1])];
    const around = packages.get(inside ? joinId(outside) : '');
    if (around !== undefined && !/^\.\.?\//.test(asset[0])) folders.push(folderOf(around.entries[0]?.name ?? ''));
    for (const folder of folders) {
      const path = joinPath(folder, asset[0], inside);
      const found = path === null ? null : openAt([...outside, path, ...asset.slice(1)]);
      if (found !== null) return found;
    }
    return null;
  };

  return {
    resolve: (assetPath, fromId) => find(assetPath, fromId, open),
    readAsset: (assetPath, fromLayer) => find(assetPath.replace(TILES, FIRST_TILE), fromLayer, openAsset),
    openedPackage: (path) => packages.get(path) ?? null,
  };
}
