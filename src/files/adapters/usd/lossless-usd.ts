import { type Issue, issue } from '../../../core/report/issue.ts';
import type { Layer } from '../../../formats/usd/layer/layer.ts';
import { readUsdz, type Usdz, type UsdzEntry } from '../../../formats/usd/package/read-usdz.ts';
import { nameFault } from '../../../formats/usd/package/zip-records.ts';
import { detectUsdKind } from '../../../formats/usd/read-usd-layer.ts';
import { folderOf } from '../../../formats/usd/stage/file-resolver.ts';
import { stemOf } from '../../clips/clip-names.ts';
import type { OpenFile } from '../../open-file.ts';
import type { OutputFile } from '../../outputs/output-file.ts';
import type { UsdFormat } from '../../outputs/output-format.ts';
import { siblingPath } from '../../outputs/output-paths.ts';
import type { Destination } from '../format-adapter.ts';
import { type PackageRoot, serializeLayer } from './serialize-layer.ts';
import { loadAssets, loadTiles } from './usd-files.ts';
import type { UsdSource } from './usd-source.ts';

/** Follows packages inside of packages to the one with the root layer. */
function innermostPackage(usdz: Usdz): Usdz {
  let inner = usdz;
  while (detectUsdKind(inner.entries[0].bytes) === 'package') inner = readUsdz(inner.entries[0].bytes);
  return inner;
}

function notCopied(name: string, reason: string): Issue {
  const message = `A file that the character references was not copied, so the output may lack it: ${name}: ${reason}`;
  return issue('RESOURCE_NOT_COPIED', message, { resource: name });
}

/** Lists the files of a package except its root layer, by their paths from its folder. Files in other folders are reported. */
function filesBesideRoot([root, ...others]: readonly UsdzEntry[], issues: Issue[]): UsdzEntry[] {
  const folder = folderOf(root.name);
  return others.flatMap(({ name, bytes }) => {
    if (name.startsWith(folder)) return [{ name: name.slice(folder.length), bytes }];
    issues.push(
      notCopied(name, 'it is outside of the folder of the root layer in the package; write a .usdz to keep it'),
    );
    return [];
  });
}

/** A file that a layer references, by its path from the folder of the layer, with `..` only at the start. */
interface ReferencedFile extends UsdzEntry {
  /** Number of leading `..`. */
  readonly ups: number;
}

/** Lists the files that a layer references. Files that are missing, or whose paths cannot be kept, are reported. */
function referencedFiles({ files }: UsdSource, issues: Issue[]): ReferencedFile[] {
  return [...files.known].slice(1).flatMap(([name, found]) => {
    const parts = name.split('/');
    const ups = parts.lastIndexOf('..') + 1;
    const fault = typeof found === 'string' ? found : nameFault(parts.slice(ups).join('/'));
    if (typeof found !== 'string' && fault === null) return [{ name, bytes: found, ups }];
    issues.push(notCopied(name, `${fault}`));
    return [];
  });
}

/** Names as many folders above the root layer of a package as its references lead up, so that all paths stay valid. */
function foldersAbove(files: readonly ReferencedFile[]): string[] {
  const taken = new Set(files.flatMap(({ name }) => name.split('/')));
  let folder = 'scene';
  while (taken.has(folder)) folder += '_';
  return Array<string>(Math.max(0, ...files.map(({ ups }) => ups))).fill(folder);
}

/** Names a root layer in a package: its extension tells its kind, and no other file has the name. */
function rootName(name: string, kind: PackageRoot['kind'], others: readonly string[]): string {
  const isFitting = name.toLowerCase().endsWith('.usd') || name.toLowerCase().endsWith(`.${kind}`);
  let own = isFitting ? name : `${stemOf(name)}.${kind}`;
  while (others.includes(own)) own = `_${own}`;
  return own;
}

/** Assigns paths in a package to a root layer and the files that it references. */
function packFiles(
  name: string,
  kind: PackageRoot['kind'],
  files: readonly ReferencedFile[],
): [PackageRoot, UsdzEntry[]] {
  const folders = foldersAbove(files);
  const packed = files.map((file) => {
    const path = [...folders.slice(0, folders.length - file.ups), ...file.name.split('/').slice(file.ups)];
    return { name: path.join('/'), bytes: file.bytes };
  });
  const taken = files.map((file) => file.name);
  return [{ name: [...folders, rootName(name, kind, taken)].join('/'), kind }, packed];
}

function normalizePath(path: string): string {
  const out: string[] = [];
  for (const part of path.split(/[/\\]/)) {
    if (part === '.') continue;
    if (part === '..' && out.length > 0 && out[out.length - 1] !== '..') out.pop();
    else out.push(part);
  }
  return out.join('/');
}

/** Selects the files to copy next to a layer: those below its folder. Others are reported unless the new location of the layer finds them too. */
function copiedFiles(files: readonly ReferencedFile[], from: string, to: string, issues: Issue[]): UsdzEntry[] {
  return files.flatMap(({ name, bytes, ups }) => {
    if (ups === 0) return [{ name, bytes }];
    if (normalizePath(siblingPath(from, name)) !== normalizePath(siblingPath(to, name))) {
      issues.push(notCopied(name, 'it is outside of the folder of the file; write a .usdz to include it'));
    }
    return [];
  });
}

/**
 * Writes a USD file with its root layer, edited or not, in the same or another container. Referenced files are packed or copied next to it. An
 * unedited layer in the same container keeps its bytes. A package keeps its file paths; in a new package the root layer is as deep as its
 * references lead up. `layer`: the root layer, or an edited copy of it.
 */
export async function losslessUsdFiles(
  { name, readResource }: Pick<OpenFile, 'name' | 'readResource'>,
  source: UsdSource,
  layer: Layer,
  destination: Destination<UsdFormat>,
  issues: Issue[],
): Promise<OutputFile[]> {
  const { files, kind } = source;
  const { path, format } = destination;
  await loadAssets(files, readResource ?? undefined);
  const [[ownName, ownBytes]] = files.known;
  const isSame = layer === source.layer && format === kind && typeof ownBytes !== 'string';
  if (source.package !== null) {
    const { entries } = innermostPackage(source.package);
    if (isSame) return [{ path, parts: [ownBytes] }];
    if (format !== 'usdz') return serializeLayer(layer, filesBesideRoot(entries, issues), destination);
    const [root, ...others] = entries;
    const rootKind = detectUsdKind(root.bytes) === 'text' ? 'usda' : 'usdc';
    const folder = folderOf(root.name);
    const beside = others.flatMap((one) => (one.name.startsWith(folder) ? [one.name.slice(folder.length)] : []));
    const own = rootName(root.name.slice(folder.length), rootKind, beside);
    return serializeLayer(layer, others, destination, { name: `${folder}${own}`, kind: rootKind });
  }
  await loadTiles(files, readResource ?? undefined);
  const referenced = referencedFiles(source, issues);
  if (format === 'usdz') {
    const [root, others] = packFiles(ownName, kind === 'usda' ? 'usda' : 'usdc', referenced);
    return serializeLayer(layer, others, destination, root);
  }
  const outputs = serializeLayer(layer, copiedFiles(referenced, name, path, issues), destination);
  return isSame ? [...outputs.slice(0, -1), { path, parts: [ownBytes] }] : outputs;
}
