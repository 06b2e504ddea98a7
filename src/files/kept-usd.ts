/** USD files that stay what they are: with other clips, or in another container. */
import { type Issue, issue } from '../core/report/issue.ts';
import type { Layer } from '../formats/usd/layer/layer.ts';
import { readUsdz, type Usdz, type UsdzEntry } from '../formats/usd/package/read-usdz.ts';
import { nameFault } from '../formats/usd/package/zip-records.ts';
import { usdKindOf } from '../formats/usd/read-layer.ts';
import { stemOf } from './clip-names.ts';
import type { OpenFile } from './open.ts';
import type { OutputFile } from './output-file.ts';
import { beside } from './output-paths.ts';
import { layerFiles, type PackedRoot, type UsdPlace } from './print-usd.ts';
import { loadAssets, loadTiles } from './usd-files.ts';
import type { UsdSource } from './usd-source.ts';

/** The package with the root layer, where packages are in packages. */
function innermost(usdz: Usdz): Usdz {
  let inner = usdz;
  while (usdKindOf(inner.entries[0].bytes) === 'package') inner = readUsdz(inner.entries[0].bytes);
  return inner;
}

function notCopied(name: string, reason: string): Issue {
  const message = `A file that the character names was not copied along, so that the output may lack it: ${name}: ${reason}`;
  return issue('RESOURCE_NOT_COPIED', message, { resource: name });
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** Files of a package but for its root layer, by their paths from the folder of that; those elsewhere are reported. */
function packedFiles([root, ...others]: readonly UsdzEntry[], issues: Issue[]): UsdzEntry[] {
  const folder = folderOf(root.name);
  return others.flatMap(({ name, bytes }) => {
    if (name.startsWith(folder)) return [{ name: name.slice(folder.length), bytes }];
    issues.push(
      notCopied(name, 'it is in another folder of the package than the root layer; write a .usdz, which keeps it'),
    );
    return [];
  });
}

/** A file beside a layer that it names, by its path from its folder, without inner `..`. */
interface NamedFile extends UsdzEntry {
  /** How many folders further up its path starts. */
  readonly ups: number;
}

/** The files that a layer names; those that are missing, or have no path that can be kept, are reported. */
function namedFiles({ files }: UsdSource, issues: Issue[]): NamedFile[] {
  return [...files.known].slice(1).flatMap(([name, found]) => {
    const parts = name.split('/');
    const ups = parts.lastIndexOf('..') + 1;
    const fault = typeof found === 'string' ? found : nameFault(parts.slice(ups).join('/'));
    if (typeof found !== 'string' && fault === null) return [{ name, bytes: found, ups }];
    issues.push(notCopied(name, `${fault}`));
    return [];
  });
}

/** Folders for the root layer of a package, as many as its files start further up, so that all paths stay right. */
function foldersAbove(files: readonly NamedFile[]): string[] {
  const taken = new Set(files.flatMap(({ name }) => name.split('/')));
  let folder = 'scene';
  while (taken.has(folder)) folder += '_';
  return Array<string>(Math.max(0, ...files.map(({ ups }) => ups))).fill(folder);
}

/** Files and their root layer, which starts out called `name`, where they are in a package. */
function packed(name: string, kind: PackedRoot['kind'], files: readonly NamedFile[]): [PackedRoot, UsdzEntry[]] {
  const folders = foldersAbove(files);
  const placed = files.map((file) => {
    const path = [...folders.slice(0, folders.length - file.ups), ...file.name.split('/').slice(file.ups)];
    return { name: path.join('/'), bytes: file.bytes };
  });
  const isFitting = name.toLowerCase().endsWith('.usd') || name.toLowerCase().endsWith(`.${kind}`);
  let own = isFitting ? name : `${stemOf(name)}.${kind}`;
  while (files.some((file) => file.name === own)) own = `_${own}`;
  return [{ name: [...folders, own].join('/'), kind }, placed];
}

/** A path without `.` and without `..` behind a folder. */
function plainPath(path: string): string {
  const out: string[] = [];
  for (const part of path.split(/[/\\]/)) {
    if (part === '.') continue;
    if (part === '..' && out.length > 0 && out[out.length - 1] !== '..') out.pop();
    else out.push(part);
  }
  return out.join('/');
}

/** Files that come along beside a layer: those below its folder. Others are reported, unless they are found from its new place as well. */
function copiedFiles(files: readonly NamedFile[], from: string, to: string, issues: Issue[]): UsdzEntry[] {
  return files.flatMap(({ name, bytes, ups }) => {
    if (ups === 0) return [{ name, bytes }];
    if (plainPath(beside(from, name)) !== plainPath(beside(to, name))) {
      issues.push(notCopied(name, 'it is not below the folder of the file; write a .usdz, which takes it in'));
    }
    return [];
  });
}

/**
 * A USD file with its root layer, changed or not, in another container or the same: what it names comes along, in a package or beside it. An unchanged
 * layer in the same container keeps its bytes. A package keeps its files where they are; in a new one the root layer stands as deep as its paths need.
 */
export async function keptUsdFiles(
  { name, readResource }: Pick<OpenFile, 'name' | 'readResource'>,
  usd: UsdSource,
  layer: Layer,
  place: UsdPlace,
  issues: Issue[],
): Promise<OutputFile[]> {
  const { files, kind } = usd;
  await loadAssets(files, readResource ?? undefined);
  const [[ownName, ownBytes]] = files.known;
  const isSame = layer === usd.layer && place.format === kind && typeof ownBytes !== 'string';
  if (usd.package !== null) {
    const { entries } = innermost(usd.package);
    if (isSame) return [{ path: place.path, parts: [ownBytes] }];
    if (place.format !== 'usdz') return layerFiles(layer, packedFiles(entries, issues), place);
    const [root, ...others] = entries;
    return layerFiles(layer, others, place, {
      name: root.name,
      kind: usdKindOf(root.bytes) === 'text' ? 'usda' : 'usdc',
    });
  }
  await loadTiles(files, readResource ?? undefined);
  const named = namedFiles(usd, issues);
  if (place.format === 'usdz') {
    const [root, others] = packed(ownName, kind === 'usda' ? 'usda' : 'usdc', named);
    return layerFiles(layer, others, place, root);
  }
  const outputs = layerFiles(layer, copiedFiles(named, name, place.path, issues), place);
  return isSame ? [...outputs.slice(0, -1), { path: place.path, parts: [ownBytes] }] : outputs;
}
