import { FormatError } from '../../../core/report/format-error.ts';
import type { Issue } from '../../../core/report/issue.ts';
import { readUsdz, type Usdz } from '../package/read-usdz.ts';
import { detectUsdKind, MAX_PACKAGES, readUsdLayer, rootLayerEntry } from '../read-usd-layer.ts';
import type { OpenedLayer, ResolveLayer } from './layer-stack.ts';

/** Reads a file by its path with slashes; null if it does not exist. The function decides which paths are allowed. */
export type ReadFile = (path: string) => Uint8Array | null;

/**
 * Reads a file that an attribute references. `assetPath` is the authored path, `fromLayer` the id of the layer that authors it. `<UDIM>` in it stands
 * for the first tile, 1001. The same file is the same array every time. Null if there is no such file; a FormatError (damaged package, forbidden
 * file) counts as missing, too.
 */
export type ReadAsset = (assetPath: string, fromLayer: string) => Uint8Array | null;

/** Placeholder for the tile number in image paths. */
const UDIM_TOKEN = '<UDIM>';
/** The tile at uv 0…1. */
const FIRST_TILE = '1001';

interface Package extends Usdz {
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Splits a package-relative path `a.usdz[b.usdz[c.usda]]` into its three paths. */
function splitId(id: string): string[] {
  if (!id.endsWith(']')) return [id];
  const depth = id.length - id.replace(/\]+$/, '').length;
  const parts = id.slice(0, -depth).split('[');
  // Unbalanced brackets are part of a name.
  return parts.length === depth + 1 ? parts : [id];
}

function joinId(parts: readonly string[]): string {
  return parts.join('[') + ']'.repeat(parts.length - 1);
}

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** Joins a folder and a path and resolves `.` and `..`. Returns null if the path leaves the package or the file system root. */
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

/** Access to the files of a scene. Every file is read once, every package opened once. */
export interface FileAccess {
  readonly resolve: ResolveLayer;
  readonly readAsset: ReadAsset;
  /** Returns the package at a path if it was opened to reach a file in it; else null. */
  readonly openedPackage: (path: string) => Usdz | null;
}

/**
 * Creates a resolver for layers. Asset paths are relative to the folder of the layer that references them, inside of the same package.
 *
 * @param readFile Reads a file by its path.
 * @returns The resolver, for `openStage`.
 */
export function createFileResolver(readFile: ReadFile): ResolveLayer {
  return createFileAccess(readFile).resolve;
}

/**
 * Creates access to layers (text, binary or packaged) and other files. Asset paths are relative to the folder of the layer that references them,
 * inside of the same package; paths without `./` or `../` fall back to the folder of the root layer of the package. The path of a package resolves to
 * its root layer; `a.usdz[b.usda]` is a file in it, and ids of such layers have this form. The first layer of a scene is `resolve(path, '')`.
 */
export function createFileAccess(readFile: ReadFile): FileAccess {
  const packages = new Map<string, Package>();
  const layers = new Map<string, OpenedLayer>();
  /** Errors of unreadable layers, so that each is read only once. */
  const failures = new Map<string, FormatError>();
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
    const failure = failures.get(joinId(named));
    if (failure !== undefined) throw failure;
    try {
      return readNamed(named);
    } catch (error) {
      if (error instanceof FormatError) failures.set(joinId(named), error);
      throw error;
    }
  };

  const readNamed = (named: readonly string[]): OpenedLayer | null => {
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

  /** Reads a file without interpreting it. Packages that contain it are opened. */
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
    readAsset: (assetPath, fromLayer) => find(assetPath.replace(UDIM_TOKEN, FIRST_TILE), fromLayer, openAsset),
    openedPackage: (path) => packages.get(path) ?? null,
  };
}
