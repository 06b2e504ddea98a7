/** Retargets motions to a character and makes the output files: `anyrig retarget` without reading and writing files. */
import { type Issue, issue } from '../../core/report/issue.ts';
import type { FileGeometry } from '../adapters/format-adapter.ts';
import { mergeSkeletonClips } from '../clips/merge-skeleton-clips.ts';
import { droppedFaces, keysOfFace } from '../faces/motion-face.ts';
import { faceRigOfGeometry } from '../faces/read-face-rig.ts';
import { loadDecoders, visibleGeometryOf } from '../geometry.ts';
import type { FoundHumanoid, HumanoidChoice } from '../humanoid/find-humanoid.ts';
import type { OpenFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';
import { type CharacterFormat, characterOutputs, isCharacterFormat } from '../outputs/character-outputs.ts';
import { editedOutputs, isLossless, type LosslessFormat } from '../outputs/lossless-outputs.ts';
import { motionOutputs } from '../outputs/motion-outputs.ts';
import type { OutputFile } from '../outputs/output-file.ts';
import { checkIsVrm, holdsOneClip, type OutputFormat, outputFormat } from '../outputs/output-format.ts';
import { isTemplate, mainPaths, outputGroups } from '../outputs/output-paths.ts';
import { type RetargetReport, reportClip, reportFileHumanoid } from '../reports/job-reports.ts';
import { clipNameParts, type RetargetClipsOptions, type RetargetedClip, retargetClips } from './retarget-clips.ts';

/** How to retarget motions, and what to write. */
export interface RetargetMotionsOptions extends Omit<RetargetClipsOptions, 'takenNames' | 'characterFace'> {
  /** Path of the output, or a template for one file per clip; its extension selects the format. */
  readonly output: string;
  /** Whether new clips replace those of the character; they are appended by default. */
  readonly replace?: boolean;
  /** `false` writes only the skeleton of the character and the new clips into a new file, as .vrma and .bvh always do. */
  readonly mesh?: boolean;
}

/** Report and files of {@link retargetMotions}. */
export interface RetargetMotionsResult {
  /** What was done. */
  readonly report: RetargetReport;
  /** Files to write in this order; empty without a clip. */
  readonly outputs: readonly OutputFile[];
}

/** Throws OptionError for a character that the output format cannot hold. */
function checkFormat(character: OpenFile, format: OutputFormat, mesh: boolean, isVisible: boolean): void {
  if (holdsOneClip(format)) return;
  const { asset, name } = character;
  checkIsVrm(character, format);
  if (format === 'vrm' && !mesh) {
    throw new OptionError('output', 'A .vrm without a mesh is not possible; with --no-mesh write .glb or .gltf');
  }
  // A file without skeletons is not humanoid, which the report explains.
  if (isLossless(character, format) || isVisible || !mesh || asset.skeletons.length === 0) return;
  const what = `${name} is ${asset.format.toUpperCase()} and has a skeleton, but no mesh`;
  throw new OptionError('mesh', `${what}; use --no-mesh to write the skeleton with the clips`);
}

/** Throws OptionError for a canonical rig of humanoid clips, which has no nodes in its file. */
function checkIsCharacter({ found }: HumanoidChoice, { name }: OpenFile): void {
  if (found?.part.isCanonicalRig !== true) return;
  const what = `${name} has humanoid clips, but no character to retarget to`;
  throw new OptionError(
    'mesh',
    `${what}; use "anyrig extract" to make more humanoid clips, or --no-mesh to write a skeleton of bones`,
  );
}

function hasNoFace({ face }: RetargetedClip): boolean {
  return face.expressions.length === 0 && face.lookAt === null;
}

/** Reports what is lost of the faces of clips without a mesh. */
function lostFaces(clips: readonly RetargetedClip[], format: OutputFormat): Issue[] {
  const isLost = (one: RetargetedClip): boolean => format !== 'vrma' || hasNoFace(one);
  // A VRMA identifies shapes by name.
  const morphs = clips.flatMap((one) =>
    one.morphs.filter(({ targetNames }) => targetNames === undefined || hasNoFace(one)),
  );
  const namesOf = (one: RetargetedClip): string[] =>
    isLost(one) ? [...one.face.expressions.map(({ name }) => name), ...one.droppedFace] : [];
  const issues = droppedFaces(clips, namesOf, 'the output has no mesh');
  if (morphs.length === 0) return issues;
  const message = `${morphs.length} × morph weights were dropped because the output has no mesh`;
  return [...issues, issue('CHANNELS_DROPPED', message)];
}

/** Writes only the skeleton of the character with the clips. */
async function motionFiles(
  clips: readonly RetargetedClip[],
  { humanoid, part }: FoundHumanoid,
  character: OpenFile,
  { output, fps }: RetargetMotionsOptions,
  issues: Issue[],
): Promise<OutputFile[]> {
  const holdsFace = outputFormat(output) === 'vrma';
  issues.push(...lostFaces(clips, outputFormat(output)));
  const written = clips.filter((one) => one.clip.tracks.length > 0 || (holdsFace && !hasNoFace(one)));
  for (const { clip, file } of clips.filter((one) => !written.includes(one))) {
    const message = `The clip ${JSON.stringify(clip.name)} of ${file} animates only a face; it was left out`;
    issues.push(issue('CLIP_EMPTY', message));
  }
  if (written.length === 0) return [];
  const named = written.map(({ clip, file, source, face }) => {
    return { clip, parts: { ...clipNameParts(file, character, source), clip: clip.name }, face };
  });
  return motionOutputs({ file: character, part, humanoid }, named, output, fps, issues);
}

/** Writes the whole character with the clips without loss. */
async function characterFiles(
  clips: readonly RetargetedClip[],
  { part }: FoundHumanoid,
  file: OpenFile,
  format: LosslessFormat,
  { output, replace = false, face = true }: RetargetMotionsOptions,
  issues: Issue[],
): Promise<OutputFile[]> {
  const reason = face ? 'the character has no equivalent' : 'only equal names were requested';
  issues.push(...droppedFaces(clips, ({ droppedFace }) => droppedFace, reason));
  const groups = outputGroups(
    output,
    clips.map(({ clip, file: motion, source }) => ({ ...clipNameParts(motion, file, source), clip: clip.name })),
  );
  const animations = clips.map(({ clip, morphs }) => {
    return { name: clip.name, clip, sourceNodes: part.sourceNodes, morphs };
  });
  return editedOutputs(file, { animations, replace }, format, groups, issues);
}

/** Writes a character of another format into a new file, with its own clips unless they are replaced, and the new ones. */
async function newCharacterFiles(
  { geometry, issues: found }: FileGeometry,
  clips: readonly RetargetedClip[],
  { humanoid, part }: FoundHumanoid,
  character: OpenFile,
  format: CharacterFormat,
  { output, replace = false }: RetargetMotionsOptions,
  issues: Issue[],
): Promise<OutputFile[]> {
  issues.push(...found, ...droppedFaces(clips, ({ droppedFace }) => droppedFace, 'the character has no equivalent'));
  const own = replace ? [] : character.asset.clips.map((clip) => mergeSkeletonClips(clip, character.asset.skeletons));
  const added = clips.map(({ clip, morphs, file, source }) => {
    const parts = { ...clipNameParts(file, character, source), clip: clip.name };
    return { name: clip.name, clip, sourceNodes: part.sourceNodes, morphs, parts };
  });
  return characterOutputs({ file: character, geometry, part, humanoid }, added, { path: output, format }, issues, own);
}

/** Creates the face rig of a visible character that is not glTF. */
async function characterFaceOf(
  character: OpenFile,
  lossless: LosslessFormat | null,
  visible: FileGeometry | null,
): Promise<Pick<RetargetClipsOptions, 'characterFace'>> {
  if (character.format === 'gltf') return {};
  const found = visible ?? (lossless === null ? null : await visibleGeometryOf(character));
  return found === null ? {} : { characterFace: faceRigOfGeometry(found.geometry) };
}

/**
 * Retargets clips of motion files to a character and makes the output files. A glTF character stays glTF and a USD character stays USD without loss;
 * other combinations make a new file.
 *
 * @param motions Motion files; they stay unchanged.
 * @param character File of the character; it stays unchanged.
 * @param options Which clips and channels, how to name and edit the clips, where to write them.
 * @returns The report and the files to write.
 * @throws OptionError for an option that does not fit the files; FormatError when buffers or images of the character cannot be read.
 * @example
 * const motions = [await openFile('walk.fbx')];
 * const character = await openFile('avatar.vrm');
 * const { report, outputs } = await retargetMotions(motions, character, { output: 'avatar-walk.vrm' });
 * if (report.ok) writeFiles(outputs);
 */
export async function retargetMotions(
  motions: readonly OpenFile[],
  character: OpenFile,
  options: RetargetMotionsOptions,
): Promise<RetargetMotionsResult> {
  const { output, replace = false, mesh = true } = options;
  const format = outputFormat(output);
  const lossless = mesh && isLossless(character, format) ? format : null;
  const visible = mesh && lossless === null && isCharacterFormat(format) ? await visibleGeometryOf(character) : null;
  checkFormat(character, format, mesh, visible !== null);
  const keptClips = !replace && (lossless !== null || visible !== null) ? character.asset.clips : [];
  // Soles and surfaces come from the vertices.
  if (options.contacts !== 'off') for (const file of [...motions, character]) await loadDecoders(file);
  const done = retargetClips(motions, character, {
    ...options,
    ...(await characterFaceOf(character, lossless, visible)),
    takenNames: keptClips.map(({ name }) => name),
  });
  const issues = [...done.issues];
  if (lossless !== null) checkIsCharacter(done.target, character);
  let outputs: OutputFile[] = [];
  if (done.clips.length > 0 && done.target.found !== null) {
    const { found } = done.target;
    if (lossless !== null) outputs = await characterFiles(done.clips, found, character, lossless, options, issues);
    else if (visible !== null && isCharacterFormat(format)) {
      outputs = await newCharacterFiles(visible, done.clips, found, character, format, options, issues);
    } else outputs = await motionFiles(done.clips, found, character, options, issues);
  }
  const sources = done.sources.map((choice, m) => reportFileHumanoid(motions[m].name, choice));
  const report: RetargetReport = {
    ok: outputs.length > 0 && issues.every(({ severity }) => severity !== 'error'),
    output: outputs.length > 0 ? output : null,
    ...(isTemplate(output) ? { outputs: mainPaths(outputs, output) } : {}),
    clips: done.clips.map(({ clip, morphs, face, contacts, file, source: from }) => {
      return reportClip(clip, format === 'vrma' ? keysOfFace(face) : morphs, file, from, contacts);
    }),
    source: sources[0],
    ...(sources.length > 1 ? { sources } : {}),
    target: reportFileHumanoid(character.name, done.target),
    hipsScale: done.hipsScale,
    issues,
  };
  return { report, outputs };
}
