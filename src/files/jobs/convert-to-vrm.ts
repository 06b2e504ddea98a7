/** Converts a file to VRM: `anyrig convert --vrm` without reading and writing files. */
import { BONE_COUNT, BONES, REQUIRED_BONES } from '../../core/humanoid/bones.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { copyDocument } from '../../formats/gltf/document/copy-document.ts';
import type { JsonObject } from '../../formats/gltf/document/json-access.ts';
import {
  dropSkeletonDefinitions,
  readSkeletonDefinitions,
} from '../../formats/gltf/extensions/ext-skeleton-humanoid.ts';
import { normalizeDocument } from '../../formats/gltf/normalize/normalize-document.ts';
import { readGltf } from '../../formats/gltf/read/read-gltf.ts';
import { findMetaFaults } from '../../formats/gltf/vrm-convert/check-meta.ts';
import { convertVrm, type VrmVersion, vrmVersion } from '../../formats/gltf/vrm-convert/convert-vrm.ts';
import { createVrm } from '../../formats/gltf/vrm-convert/create-vrm.ts';
import { attachDraco } from '../adapters/gltf/attach-draco.ts';
import type { HumanoidOptions } from '../humanoid/describe-file-humanoid.ts';
import { chooseHumanoid } from '../humanoid/find-humanoid.ts';
import type { GltfFile, OpenFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';
import { outputFormat } from '../outputs/output-format.ts';
import { clipsInVrmIssue } from '../outputs/plan-output.ts';
import { type ConvertOptions, type ConvertResult, convertFile } from './convert-file.ts';
import { createNormalizeRequest } from './define-request.ts';
import { reparentMisplaced, toEditable } from './editable-character.ts';

/**
 * Makes a VRM 1.0 of a character of any format with meshes. The bones are mapped, the T-pose becomes rest and bind pose, and the character faces +Z in
 * meters on the ground; its clips look the same. `file` stays unchanged. `issues`: receives VRM_META_INVALID, VRM_HUMANOID for missing required bones,
 * NOT_HUMANOID, and those of the steps. Returns the VRM as a file; null where it cannot be made. Throws FormatError when data that must change cannot be
 * read.
 */
async function createVrmFile(
  file: OpenFile,
  meta: Readonly<Record<string, unknown>>,
  options: HumanoidOptions,
  issues: Issue[],
): Promise<GltfFile | null> {
  const faults = findMetaFaults(meta);
  issues.push(...faults.map((fault) => issue('VRM_META_INVALID', `${fault} Supply it with the option meta.`)));
  if (faults.length > 0) return null;
  const { gltf, humanoid } = await toEditable(file, options, issues);
  const choice = chooseHumanoid(gltf ?? file, 'only', humanoid);
  issues.push(...choice.issues);
  const found = choice.found;
  if (gltf === null || found === null || found.part.isCanonicalRig === true) {
    issues.push(issue('NOT_HUMANOID', `${file.name} has no humanoid character: ${choice.reason ?? 'it has no mesh'}`));
    return null;
  }
  const missing = REQUIRED_BONES.filter((bone) => found.humanoid.map.nodes[BONES.indexOf(bone)] < 0);
  if (missing.length > 0) {
    const message = `Bones that VRM requires are missing: ${missing.join(', ')}. No VRM was written; map them with the option map.`;
    issues.push(issue('VRM_HUMANOID', message));
    return null;
  }
  const { document } = gltf;
  await attachDraco(document);
  const wasDefined = readSkeletonDefinitions(document).definitions.length > 0;
  const edited = reparentMisplaced(gltf, found, humanoid, true, issues);
  const request = createNormalizeRequest(edited.file, edited.found, { tPose: true });
  const { definition } = normalizeDocument(document, request, issues);
  if (!wasDefined) dropSkeletonDefinitions(document.json);
  const bones = new Int32Array(BONE_COUNT).fill(-1);
  for (let bone = 0; bone < BONE_COUNT; bone++) bones[bone] = definition.bones[BONES[bone]] ?? -1;
  createVrm(document, bones, meta as JsonObject, issues);
  return { ...gltf, name: file.name, document, asset: readGltf(document) };
}

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
 * if (report.ok) await writeFiles(outputs);
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
