/** All of `anyrig define` but reading and writing files: a character with a skeleton definition of EXT_skeleton_humanoid. */
import { misplacedBones, rehungTracks } from '../core/conform/rehang.ts';
import { BONES, type BoneName } from '../core/humanoid/bones.ts';
import type { GivenBones } from '../core/humanoid/humanoid.ts';
import { type Issue, issue } from '../core/report/issue.ts';
import { conformDocument } from '../formats/gltf/conform/conform-document.ts';
import { type NodeMove, rehangNodes } from '../formats/gltf/conform/rehang-nodes.ts';
import { attachDracoDecoder, hasDracoMeshes } from '../formats/gltf/draco.ts';
import { concatParts } from '../formats/gltf/glb.ts';
import { readGltf } from '../formats/gltf/read.ts';
import { type Body, chooseBody } from './choose-body.ts';
import { convertFile } from './convert-file.ts';
import { reportDone, reportMissing } from './define-issues.ts';
import { type Conformity, requestOf } from './define-request.ts';
import type { BodyOptions } from './describe-body.ts';
import { type OpenFile, openBytes } from './open.ts';
import { OptionError } from './option-error.ts';
import type { OutputFile } from './output-file.ts';
import { checkIsVrm, holdsOneClip, isUsd, outputFormat } from './output-format.ts';
import { printOutput } from './print-output.ts';
import { type BodyReport, type NoBodyReport, reportBody } from './retarget-report.ts';

/** How a humanoid is to be defined. */
export interface DefineOptions extends Conformity {
  /** Path of the output: .glb, .gltf, or .vrm for a VRM. */
  readonly output: string;
  /** What is said about the body. */
  readonly body?: BodyOptions;
}

/** The report of `anyrig define`. */
export interface DefineReport {
  /** Whether there is an output. */
  readonly ok: boolean;
  readonly file: string;
  readonly format: string;
  readonly output: string | null;
  /** The body as it was found, before it was changed. */
  readonly body: BodyReport | NoBodyReport;
  /** What the output has; null without one. */
  readonly definition: {
    /** Index in `humanoidSkeletons`. */
    readonly index: number;
    readonly rootNode: number;
    /** Nodes of the output. */
    readonly humanoidBones: Readonly<Partial<Record<BoneName, number>>>;
    /** Bones with a new node above their old one. */
    readonly wrappedBones: readonly BoneName[];
    /** Bones that became joints. */
    readonly newJoints: readonly BoneName[];
    readonly axes: boolean;
    readonly tPose: boolean;
    /** Channels with new values, and channels that hold what stood in the old rest pose. */
    readonly rewrittenChannels: number;
    readonly heldChannels: number;
    readonly bakedMeshes: number;
  } | null;
  readonly issues: readonly Issue[];
}

/** What there is to write, and the report. */
export interface DefineResult {
  readonly report: DefineReport;
  /** Files to be written in this order; none when there is nothing to write. */
  readonly outputs: readonly OutputFile[];
}

/** A file that is no glTF as one, with all that is seen of it. */
async function asGltf(
  file: OpenFile,
  body: BodyOptions,
  issues: Issue[],
): Promise<{ file: OpenFile; body: BodyOptions }> {
  if (file.document !== null) return { file, body };
  const { report, outputs } = await convertFile(file, { output: 'character.glb', body });
  issues.push(...report.issues.filter(({ code }) => code !== 'NOT_HUMANOID'));
  const main = outputs.at(-1);
  if (main === undefined) return { file, body };
  const opened = await openBytes(concatParts(main.parts), { name: file.name });
  // Nodes have other indices there, but the same names.
  const { skeleton: _index, ...rest } = body;
  const map = body.map === undefined ? {} : { map: namedMap(file, body) };
  return { file: opened, body: { ...rest, ...map } };
}

/** A given bone map with names for indices. */
function namedMap({ asset }: OpenFile, { map = {} }: BodyOptions): NonNullable<BodyOptions['map']> {
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

/** What `rehang` came to. */
interface Rehung {
  readonly file: OpenFile;
  readonly body: Body;
}

/**
 * Hangs bones below their parent bone where they hang elsewhere. With `edits` false the file stays, and they are only reported.
 */
function rehang(file: OpenFile, body: Body, options: BodyOptions, edits: boolean, issues: Issue[]): Rehung {
  const misplaced = misplacedBones(body.humanoid);
  const { document } = file;
  if (misplaced.length === 0 || document === null) return { file, body };
  const names = misplaced.map(({ bone }) => bone).join(', ');
  if (!edits) {
    const message = `${names}: the node does not hang below that of the parent bone, as the extension asks; --axes or --t-pose hang it there`;
    issues.push(issue('DEFINE_HIERARCHY', message));
    return { file, body };
  }
  const { sourceNodes, skeleton } = body.part;
  const { clips } = readGltf(document);
  const { height, metersPerUnit } = body.humanoid;
  const moves = misplaced.map((one): NodeMove => {
    const tracks = clips.map((clip) => rehungTracks(skeleton, clip.clips[body.index], one, height / metersPerUnit));
    return { node: sourceNodes[one.node], parent: sourceNodes[one.parent], rest: one.rest, tracks };
  });
  rehangNodes(document, moves);
  issues.push(
    issue('DEFINE_BONES_REPARENTED', `${names}: hung below the parent bone, and keyed to stay where they were`),
  );
  const map: GivenBones = Object.fromEntries(
    BONES.flatMap((bone, b) => {
      const node = body.humanoid.map.nodes[b];
      return node < 0 ? [] : [[bone, sourceNodes[node]]];
    }),
  );
  const again = { ...file, asset: readGltf(document) };
  const { skeleton: _name, ...rest } = options;
  const choice = chooseBody(again, 'only', { ...rest, map, skeleton: body.index });
  return choice.body === null ? { file, body } : { file: again, body: choice.body };
}

/** Meshes of Draco have to be read where they are re-baked. */
async function prepareDraco({ document }: OpenFile): Promise<void> {
  if (document === null || document.cache.dracoDecoder !== null || !hasDracoMeshes(document)) return;
  const { loadDracoDecoder } = await import('./draco-decoder.ts');
  const decoder = await loadDracoDecoder();
  if (decoder !== null) attachDracoDecoder(document, decoder);
}

/**
 * Defines the humanoid of a character: which node is which bone, after EXT_skeleton_humanoid, in the character's own document. With `axes` its bones
 * get the canonical axes of the extension, and the skinned result and every clip look the same; with `tPose` the T-pose of the extension becomes rest
 * and bind pose. What is no glTF becomes a GLB first. The document of the file is edited: open it anew for another job.
 *
 * @throws OptionError when an option does not fit the file; FormatError when what has to be changed cannot be read.
 */
export async function defineHumanoid(file: OpenFile, options: DefineOptions): Promise<DefineResult> {
  const { output, tPose = false, axes = false, strict = false } = options;
  const format = outputFormat(output);
  if (holdsOneClip(format) || isUsd(format)) {
    const what = isUsd(format) ? 'knows no definition of humanoids' : 'holds no character';
    throw new OptionError('output', `.${format} ${what}; write .glb, .gltf or, for a VRM, .vrm`);
  }
  if (strict && !tPose) throw new OptionError('strict', 'it straightens the spine of the T-pose; use it with --t-pose');
  checkIsVrm(file, format);
  const issues: Issue[] = [];
  const { file: gltf, body: bodyOptions } = await asGltf(file, options.body ?? {}, issues);
  issues.push(...gltf.asset.issues.filter(({ message }) => !issues.some((known) => known.message === message)));
  const choice = chooseBody(gltf, 'only', bodyOptions);
  issues.push(...choice.issues);
  const common = { file: file.name, format: file.asset.format, body: reportBody(file.name, choice) };
  if (choice.body === null || gltf.document === null) {
    issues.push(issue('NOT_HUMANOID', `${file.name} is not humanoid: ${choice.reason}`));
    return { report: { ok: false, ...common, output: null, definition: null, issues }, outputs: [] };
  }
  if (tPose) await prepareDraco(gltf);
  const rehung = rehang(gltf, choice.body, bodyOptions, axes || tPose, issues);
  reportMissing(rehung.body.humanoid, options, issues);
  const request = requestOf(rehung.file, rehung.body, options);
  const result = conformDocument(gltf.document, request, issues);
  reportDone(result, request, file, issues);
  const outputs = await printOutput(gltf.document, gltf, { path: output, format }, issues);
  const { definition, index, wrapped, newJoints, channels, meshes } = result;
  const report: DefineReport = {
    ok: true,
    ...common,
    output,
    definition: {
      index,
      rootNode: definition.rootNode,
      humanoidBones: definition.bones,
      wrappedBones: wrapped,
      newJoints,
      axes,
      tPose,
      rewrittenChannels: channels.rewritten,
      heldChannels: channels.held,
      bakedMeshes: meshes,
    },
    issues,
  };
  return { report, outputs };
}
