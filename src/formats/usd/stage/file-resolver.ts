/** Finding the layers that others name: in files, and inside of packages. */
import type { Issue } from '../../../core/report/issue.ts';
import { readUsdz, type Usdz } from '../package/read-usdz.ts';
import { readLayer, rootEntry, usdKindOf } from '../read-layer.ts';
import type { OpenedLayer, ResolveLayer } from './layer-stack.ts';

/** The bytes of a file by its path, with slashes; null when there is none. Which paths are allowed is for this function to say. */
export type ReadFile = (path: string) => Uint8Array | null;

/** Packages inside of packages: more is an attack. */
const MAX_PACKAGES = 8;

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

/**
 * Finds and reads layers, text, binary or packaged, each once. A path starts from the folder of the layer that names it, inside of the same package; one without
 * `./` or `../` then from the folder of the package's root layer. Of a package its root layer is meant; `a.usdz[b.usda]` is a file in it, and how the ids
 * of such layers look. The first layer of a scene is `resolve(path, '')`.
 */
export function makeFileResolver(readFile: ReadFile): ResolveLayer {
  const packages = new Map<string, Package>();
  const layers = new Map<string, OpenedLayer>();

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
    const parts = [named[0]];
    const issues: Issue[] = [];
    let bytes = readFile(named[0]);
    while (bytes !== null && parts.length <= MAX_PACKAGES) {
      const isPackage = usdKindOf(bytes) === 'package';
      if (!isPackage && parts.length < named.length) return null;
      if (!isPackage) break;
      const usdz = openPackage(joinId(parts), bytes);
      issues.push(...usdz.issues);
      const name = named[parts.length] ?? rootEntry(usdz).name;
      parts.push(name);
      bytes = usdz.files.get(name) ?? null;
    }
    if (bytes === null) return null;
    const id = joinId(parts);
    const read = layers.get(id);
    const layer = read?.layer ?? readLayer(bytes);
    const opened = read ?? {
      id,
      layer: issues.length === 0 ? layer : { ...layer, issues: [...issues, ...layer.issues] },
    };
    layers.set(id, opened).set(joinId(named), opened);
    return opened;
  };

  return (assetPath, fromId) => {
    const asset = splitId(assetPath);
    if (fromId === '' || /^(?:\/|[A-Za-z][\w+.-]*:)/.test(asset[0])) return open(asset);
    const from = splitId(fromId);
    const outside = from.slice(0, -1);
    const inside = outside.length > 0;
    const folders = [folderOf(from[from.length - 1])];
    const around = packages.get(inside ? joinId(outside) : '');
    if (around !== undefined && !/^\.\.?\//.test(asset[0])) folders.push(folderOf(around.entries[0]?.name ?? ''));
    for (const folder of folders) {
      const path = joinPath(folder, asset[0], inside);
      const found = path === null ? null : open([...outside, path, ...asset.slice(1)]);
      if (found !== null) return found;
    }
    return null;
  };
}
