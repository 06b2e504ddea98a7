/** Decides what an output holds, once for all jobs: the file with everything it has, a new file with its visible content, or one skeleton. Then writes clips into it. */

import type { NewAnimation } from '../../core/asset/asset.ts';
import type { FileGeometry } from '../../core/asset/geometry.ts';
import type { FaceTracks } from '../../core/face/face-tracks.ts';
import type { JointNaming } from '../../core/humanoid/rigs/joint-names.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { adapterForOutput, adapterOf } from '../adapters/adapters.ts';
import type { ClipChanges, FbxForm, NewCharacter } from '../adapters/format-adapter.ts';
import type { ClipNameParts } from '../clips/clip-names.ts';
import { visibleGeometryOf } from '../geometry.ts';
import type { OpenFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';
import type { OutputFile } from './output-file.ts';
import { checkIsVrm, formatFamily, holdsOneClip, type OutputFormat, outputFormat } from './output-format.ts';
import { checkTemplate, isTemplate, outputGroups } from './output-paths.ts';
import { renameJoints } from './rename-joints.ts';

/** What an output holds besides new clips. */
export interface OutputPlan {
  /** Path, or a template for one file per clip. */
  readonly output: string;
  /** Format of the output. */
  readonly format: OutputFormat;
  /** `everything`: the file, edited without loss. `visible`: a new file with its visible content. `skeleton`: a new file with one skeleton. */
  readonly holds: 'everything' | 'visible' | 'skeleton';
  /** The visible content of the file, for a new file with it; null otherwise. */
  readonly visible: FileGeometry | null;
  /** The names that joints get; omitted where they keep theirs. */
  readonly names?: JointNaming;
  /** How an FBX is written. */
  readonly fbx?: FbxForm;
}

export interface OutputClip extends NewAnimation {
  /** Expressions and look-at, which a VRMA holds beside the clip. */
  readonly face?: FaceTracks;
  readonly parts: ClipNameParts;
}

/** Writes clips and returns the files. The paths of a template are unique across calls. Issues that repeat from file to file are added once. */
export type WriteClips = (clips: readonly OutputClip[], issues: Issue[]) => Promise<OutputFile[]>;

/** Returns whether a format can hold the whole content of a file: glTF as glTF, USD as USD, FBX as FBX. */
function isLossless(file: OpenFile, format: OutputFormat, isUnchanged: boolean): boolean {
  const { writeLossless, canEdit } = adapterOf(file);
  if (holdsOneClip(format) || writeLossless === undefined || formatFamily(format) !== file.format) return false;
  return isUnchanged || canEdit?.(file) !== false;
}

interface OutputRequest {
  /** Whether the mesh is written; true by default. */
  readonly mesh?: boolean;
  /** Whether the file keeps the clips that it has, as they are; false by default. */
  readonly isUnchanged?: boolean;
  /** How an FBX is written; other members are ignored. */
  readonly fbx?: FbxForm;
  /** The names that joints get; omitted where they keep theirs. */
  readonly names?: JointNaming | undefined;
}

/** Reports that a file becomes a new one although its format could keep everything. */
function withRebuiltIssue({ name }: OpenFile, { geometry, issues }: FileGeometry): FileGeometry {
  const message =
    `Joints can be renamed in place in glTF only, so the output is a new file with the visible content of ${name}: ` +
    'nodes, meshes, skins, materials and images. Leave out the option names to keep everything.';
  return { geometry, issues: [...issues, issue('JOINTS_REBUILT', message, { resource: name })] };
}

/**
 * Decides what an output holds. Reads the visible content of a file that becomes a new one. `file`: the file whose content is written; it stays
 * unchanged. Throws OptionError for a path, or a file that the format cannot hold; FormatError when meshes or images cannot be read.
 */
export async function planOutput(
  file: OpenFile,
  output: string,
  { mesh = true, isUnchanged = false, fbx = {}, names }: OutputRequest = {},
): Promise<OutputPlan> {
  checkTemplate(output);
  const format = outputFormat(output);
  checkIsVrm(file, format);
  if (format === 'vrm' && !mesh)
    throw new OptionError(
      'output',
      'A .vrm without a mesh is not possible; with the option mesh: false write .glb or .gltf',
    );
  const { ascii = false, rest = 't-pose', textures = 'embed' } = fbx;
  const base = {
    output,
    format,
    visible: null,
    ...(names === undefined ? {} : { names }),
    fbx: { ascii, rest, textures },
  };
  const { asset } = file;
  const isCopied = format === 'vrma' && asset.format === 'vrma' && asset.clips.length === 1 && isUnchanged;
  if (mesh && (isCopied || isLossless(file, format, isUnchanged))) {
    if (names === undefined || file.format === 'gltf') return { ...base, holds: 'everything' };
    const visible = await visibleGeometryOf(file);
    if (visible !== null) return { ...base, holds: 'visible', visible: withRebuiltIssue(file, visible) };
  }
  const visible = mesh && !holdsOneClip(format) ? await visibleGeometryOf(file) : null;
  return visible === null ? { ...base, holds: 'skeleton' } : { ...base, holds: 'visible', visible };
}

/** Lists the issues of a file that is written without being interpreted. */
export function parseIssues(file: OpenFile): readonly Issue[] {
  return adapterOf(file).parseIssues?.(file) ?? [];
}

/** Writes the file of a plan as `path` with all its content; `changes` are its clips, null for those that it has. */
async function writeEverything(
  file: OpenFile,
  { format, fbx = {} }: OutputPlan,
  changes: ClipChanges | null,
  path: string,
  issues: Issue[],
): Promise<OutputFile[]> {
  const { writeLossless } = adapterOf(file);
  if (writeLossless === undefined) throw new RangeError(`${file.name} cannot be written as .${format} without loss`);
  // A VRMA is a GLB.
  return writeLossless(file, changes, { path, format: format === 'vrma' ? 'glb' : format, fbx }, issues);
}

/**
 * Writes the file of a plan with the clips that it has, unchanged or in another container of its family. Throws FormatError when content that must
 * be embedded cannot be read.
 */
export function writeUnchanged(file: OpenFile, plan: OutputPlan, issues: Issue[]): Promise<OutputFile[]> {
  return writeEverything(file, plan, null, plan.output, issues);
}

/** Adds the events of clips as a JSON file beside a file that has no place for them: `{ clips: [{ name, events, speed, ground }] }`. */
function withEvents(format: OutputFormat, write: WriteGroup<OutputClip>): WriteGroup<OutputClip> {
  if (formatFamily(format) === 'gltf' || formatFamily(format) === 'usd') return write;
  return async (clips, path, issues) => {
    const files = await write(clips, path, issues);
    const found = clips.flatMap(({ name, events }) => (events === undefined ? [] : [{ name, ...events }]));
    if (found.length === 0) return files;
    const text = `${JSON.stringify({ clips: found }, null, 2)}\n`;
    const beside = `${path.slice(0, path.lastIndexOf('.'))}.events.json`;
    // The file that the user named is the last one.
    return [{ path: beside, parts: [new TextEncoder().encode(text)] }, ...files];
  };
}

type WriteGroup<Clip> = (clips: readonly Clip[], path: string, issues: Issue[]) => Promise<OutputFile[]>;

export function createClipWriter<Clip extends { readonly parts: ClipNameParts }>(
  output: string,
  write: WriteGroup<Clip>,
): (clips: readonly Clip[], issues: Issue[]) => Promise<OutputFile[]> {
  const taken = new Set<string>();
  return async (clips, issues) => {
    const groups = outputGroups(
      output,
      clips.map(({ parts }) => parts),
      taken,
    );
    const files: OutputFile[] = [];
    for (const { path, clips: indices } of groups) {
      const found: Issue[] = [];
      const chosen = indices.map((index) => clips[index]);
      files.push(...(await write(chosen, path, found)));
      issues.push(...found.filter(({ message }) => !issues.some((known) => known.message === message)));
    }
    return files;
  };
}

interface WrittenContent extends Omit<NewCharacter, 'geometry'> {
  /** Clips of the file that a new file with its visible content also holds, after the new ones: players start with the first clip, and USD binds it. */
  readonly own?: readonly NewAnimation[];
  /** Whether the new clips replace those of a file that is edited; they are appended by default. */
  readonly replace?: boolean;
  /** Frame rate of a BVH, in frames per second; by default that of the keys. */
  readonly fps?: number;
}

export function createOutputWriter(plan: OutputPlan, content: WrittenContent): WriteClips {
  // A VRM Animation has names of its own.
  if (plan.names === undefined || plan.format === 'vrma') return createNamedWriter(plan, content);
  const renamed = renameJoints(content, plan.visible, plan.names);
  const write = createNamedWriter({ ...plan, visible: renamed.visible }, renamed.content);
  let isReported = false;
  return async (clips, issues) => {
    if (!isReported) issues.push(...renamed.issues);
    isReported = true;
    return write(clips, issues);
  };
}

function createNamedWriter(
  plan: OutputPlan,
  { file, part, humanoid, own = [], replace = false, fps }: WrittenContent,
): WriteClips {
  const { output, format, visible, fbx = {} } = plan;
  if (plan.holds === 'everything') {
    const write: WriteGroup<OutputClip> = (animations, path, issues) =>
      writeEverything(file, plan, { animations, replace }, path, issues);
    return createClipWriter(output, withEvents(format, write));
  }
  const { planCharacter, writeMotion } = adapterForOutput(format);
  if (visible !== null) {
    if (planCharacter === undefined) throw new RangeError(`No adapter writes characters as .${format}`);
    const write = planCharacter({ file, geometry: visible.geometry, part, humanoid }, { format, fbx });
    return createClipWriter(
      output,
      withEvents(format, (clips, path, issues) => write([...clips, ...own], path, issues)),
    );
  }
  if (writeMotion === undefined) throw new RangeError(`No adapter writes motion as .${format}`);
  if (part === null) throw new RangeError(`${file.name} has no skeleton to write`);
  const write: WriteGroup<OutputClip> = (clips, path, issues) =>
    writeMotion({ file, part, humanoid }, clips, { path, format, fbx }, fps, issues);
  return createClipWriter(output, withEvents(format, write));
}

/** Returns the path of the VRM Animations beside a character. */
export function vrmaPathBeside(output: string, count: number): string {
  const stem = output.slice(0, output.lastIndexOf('.'));
  return isTemplate(output) || count === 1 ? `${stem}.vrma` : `${stem}-{clip}.vrma`;
}

/**
 * Reports how clips inside a .vrm play. three-vrm copies its normalized bones to the bones of the file every frame, which overwrites the pose of
 * a glTF animation.
 */
export function clipsInVrmIssue(output: string, alternative: string): Issue {
  const message = `VRM players show a T-pose for clips inside a .vrm (three-vrm plays them with autoUpdateHumanBones: false); ${alternative}.`;
  return issue('VRM_CLIP_PLAYBACK', message, { resource: output });
}
