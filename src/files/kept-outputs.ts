/** Files that stay what they are, in the same family of formats: documents of glTF and layers of USD. Only their clips change. */
import type { Issue } from '../core/report/issue.ts';
import { type GltfDocument, parseGltf } from '../formats/gltf/document.ts';
import { appendClips, type NewAnimation, replaceClips } from '../formats/gltf/write-clips.ts';
import type { OpenFile } from './open.ts';
import type { OutputFile } from './output-file.ts';
import { type GltfFormat, holdsOneClip, isUsd, type OutputFormat, type UsdFormat } from './output-format.ts';
import type { OutputGroup } from './output-paths.ts';
import { printOutput } from './print-output.ts';

/** Formats that a file can stay whole in. */
export type KeptFormat = GltfFormat | UsdFormat;

/** A file and the animations that it gets. */
export interface KeptEdit {
  readonly file: OpenFile;
  readonly format: KeptFormat;
  /** On node numbers of the file. */
  readonly animations: readonly NewAnimation[];
  /** Whether they take the place of those that the file has. */
  readonly replace: boolean;
}

/** Whether a file stays whole when it is written in a format: glTF as glTF, USD as USD. */
export function staysWhole({ document, usd }: OpenFile, format: OutputFormat): format is KeptFormat {
  if (holdsOneClip(format)) return false;
  return isUsd(format) ? usd !== null : document !== null;
}

/** What was odd about a file that need not be understood to be written. */
export function issuesOfKept({ document, usd }: OpenFile): readonly Issue[] {
  return document?.issues ?? usd?.layer.issues ?? [];
}

/** The document as it was read, for another edit than the one that was done. */
export function readAgain({ source, resources, cache }: GltfDocument): GltfDocument {
  if (source === null) throw new RangeError('The document was made, not read: there is nothing to read again');
  const document = parseGltf(source.bytes);
  for (const [path, bytes] of resources) document.resources.set(path, bytes);
  document.cache.decoder = cache.decoder;
  return document;
}

/** A file in another container, nothing else changed. */
export async function keptOutputs(
  file: OpenFile,
  { path, format }: { readonly path: string; readonly format: KeptFormat },
  issues: Issue[],
): Promise<OutputFile[]> {
  const { document, usd } = file;
  if (usd !== null && isUsd(format)) {
    const { keptUsdFiles } = await import('./usd.ts');
    return keptUsdFiles(file, usd, usd.layer, { path, format }, issues);
  }
  if (document !== null && !isUsd(format)) return printOutput(document, file, { path, format }, issues);
  throw new RangeError(`${file.name} cannot stay whole as .${format}; ask staysWhole before`);
}

/** A file a group, each with its animations. A document of glTF is edited: open it anew for another job. */
export async function editedOutputs(
  { file, format, animations, replace }: KeptEdit,
  groups: readonly OutputGroup[],
  issues: Issue[],
): Promise<OutputFile[]> {
  const { document, usd } = file;
  const outputs: OutputFile[] = [];
  for (const [k, { path, clips }] of groups.entries()) {
    const chosen = clips.map((index) => animations[index]);
    if (usd !== null && isUsd(format)) {
      const { addAnimations, keptUsdFiles } = await import('./usd.ts');
      const layer = addAnimations(usd.scene, usd.layer, chosen, { replace }, issues);
      outputs.push(...(await keptUsdFiles(file, usd, layer, { path, format }, issues)));
    } else if (document !== null && !isUsd(format)) {
      const edited = k === 0 ? document : readAgain(document);
      (replace ? replaceClips : appendClips)(edited, chosen, issues);
      outputs.push(...(await printOutput(edited, file, { path, format }, issues)));
    } else throw new RangeError(`${file.name} cannot stay whole as .${format}; ask staysWhole before`);
  }
  return outputs;
}
