/** All of `anyrig define` but reading and writing files: a character with a skeleton definition of EXT_skeleton_humanoid. */
import { canonicalTurns } from '../core/conform/canonical-turns.ts';
import { conformingPose } from '../core/conform/conforming-pose.ts';
import { misplacedBones, rehungTracks } from '../core/conform/rehang.ts';
import { standInPose } from '../core/conform/stand-in-pose.ts';
import { BONE_COUNT, BONES, type BoneName } from '../core/humanoid/bones.ts';
import { CANONICAL_FRAMES } from '../core/humanoid/canonical-frames.ts';
import type { GivenBones, Humanoid } from '../core/humanoid/humanoid.ts';
import { bindModelPose } from '../core/humanoid/reference/model-pose.ts';
import type { TurnedPose } from '../core/humanoid/reference/reference-pose.ts';
import { deviationFromTPose } from '../core/humanoid/reference/t-pose.ts';
import * as mat4 from '../core/math/mat4.ts';
import * as quat from '../core/math/quat.ts';
import * as vec3 from '../core/math/vec3.ts';
import { type Issue, issue } from '../core/report/issue.ts';
import { localToModelMatrices } from '../core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../core/skeleton/skeleton.ts';
import { type ConformRequest, type ConformResult, conformDocument } from '../formats/gltf/conform/conform-document.ts';
import { type NodeMove, rehangNodes } from '../formats/gltf/conform/rehang-nodes.ts';
import { attachDracoDecoder, hasDracoMeshes } from '../formats/gltf/draco.ts';
import { concatParts } from '../formats/gltf/glb.ts';
import { readGltf } from '../formats/gltf/read.ts';
import { type Body, chooseBody } from './choose-body.ts';
import { checkIsVrm } from './convert-document.ts';
import { convertFile } from './convert-file.ts';
import type { BodyOptions } from './describe-body.ts';
import { type OpenFile, openBytes } from './open.ts';
import { OptionError } from './option-error.ts';
import type { OutputFile } from './output-file.ts';
import { outputFormat } from './output-format.ts';
import { printOutput } from './print-output.ts';
import { type BodyReport, type NoBodyReport, reportBody } from './retarget-report.ts';

/** How a humanoid is to be defined. */
export interface DefineOptions {
  /** Path of the output: .glb, .gltf, or .vrm for a VRM. */
  readonly output: string;
  /** Give the bones the canonical axes of the extension: nothing looks different. */
  readonly axes?: boolean;
  /** Make the T-pose of the extension the bind and rest pose: meshes are re-baked. */
  readonly tPose?: boolean;
  /** With `tPose`: straighten spine and neck too. */
  readonly strict?: boolean;
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

/** A frame that is turned by more than this, radians, is not how a body stands but where the file has its front. */
const TURNED = (10 * Math.PI) / 180;
/** A bind pose with a limb further off a T-pose than this is none, degrees; the same of bones off their axes. */
const OFF = 5;

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

function similarity(rotation: ArrayLike<number>, scale: number, translation: readonly number[]): Float64Array {
  const matrix = new Float64Array(MATRIX_STRIDE);
  mat4.compose(matrix, 0, [...translation, ...Array.from(rotation), scale, scale, scale], 0);
  return matrix;
}

function conjugated(rotation: ArrayLike<number>): Float64Array {
  const inverse = new Float64Array(4);
  quat.conjugate(inverse, 0, rotation, 0);
  return inverse;
}

const NO_TURN = Float64Array.of(0, 0, 0, 1);

/** The spaces of a model that is to stand as the extension asks. */
interface Spaces {
  /** X, of the file's space; null where it stays. */
  readonly space: Float64Array | null;
  /** Y, of the root node; null where it is the space of the scene. */
  readonly rootSpace: Float64Array | null;
  /** Canonical frame (ground of the body where it is) to the file's space: X⁻¹ · Y · (down to the ground). */
  readonly fromCanonical: Float64Array;
}

/**
 * A VRM 0.x has to face −Z: its scene stays as it is, and the root node is turned, in whose space it faces +Z. Everything else is turned, scaled and put on the
 * ground as a whole.
 */
function spacesOf({ frame, metresPerUnit, ground }: Humanoid, isVrm0: boolean): Spaces {
  const isTurned = quat.angleBetween(frame, 0, NO_TURN, 0) > TURNED;
  const down = similarity(NO_TURN, 1, [0, -ground, 0]);
  if (isVrm0) {
    const rootSpace = isTurned ? similarity(conjugated(frame), 1, [0, 0, 0]) : null;
    const fromCanonical = new Float64Array(MATRIX_STRIDE);
    mat4.multiply(fromCanonical, 0, rootSpace ?? similarity(NO_TURN, 1, [0, 0, 0]), 0, down, 0);
    return { space: null, rootSpace, fromCanonical };
  }
  if (!isTurned && metresPerUnit === 1 && ground === 0) return { space: null, rootSpace: null, fromCanonical: down };
  const space = similarity(isTurned ? frame : NO_TURN, metresPerUnit, [0, -ground, 0]);
  const fromCanonical = new Float64Array(MATRIX_STRIDE);
  mat4.invertAffine(fromCanonical, 0, space, 0);
  mat4.multiply(fromCanonical, 0, fromCanonical, 0, down, 0);
  return { space, rootSpace: null, fromCanonical };
}

/** Nodes of the file that are in several skeletons. */
function sharedNodes({ asset }: OpenFile, index: number): Set<number> {
  const own = new Set(asset.skeletons[index].sourceNodes);
  const shared = new Set<number>();
  asset.skeletons.forEach(({ sourceNodes }, k) => {
    if (k !== index) for (const node of sourceNodes) if (own.has(node)) shared.add(node);
  });
  return shared;
}

function bindMatrices({ skeleton }: Humanoid): Float64Array {
  if (skeleton.bind !== null) return Float64Array.from(skeleton.bind);
  const matrices = new Float64Array(MATRIX_STRIDE * skeleton.parents.length);
  localToModelMatrices(matrices, skeleton.parents, skeleton.rest);
  return matrices;
}

/** Degrees by which a pose of bones, canonical frame, is off the T-pose, and the bone or limb that is worst. */
function worstLimb(positions: Float64Array, nodes: Int32Array): [string, number] {
  const limbs = Object.entries(deviationFromTPose(positions, nodes));
  return limbs.reduce<[string, number]>(
    (worst, [limb, degrees]) => (degrees > worst[1] ? [limb, degrees] : worst),
    ['', 0],
  );
}

/** What of the text the output does not obey, as not everything was asked for. */
function reportMissing(humanoid: Humanoid, { axes = false, tPose = false }: DefineOptions, issues: Issue[]): void {
  const { skeleton, map, reference, frame } = humanoid;
  if (!tPose) {
    const bind = bindModelPose(skeleton);
    const positions = reference.positions.slice();
    for (let bone = 0; bone < BONE_COUNT && bind !== null; bone++) {
      if (map.nodes[bone] >= 0) vec3.rotate(positions, 3 * bone, frame, 0, bind.positions, 3 * map.nodes[bone]);
    }
    const [limb, degrees] = worstLimb(positions, map.nodes);
    if (degrees > OFF) {
      const message = `The bind pose becomes the reference pose, but it is ${degrees.toFixed(1)}° off a T-pose (${limb}); --t-pose makes it one`;
      issues.push(issue('DEFINE_POSE_NOT_T', message));
    }
  }
  if (axes) return;
  let count = 0;
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (map.nodes[bone] < 0) continue;
    const angle = quat.angleBetween(reference.rotations, 4 * bone, CANONICAL_FRAMES, 4 * bone);
    if ((angle * 180) / Math.PI > OFF) count++;
  }
  if (count > 0) {
    const message = `${count} bones do not have the axes of the extension, so that its channels do not fit as they are; --axes gives them`;
    issues.push(issue('DEFINE_AXES', message));
  }
}

function requestOf(file: OpenFile, { humanoid, part, index }: Body, options: DefineOptions): ConformRequest {
  const { map, reference, frame } = humanoid;
  const { axes = false, tPose = false, strict = false } = options;
  const pose: TurnedPose = tPose ? conformingPose(humanoid, { strict }) : reference;
  const spaces = tPose ? spacesOf(humanoid, file.asset.format === 'vrm0') : null;
  return {
    bones: map.nodes.map((node) => (node < 0 ? -1 : part.sourceNodes[node])),
    sourceNodes: part.sourceNodes,
    bind: bindMatrices(humanoid),
    shared: sharedNodes(file, index),
    turns: axes ? canonicalTurns(pose.rotations, map.nodes) : null,
    pose: spaces === null ? null : standInPose(humanoid, pose, spaces.fromCanonical),
    space: spaces?.space ?? null,
    rootSpace: spaces?.rootSpace ?? null,
    modelSpace: similarity(tPose ? NO_TURN : conjugated(frame), 1, [0, 0, 0]),
    isWhole: tPose,
  };
}

function reportDone(result: ConformResult, request: ConformRequest, file: OpenFile, issues: Issue[]): void {
  const { newJoints, hasNewRoot, definition, meshes } = result;
  if (newJoints.length > 0) {
    const listed = newJoints.slice(0, 6).join(', ') + (newJoints.length > 6 ? ' …' : '');
    const message = `${newJoints.length} bones were in no skin; a skin that deforms nothing makes joints of them: ${listed}`;
    issues.push(issue('DEFINE_BONES_JOINED', message));
  }
  if (hasNewRoot) {
    const why =
      request.rootSpace === null
        ? 'its space is that of the model: facing +Z, metres, ground at y = 0'
        : 'the character faces +Z in its space, and −Z in the scene, as a VRM 0.x must';
    issues.push(issue('DEFINE_ROOT_ADDED', `Node ${definition.rootNode} was put above the character; ${why}`));
  }
  if (request.space !== null) {
    const message = 'The character was turned to face +Z, scaled to metres and put on the ground, with all its clips';
    issues.push(issue('DEFINE_SPACE_CHANGED', message));
  }
  if (meshes > 0) {
    const message = `${meshes} ${meshes === 1 ? 'mesh was' : 'meshes were'} re-baked into the T-pose; clips look the same but for vertices that hang on several joints`;
    issues.push(issue('DEFINE_MESHES_BAKED', message));
  }
  if (request.turns !== null && file.asset.format === 'vrm0') {
    const message =
      'The file stays a VRM 0.x, whose nodes should have no rotations; players that rely on that show its motions wrongly. Leave --axes out for them, or use VRM 1.0';
    issues.push(issue('DEFINE_VRM0', message));
  }
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
  const { height, metresPerUnit } = body.humanoid;
  const moves = misplaced.map((one): NodeMove => {
    const tracks = clips.map((clip) => rehungTracks(skeleton, clip.clips[body.index], one, height / metresPerUnit));
    return { node: sourceNodes[one.node], parent: sourceNodes[one.parent], rest: one.rest, tracks };
  });
  rehangNodes(document, moves);
  issues.push(issue('DEFINE_BONES_REHUNG', `${names}: hung below the parent bone, and keyed to stay where they were`));
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
 * Defines the humanoid of a character: which node is which bone, after EXT_skeleton_humanoid, in the character's own document. With `axes` its bones get the canonical axes of
 * the extension, and the skinned result and every clip look the same; with `tPose` the T-pose of the extension becomes rest and bind pose. What is no glTF becomes a
 * GLB first. The document of the file is edited: open it anew for another job.
 *
 * @throws OptionError when an option does not fit the file; FormatError when what has to be changed cannot be read.
 */
export async function defineHumanoid(file: OpenFile, options: DefineOptions): Promise<DefineResult> {
  const { output, tPose = false, axes = false, strict = false } = options;
  const format = outputFormat(output);
  if (format === 'vrma' || format === 'bvh') {
    throw new OptionError('output', `.${format} holds no character; write .glb, .gltf or, for a VRM, .vrm`);
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
