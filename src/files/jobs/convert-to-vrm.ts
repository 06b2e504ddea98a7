/** Converts a file to VRM: `anyrig convert --vrm` without reading and writing files. */
import type { Issue } from '../../core/report/issue.ts';
import { copyDocument } from '../../formats/gltf/document/copy-document.ts';
import { readGltf } from '../../formats/gltf/read/read-gltf.ts';
import { convertVrm, type VrmVersion, vrmVersion } from '../../formats/gltf/vrm-convert/convert-vrm.ts';
import { attachDraco } from '../adapters/gltf/attach-draco.ts';
import type { GltfFile, OpenFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';
import { clipsInVrmIssue } from '../outputs/clips-in-vrm.ts';
import { outputFormat } from '../outputs/output-format.ts';
import { type ConvertOptions, type ConvertResult, convertFile } from './convert-file.ts';
import { createVrmFile } from './create-vrm-file.ts';

/** How to convert a file to VRM. */
export interface ConvertToVrmOptions extends ConvertOptions {
  /** Version of the output: 0 is VRM 0.x, 1 is VRM 1.0. */
  readonly vrm: VrmVersion;
  /** Metadata of VRM 1.0, as in `VRMC_vrm.meta`; for a VRM, entries that replace those of the file. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Converts a copy of a VRM document; null, with an error in the issues, where that is not possible. */
async function toVersion(
  file: GltfFile,
  { vrm, meta }: ConvertToVrmOptions,
  issues: Issue[],
): Promise<GltfFile | null> {
  const document = copyDocument(file.document);
  await attachDraco(document);
  const converted = convertVrm(document, vrm, meta === undefined ? {} : { meta });
  issues.push(...converted.issues);
  return converted.isConverted ? { ...file, document, asset: readGltf(document) } : null;
}

/** Makes a VRM of the file; null, with an error in the issues, where that is not possible. */
async function toVrm(file: OpenFile, options: ConvertToVrmOptions, issues: Issue[]): Promise<GltfFile | null> {
  if (file.format === 'gltf' && vrmVersion(file.document) !== null) return toVersion(file, options, issues);
  const { vrm, meta = {}, humanoid = {} } = options;
  const created = await createVrmFile(file, meta, humanoid, issues);
  return created === null ? null : toVersion(created, { output: options.output, vrm }, issues);
}

/**
 * Converts a file to VRM 1.0 or VRM 0.x.
 *
 * A VRM of the other version is converted: humanoid, metadata, expressions, look-at, first person, spring bones,
 * materials, and the direction that the character faces. The report lists what the requested version does not have.
 *
 * Any other character becomes a VRM: its bones are mapped, its T-pose becomes the rest pose, expressions come from the
 * names of its morph targets, the look-at from its eyes. This needs `meta` with at least `name`, `authors` and
 * `licenseUrl`.
 *
 * @param file File of the character; it stays unchanged.
 * @param options Version and metadata, where to write the output, how to edit clips.
 * @returns The report and the files to write.
 * @throws OptionError for an option that does not fit the file; FormatError when data that must change cannot be read.
 * @example
 * const { report, outputs } = await convertToVrm(await openFile('old.vrm'), { output: 'new.vrm', vrm: 1 });
 * if (report.ok) writeFiles(outputs);
 */
export async function convertToVrm(file: OpenFile, options: ConvertToVrmOptions): Promise<ConvertResult> {
  const { output, mesh = true, humanoid: _humanoid, ...rest } = options;
  if (outputFormat(output) !== 'vrm')
    throw new OptionError('output', `${output} is not a .vrm; a VRM is written to a .vrm`);
  if (!mesh) throw new OptionError('mesh', 'A .vrm without a mesh is not possible; keep the mesh');
  const issues: Issue[] = [];
  const converted = await toVrm(file, options, issues);
  const common = { file: file.name, format: file.asset.format };
  if (converted === null) {
    const report = { ok: false, ...common, output: null, files: [], bytes: 0, clips: [], humanoid: null, issues };
    return { report, outputs: [] };
  }
  const { report, outputs } = await convertFile(converted, { ...rest, output });
  const isKnown = report.issues.some(({ code }) => code === 'VRM_CLIP_PLAYBACK');
  if (report.clips.length > 0 && !isKnown) issues.push(clipsInVrmIssue(output, 'for them write a .vrma'));
  const all = [...issues, ...report.issues.filter(({ message }) => !issues.some((known) => known.message === message))];
  const ok = report.ok && issues.every(({ severity }) => severity !== 'error');
  return { report: { ...report, ...common, ok, issues: all }, outputs };
}
