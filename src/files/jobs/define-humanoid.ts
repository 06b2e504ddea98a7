/** Adds a skeleton definition of EXT_skeleton_humanoid to a character: `anyrig define` without reading and writing files. */
import { BONES, type BoneName } from '../../core/humanoid/bones.ts';
import type { BoneAssignments } from '../../core/humanoid/humanoid.ts';
import { createReparentedTracks, findMisplacedBones } from '../../core/normalize/reparent-bones.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { copyDocument } from '../../formats/gltf/document/copy-document.ts';
import { concatParts } from '../../formats/gltf/document/glb.ts';
import { normalizeDocument } from '../../formats/gltf/normalize/normalize-document.ts';
import { type NodeMove, reparentNodes } from '../../formats/gltf/normalize/reparent-nodes.ts';
import { readGltf } from '../../formats/gltf/read/read-gltf.ts';
import { attachDraco } from '../adapters/gltf/attach-draco.ts';
import type { HumanoidOptions } from '../humanoid/describe-file-humanoid.ts';
import { type FoundHumanoid, findHumanoid } from '../humanoid/find-humanoid.ts';
import { openBytes } from '../open.ts';
import type { GltfFile, OpenFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';
import type { OutputFile } from '../outputs/output-file.ts';
import { checkIsVrm, holdsOneClip, isUsd, outputFormat } from '../outputs/output-format.ts';
import { pathsOf } from '../outputs/output-paths.ts';
import { serializeDocument } from '../outputs/serialize-output.ts';
import { type FileHumanoidReport, type NoHumanoidReport, reportFileHumanoid } from '../reports/job-reports.ts';
import { convertFile } from './convert-file.ts';
import { reportChanges, reportUnmetRules } from './define-issues.ts';
import { createNormalizeRequest, type NormalizeOptions } from './define-request.ts';

/** How to define a humanoid. */
export interface DefineOptions extends NormalizeOptions {
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

/** A file as an editable glTF, and options that fit it. */
interface Editable {
  /** Null when the file could not be converted to glTF. */
  readonly gltf: GltfFile | null;
  readonly humanoid: HumanoidOptions;
}

/** Copies the document of a glTF; converts other files to GLB with their visible content. */
async function toEditable(file: OpenFile, humanoid: HumanoidOptions, issues: Issue[]): Promise<Editable> {
  if (file.format === 'gltf') return { gltf: { ...file, document: copyDocument(file.document) }, humanoid };
  const { report, outputs } = await convertFile(file, { output: 'character.glb', humanoid });
  issues.push(...report.issues.filter(({ code }) => code !== 'NOT_HUMANOID'));
  const main = outputs.at(-1);
  if (main === undefined) return { gltf: null, humanoid };
  const opened = await openBytes(concatParts(main.parts), { name: file.name });
  // Nodes have other indices in the new file, but the same names.
  const { skeleton: _index, ...rest } = humanoid;
  const map = humanoid.map === undefined ? {} : { map: withNodeNames(file, humanoid.map) };
  return { gltf: opened.format === 'gltf' ? opened : null, humanoid: { ...rest, ...map } };
}

/** Replaces node indices of a user-supplied bone map by names. */
function withNodeNames({ asset }: OpenFile, map: BoneAssignments): BoneAssignments {
  const nameOf = (node: number): string | number => {
    for (const { skeleton, sourceNodes } of asset.skeletons) {
      const at = sourceNodes.indexOf(node);
      if (at >= 0 && skeleton.names[at] !== '') return skeleton.names[at];
    }
    return node;
  };
  return Object.fromEntries(
    Object.entries(map).map(([bone, node]) => [bone, typeof node === 'number' ? nameOf(node) : node]),
  );
}

/** A file and its humanoid after reparenting. */
interface Reparented {
  readonly file: GltfFile;
  readonly found: FoundHumanoid;
}

/** Parents misplaced bones to their parent bone. With `edits` false they are only reported. */
function reparentMisplaced(
  file: GltfFile,
  found: FoundHumanoid,
  options: HumanoidOptions,
  edits: boolean,
  issues: Issue[],
): Reparented {
  const misplaced = findMisplacedBones(found.humanoid);
  if (misplaced.length === 0) return { file, found };
  const { document } = file;
  const names = misplaced.map(({ bone }) => bone).join(', ');
  if (!edits) {
    const message = `${names}: the node is not a descendant of the parent bone, as the extension requires; use --axes or --t-pose to reparent it`;
    issues.push(issue('DEFINE_HIERARCHY', message));
    return { file, found };
  }
  const { sourceNodes, skeleton } = found.part;
  const { clips } = readGltf(document);
  const { height, metersPerUnit } = found.humanoid;
  const moves = misplaced.map((one): NodeMove => {
    const tracks = clips.map((clip) =>
      createReparentedTracks(skeleton, clip.clips[found.index], one, height / metersPerUnit),
    );
    return { node: sourceNodes[one.node], parent: sourceNodes[one.parent], rest: one.rest, tracks };
  });
  reparentNodes(document, moves);
  issues.push(
    issue('DEFINE_BONES_REPARENTED', `${names}: parented to the parent bone, with new keys that keep their motion`),
  );
  const map: BoneAssignments = Object.fromEntries(
    BONES.flatMap((bone, b) => {
      const node = found.humanoid.map.nodes[b];
      return node < 0 ? [] : [[bone, sourceNodes[node]]];
    }),
  );
  const again = { ...file, asset: readGltf(document) };
  const { skeleton: _name, ...rest } = options;
  const choice = findHumanoid(again, 'only', { ...rest, map, skeleton: found.index });
  return choice.found === null ? { file, found } : { file: again, found: choice.found };
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
 * writeFiles(outputs);
 */
export async function defineHumanoid(file: OpenFile, options: DefineOptions): Promise<DefineResult> {
  const { output, tPose = false, axes = false, strict = false } = options;
  const format = outputFormat(output);
  if (holdsOneClip(format) || isUsd(format)) {
    const what = isUsd(format) ? 'has no humanoid definitions' : 'holds no character';
    throw new OptionError('output', `A .${format} file ${what}; write .glb, .gltf or, for a VRM, .vrm`);
  }
  if (strict && !tPose) {
    throw new OptionError('strict', 'Strict rules straighten the spine of the T-pose; use them with --t-pose');
  }
  checkIsVrm(file, format);
  const issues: Issue[] = [];
  const { gltf, humanoid } = await toEditable(file, options.humanoid ?? {}, issues);
  const source: OpenFile = gltf ?? file;
  issues.push(...source.asset.issues.filter(({ message }) => !issues.some((known) => known.message === message)));
  const choice = findHumanoid(source, 'only', humanoid);
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
  const request = createNormalizeRequest(edited.file, edited.found, options);
  const result = normalizeDocument(gltf.document, request, issues);
  reportChanges(result, request, file, issues);
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
