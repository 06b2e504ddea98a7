/** Adds a skeleton definition of EXT_skeleton_humanoid to a character: `anyrig define` without reading and writing files. */
import type { BoneName } from '../../core/humanoid/bones.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { normalizeDocument } from '../../formats/gltf/normalize/normalize-document.ts';
import { attachDraco } from '../adapters/gltf/attach-draco.ts';
import type { HumanoidOptions } from '../humanoid/describe-file-humanoid.ts';
import { chooseHumanoid } from '../humanoid/find-humanoid.ts';
import type { OpenFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';
import type { OutputFile } from '../outputs/output-file.ts';
import { checkIsVrm, holdsOneClip, isGltf, outputFormat } from '../outputs/output-format.ts';
import { pathsOf } from '../outputs/output-paths.ts';
import { serializeDocument } from '../outputs/serialize-output.ts';
import { type FileHumanoidReport, type NoHumanoidReport, reportFileHumanoid } from '../reports/job-reports.ts';
import { reportChanges, reportUnmetRules } from './define-issues.ts';
import { createNormalizeRequest, type NormalizeOptions } from './define-request.ts';
import { reparentMisplaced, toEditable } from './editable-character.ts';
import { beginStep, type JobControl } from './job-control.ts';

/** How to define a humanoid. */
export interface DefineOptions extends NormalizeOptions, JobControl {
  /** Path of the output: .glb, .gltf, or .vrm for a VRM. */
  readonly output: string;
  /** What the caller knows about the humanoid of the file. */
  readonly humanoid?: HumanoidOptions;
}

/** Report of `define`. */
export interface DefineReport {
  /** Whether there is an output. */
  readonly ok: boolean;
  /** Name of the input file. */
  readonly file: string;
  /** Format of the input file. */
  readonly format: string;
  /** Path of the output; null without one. */
  readonly output: string | null;
  /** All files that were written, also those that the output references, such as buffers and textures. */
  readonly files: readonly string[];
  /** The humanoid as it was found, before the changes. */
  readonly humanoid: FileHumanoidReport | NoHumanoidReport;
  /** The definition in the output; null without one. */
  readonly definition: {
    /** Index in `humanoidSkeletons`. */
    readonly index: number;
    /** Node index of the root. */
    readonly rootNode: number;
    /** Node indices of the bones. */
    readonly humanoidBones: Readonly<Partial<Record<BoneName, number>>>;
    /** Bones with a new node above their old one. */
    readonly wrappedBones: readonly BoneName[];
    /** Bones that became joints. */
    readonly newJoints: readonly BoneName[];
    /** Whether the bones got the canonical axes. */
    readonly axes: boolean;
    /** Whether the T-pose became the bind and rest pose. */
    readonly tPose: boolean;
    /** Number of channels with new values. */
    readonly rewrittenChannels: number;
    /** Number of channels added to keep the old rest pose. */
    readonly addedChannels: number;
    /** Number of meshes with changed vertices. */
    readonly bakedMeshes: number;
  } | null;
  /** What was unusual or changed. */
  readonly issues: readonly Issue[];
}

/** Report and files of {@link defineHumanoid}. */
export interface DefineResult {
  /** What was done. */
  readonly report: DefineReport;
  /** Files to write in this order; empty when there is nothing to write. */
  readonly outputs: readonly OutputFile[];
}

/**
 * Defines the humanoid of a character: adds a skeleton definition of EXT_skeleton_humanoid, which maps bones to nodes. `axes` gives the bones
 * the canonical axes of the extension; the character and its clips look the same. `tPose` makes the T-pose of the extension the rest and bind pose.
 * Formats other than glTF are converted to GLB first.
 *
 * @param file File of the character; it stays unchanged.
 * @param options Where to write the output, and which rules of the extension to normalize to.
 * @returns The report and the files to write.
 * @throws OptionError for an option that does not fit the file; FormatError when data that must change cannot be read.
 * @example
 * const { outputs } = await defineHumanoid(await openFile('avatar.fbx'), { output: 'avatar.glb', axes: true, tPose: true });
 * await writeFiles(outputs);
 */
export async function defineHumanoid(file: OpenFile, options: DefineOptions): Promise<DefineResult> {
  const { output, tPose = false, axes = false, strict = false } = options;
  const format = outputFormat(output);
  if (!isGltf(format)) {
    const what = holdsOneClip(format) ? 'holds no character' : 'has no humanoid definitions';
    throw new OptionError('output', `A .${format} file ${what}; write .glb, .gltf or, for a VRM, .vrm`);
  }
  if (strict && !tPose) {
    throw new OptionError('strict', 'Strict rules straighten the spine of the T-pose; use them with the option tPose');
  }
  checkIsVrm(file, format);
  const issues: Issue[] = [];
  const { gltf, humanoid } = await toEditable(file, options.humanoid ?? {}, issues);
  const source: OpenFile = gltf ?? file;
  issues.push(...source.asset.issues.filter(({ message }) => !issues.some((known) => known.message === message)));
  const choice = chooseHumanoid(source, 'only', humanoid);
  issues.push(...choice.issues);
  const common = { file: file.name, format: file.asset.format, humanoid: reportFileHumanoid(file.name, choice) };
  if (choice.found?.part.isCanonicalRig === true)
    throw new OptionError('file', `${file.name} has humanoid clips, but no character to define; name a character`);
  if (choice.found === null || gltf === null) {
    issues.push(issue('NOT_HUMANOID', `${file.name} is not humanoid: ${choice.reason}`));
    return { report: { ok: false, ...common, output: null, files: [], definition: null, issues }, outputs: [] };
  }
  if (tPose) await attachDraco(gltf.document);
  const edited = reparentMisplaced(gltf, choice.found, humanoid, axes || tPose, issues);
  reportUnmetRules(edited.found.humanoid, options, issues);
  await beginStep(options, { step: 'define', file: file.name, clip: null, done: 0, total: 1 });
  const request = createNormalizeRequest(edited.file, edited.found, options);
  const result = normalizeDocument(gltf.document, request, issues);
  reportChanges(result, request, file, issues);
  await beginStep(options, { step: 'write', file: output, clip: null, done: 1, total: 1 });
  const outputs = await serializeDocument(gltf.document, gltf, { path: output, format }, issues);
  const { definition, index, wrapped, newJoints, channels, meshes } = result;
  const report: DefineReport = {
    ok: true,
    ...common,
    output,
    files: pathsOf(outputs),
    definition: {
      index,
      rootNode: definition.rootNode,
      humanoidBones: definition.bones,
      wrappedBones: wrapped,
      newJoints,
      axes,
      tPose,
      rewrittenChannels: channels.rewritten,
      addedChannels: channels.added,
      bakedMeshes: meshes,
    },
    issues,
  };
  return { report, outputs };
}
