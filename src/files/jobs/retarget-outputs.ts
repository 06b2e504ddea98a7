/** Writes retargeted clips: into the character without loss, into a new file of the character, or with its skeleton only. */
import { type Issue, issue } from '../../core/report/issue.ts';
import { readGltf } from '../../formats/gltf/read/read-gltf.ts';
import type { NewAnimation } from '../../formats/gltf/write/write-clips.ts';
import type { FileGeometry } from '../adapters/format-adapter.ts';
import type { ClipOrigin } from '../clips/choose-clips.ts';
import { mergeSkeletonClips } from '../clips/merge-skeleton-clips.ts';
import { droppedFaces } from '../faces/motion-face.ts';
import { visibleGeometryOf } from '../geometry.ts';
import type { FoundHumanoid } from '../humanoid/find-humanoid.ts';
import type { OpenFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';
import { type CharacterFormat, isCharacterFormat, planCharacterOutputs } from '../outputs/character-outputs.ts';
import { vrmaPathBeside } from '../outputs/clips-in-vrm.ts';
import { editedOutputs, isLossless, type LosslessFormat } from '../outputs/lossless-outputs.ts';
import { motionOutputs } from '../outputs/motion-outputs.ts';
import type { OutputFile } from '../outputs/output-file.ts';
import { checkIsVrm, holdsOneClip, type OutputFormat, outputFormat } from '../outputs/output-format.ts';
import { isTemplate, outputGroups } from '../outputs/output-paths.ts';
import { clipNameParts, type RetargetedClip } from './retarget-clips.ts';

/** A retargeted clip without the motion that it was made from. */
export type WrittenClip = Omit<RetargetedClip, 'source'> & {
  /** The clip that it was made from. */
  readonly source: ClipOrigin;
};

/** Where and how retargeted clips are written. */
export interface RetargetOutputOptions {
  /** Path of the output, or a template for one file per clip; its extension selects the format. */
  readonly output: string;
  /** Resamples a BVH to this rate, in frames per second. */
  readonly fps?: number;
  /** Whether faces were retargeted by meaning. */
  readonly face?: boolean;
  /** Whether new clips replace those of the character. */
  readonly replace?: boolean;
  /** `false` writes only the skeleton of the character and the new clips. */
  readonly mesh?: boolean;
  /** Whether to also write each clip as a .vrma beside the output. */
  readonly vrma?: boolean;
}

/** What an output contains besides the new clips. */
export interface RetargetOutput {
  /** Format of the output. */
  readonly format: OutputFormat;
  /** The format in which the character keeps all its content; null when the output is a new file. */
  readonly lossless: LosslessFormat | null;
  /** Visible content of a character that is written into a new file; null for the others. */
  readonly visible: FileGeometry | null;
}

/** Throws OptionError for a character that the output format cannot hold. */
function checkFormat(character: OpenFile, format: OutputFormat, mesh: boolean, isVisible: boolean): void {
  if (holdsOneClip(format)) return;
  const { asset, name } = character;
  checkIsVrm(character, format);
  if (format === 'vrm' && !mesh) {
    throw new OptionError(
      'output',
      'A .vrm without a mesh is not possible; with the option mesh: false write .glb or .gltf',
    );
  }
  // A file without skeletons is not humanoid, which the report explains.
  if (isLossless(character, format) || isVisible || !mesh || asset.skeletons.length === 0) return;
  const what = `${name} is ${asset.format.toUpperCase()} and has a skeleton, but no mesh`;
  throw new OptionError('mesh', `${what}; use the option mesh: false to write the skeleton with the clips`);
}

/**
 * Decides what the output contains, and reads the visible content of the character where it is written into a new file.
 *
 * @param character File of the character.
 * @param options Path of the output, and whether it has meshes.
 * @returns The kind of output.
 * @throws OptionError for a character that the output format cannot hold; FormatError when its meshes or images cannot be read.
 */
export async function planRetargetOutput(
  character: OpenFile,
  { output, mesh = true }: RetargetOutputOptions,
): Promise<RetargetOutput> {
  const format = outputFormat(output);
  const lossless = mesh && isLossless(character, format) ? format : null;
  const visible = mesh && lossless === null && isCharacterFormat(format) ? await visibleGeometryOf(character) : null;
  checkFormat(character, format, mesh, visible !== null);
  return { format, lossless, visible };
}

function hasNoFace({ face }: WrittenClip): boolean {
  return face.expressions.length === 0 && face.lookAt === null;
}

/** Reports what is lost of the faces of clips without a mesh. */
function lostFaces(clips: readonly WrittenClip[], format: OutputFormat): Issue[] {
  const isLost = (one: WrittenClip): boolean => format !== 'vrma' || hasNoFace(one);
  // A VRMA identifies shapes by name.
  const morphs = clips.flatMap((one) =>
    one.morphs.filter(({ targetNames }) => targetNames === undefined || hasNoFace(one)),
  );
  const namesOf = (one: WrittenClip): string[] =>
    isLost(one) ? [...one.face.expressions.map(({ name }) => name), ...one.droppedFace] : [];
  const issues = droppedFaces(clips, namesOf, 'the output has no mesh');
  if (morphs.length === 0) return issues;
  const message = `${morphs.length} × morph weights were dropped because the output has no mesh`;
  return [...issues, issue('CHANNELS_DROPPED', message)];
}

/**
 * Writes retargeted clips. Paths of a template are unique across calls.
 *
 * @param clips The clips.
 * @param issues Receives issues.
 * @returns The files to write in this order.
 */
export type WriteRetargeted = (clips: readonly WrittenClip[], issues: Issue[]) => Promise<OutputFile[]>;

/** Writes only the skeleton of the character with the clips. */
function motionWriter(
  { humanoid, part }: FoundHumanoid,
  character: OpenFile,
  { output, fps }: RetargetOutputOptions,
): WriteRetargeted {
  const format = outputFormat(output);
  const taken = new Set<string>();
  return async (clips, issues) => {
    issues.push(...lostFaces(clips, format));
    const written = clips.filter((one) => one.clip.tracks.length > 0 || (format === 'vrma' && !hasNoFace(one)));
    for (const { clip, file } of clips.filter((one) => !written.includes(one))) {
      const message = `The clip ${JSON.stringify(clip.name)} of ${file} animates only a face; it was left out`;
      issues.push(issue('CLIP_EMPTY', message));
    }
    if (written.length === 0) return [];
    const named = written.map(({ clip, file, source, face }) => {
      return { clip, parts: { ...clipNameParts(file, character, source), clip: clip.name }, face };
    });
    return motionOutputs({ file: character, part, humanoid }, named, output, fps, issues, taken);
  };
}

/** Writes the whole character with the clips without loss. */
function losslessWriter(
  { part }: FoundHumanoid,
  character: OpenFile,
  format: LosslessFormat,
  { output, replace = false, face = true }: RetargetOutputOptions,
): WriteRetargeted {
  const reason = face ? 'the character has no equivalent' : 'only equal names were requested';
  const taken = new Set<string>();
  return async (clips, issues) => {
    issues.push(...droppedFaces(clips, ({ droppedFace }) => droppedFace, reason));
    const names = clips.map(({ clip, file, source }) => {
      return { ...clipNameParts(file, character, source), clip: clip.name };
    });
    const animations = clips.map(({ clip, morphs }) => {
      return { name: clip.name, clip, sourceNodes: part.sourceNodes, morphs };
    });
    const groups = outputGroups(output, names, taken);
    return editedOutputs(character, { animations, replace }, format, groups, issues);
  };
}

/** Lists all clips of a character. A glTF is read again: jobs need only its first clip otherwise, so callers may open it without the keys of the others. */
function ownClips(character: OpenFile): NewAnimation[] {
  const { clips, skeletons } = character.format === 'gltf' ? readGltf(character.document) : character.asset;
  return clips.map((clip) => mergeSkeletonClips(clip, skeletons));
}

/** Writes a character of another format into a new file: the new clips, then its own unless they are replaced. */
function newCharacterWriter(
  { geometry, issues: found }: FileGeometry,
  { humanoid, part }: FoundHumanoid,
  character: OpenFile,
  format: CharacterFormat,
  { output, replace = false }: RetargetOutputOptions,
): WriteRetargeted {
  const own = replace ? [] : ownClips(character);
  const write = planCharacterOutputs({ file: character, geometry, part, humanoid }, { path: output, format }, own);
  return async (clips, issues) => {
    issues.push(...found, ...droppedFaces(clips, ({ droppedFace }) => droppedFace, 'the character has no equivalent'));
    const added = clips.map(({ clip, morphs, file, source }) => {
      const parts = { ...clipNameParts(file, character, source), clip: clip.name };
      return { name: clip.name, clip, sourceNodes: part.sourceNodes, morphs, parts };
    });
    return write(added, issues);
  };
}

/** Writes each clip as a VRM Animation beside the output. */
function vrmaWriter(found: FoundHumanoid, character: OpenFile, options: RetargetOutputOptions): WriteRetargeted {
  const writerFor = (count: number): WriteRetargeted =>
    motionWriter(found, character, { ...options, output: vrmaPathBeside(options.output, count) });
  // The paths of a template are unique across calls of one writer.
  if (isTemplate(options.output)) return writerFor(1);
  return (clips, issues) => writerFor(clips.length)(clips, issues);
}

/**
 * Prepares writing retargeted clips.
 *
 * @param planned Result of {@link planRetargetOutput}.
 * @param found The humanoid of the character.
 * @param character File of the character; it stays unchanged.
 * @param options Where to write, and what the output keeps.
 * @returns A function that writes clips.
 */
export function createRetargetWriter(
  planned: RetargetOutput,
  found: FoundHumanoid,
  character: OpenFile,
  options: RetargetOutputOptions,
): WriteRetargeted {
  const write = mainWriter(planned, found, character, options);
  if (options.vrma !== true || planned.format === 'vrma') return write;
  const writeBeside = vrmaWriter(found, character, options);
  return async (clips, issues) => {
    const main = await write(clips, issues);
    // The file that the user named is the last one, which may replace the character.
    return [...(await writeBeside(clips, issues)), ...main];
  };
}

function mainWriter(
  { format, lossless, visible }: RetargetOutput,
  found: FoundHumanoid,
  character: OpenFile,
  options: RetargetOutputOptions,
): WriteRetargeted {
  if (lossless !== null) return losslessWriter(found, character, lossless, options);
  if (visible === null || !isCharacterFormat(format)) return motionWriter(found, character, options);
  return newCharacterWriter(visible, found, character, format, options);
}
