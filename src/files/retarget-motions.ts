/** The main job, all of `anyrig retarget` but reading and writing files: motions of some files onto the character of another. */
import { type Issue, issue } from '../core/report/issue.ts';
import { droppedFaces, faceOfGeometry, keysOfFace } from './carry-face.ts';
import { type CharacterFormat, characterOutputs, isCharacterFormat } from './character-output.ts';
import type { Body, BodyChoice } from './choose-body.ts';
import { type FileGeometry, shownBody } from './geometry.ts';
import { editedOutputs, type KeptFormat, staysWhole } from './kept-outputs.ts';
import { motionOutputs } from './motion-outputs.ts';
import type { OpenFile } from './open.ts';
import { OptionError } from './option-error.ts';
import type { OutputFile } from './output-file.ts';
import { checkIsVrm, holdsOneClip, type OutputFormat, outputFormat } from './output-format.ts';
import { isTemplate, mainPaths, outputGroups } from './output-paths.ts';
import { partsOf, type RetargetClipsOptions, type RetargetedClip, retargetClips } from './retarget-clips.ts';
import { type RetargetReport, reportBody, reportClip } from './retarget-report.ts';
import { wholeAnimation } from './whole-animation.ts';

/** How the output is to be. */
export interface RetargetMotionsOptions extends Omit<RetargetClipsOptions, 'takenNames' | 'characterFace'> {
  /** Path of the output, or a template for a file a clip; its extension decides the format. */
  readonly output: string;
  /** New clips take the place of all that the character has. */
  readonly replace?: boolean;
  /** `false`: only the skeleton of the character and the new clips, in a new file; .vrma and .bvh are so anyway. */
  readonly mesh?: boolean;
}

/** What there is to write, and the report. */
export interface RetargetMotionsResult {
  readonly report: RetargetReport;
  /** Files to be written in this order; none when there is no clip. */
  readonly outputs: readonly OutputFile[];
}

/** OptionError for a character that cannot be in the output. */
function checkFormat(character: OpenFile, format: OutputFormat, mesh: boolean, shown: boolean): void {
  if (holdsOneClip(format)) return;
  const { asset, name } = character;
  checkIsVrm(character, format);
  if (format === 'vrm' && !mesh) {
    throw new OptionError('output', 'a VRM has a body; with --no-mesh the output can be .glb or .gltf');
  }
  // Of a file without anything the report says why.
  if (staysWhole(character, format) || shown || !mesh || asset.skeletons.length === 0) return;
  const what = `${asset.format.toUpperCase()}: a skeleton without a body`;
  throw new OptionError('mesh', `${name} is ${what}; all that can be written is its skeleton with the clips`);
}

/** OptionError for the body of humanoid clips, which has no nodes in its file that clips could move. */
function checkIsCharacter({ body }: BodyChoice, { name }: OpenFile): void {
  if (body?.part.isPortable !== true) return;
  const what = `${name} has humanoid clips, but no character that they could be put on`;
  throw new OptionError(
    'mesh',
    `${what}; use "anyrig extract" to make more such clips, or --no-mesh for a skeleton of bones`,
  );
}

function isFaceless({ face }: RetargetedClip): boolean {
  return face.expressions.length === 0 && face.lookAt === null;
}

/** What is lost of the faces of clips where there is no mesh. */
function lostFaces(clips: readonly RetargetedClip[], format: OutputFormat): Issue[] {
  const isLost = (one: RetargetedClip): boolean => format !== 'vrma' || isFaceless(one);
  // A VRMA knows shapes by their names alone.
  const morphs = clips.flatMap((one) =>
    one.morphs.filter(({ targetNames }) => targetNames === undefined || isFaceless(one)),
  );
  const namesOf = (one: RetargetedClip): string[] =>
    isLost(one) ? [...one.face.expressions.map(({ name }) => name), ...one.droppedFace] : [];
  const issues = droppedFaces(clips, namesOf, 'there is no mesh');
  if (morphs.length === 0) return issues;
  const message = `${morphs.length} × morph weights are not carried over: there is no mesh`;
  return [...issues, issue('CHANNELS_DROPPED', message)];
}

/** Only the skeleton of the character, with the clips. */
async function motionFiles(
  clips: readonly RetargetedClip[],
  { humanoid, part }: Body,
  character: OpenFile,
  { output, fps }: RetargetMotionsOptions,
  issues: Issue[],
): Promise<OutputFile[]> {
  const hasFace = outputFormat(output) === 'vrma';
  issues.push(...lostFaces(clips, outputFormat(output)));
  const written = clips.filter((one) => one.clip.tracks.length > 0 || (hasFace && !isFaceless(one)));
  for (const { clip, file } of clips.filter((one) => !written.includes(one))) {
    const message = `The clip ${JSON.stringify(clip.name)} of ${file} moves nothing but a face; it was left out`;
    issues.push(issue('CLIP_EMPTY', message));
  }
  if (written.length === 0) return [];
  const named = written.map(({ clip, file, source, face }) => {
    return { clip, parts: { ...partsOf(file, character, source), clip: clip.name }, face };
  });
  return motionOutputs({ file: character, part, humanoid }, named, output, fps, issues);
}

/** The whole character with the clips; with a template one file a clip. */
async function characterFiles(
  clips: readonly RetargetedClip[],
  { part }: Body,
  file: OpenFile,
  format: KeptFormat,
  { output, replace = false, face = true }: RetargetMotionsOptions,
  issues: Issue[],
): Promise<OutputFile[]> {
  const reason = face ? 'the character has nothing that shows it' : 'only equal names were asked for';
  issues.push(...droppedFaces(clips, ({ droppedFace }) => droppedFace, reason));
  const groups = outputGroups(
    output,
    clips.map(({ clip, file: motion, source }) => ({ ...partsOf(motion, file, source), clip: clip.name })),
  );
  const animations = clips.map(({ clip, morphs }) => {
    return { name: clip.name, clip, sourceNodes: part.sourceNodes, morphs };
  });
  return editedOutputs({ file, format, animations, replace }, groups, issues);
}

/** A new file of a character that is of another format, with its own clips, unless they are to be replaced, and the new ones. */
async function newCharacterFiles(
  { geometry, issues: found }: FileGeometry,
  clips: readonly RetargetedClip[],
  { humanoid, part }: Body,
  character: OpenFile,
  format: CharacterFormat,
  { output, replace = false }: RetargetMotionsOptions,
  issues: Issue[],
): Promise<OutputFile[]> {
  issues.push(
    ...found,
    ...droppedFaces(clips, ({ droppedFace }) => droppedFace, 'the character has nothing that shows it'),
  );
  const own = replace ? [] : character.asset.clips.map((clip) => wholeAnimation(clip, character.asset.skeletons));
  const added = clips.map(({ clip, morphs, file, source }) => {
    const parts = { ...partsOf(file, character, source), clip: clip.name };
    return { name: clip.name, clip, sourceNodes: part.sourceNodes, morphs, parts };
  });
  return characterOutputs({ file: character, geometry, part, humanoid }, added, { path: output, format }, issues, own);
}

/** Morph targets of a character that is seen in the output and is no glTF: of a glTF the document tells more. */
async function faceOfCharacter(
  character: OpenFile,
  kept: KeptFormat | null,
  shown: FileGeometry | null,
): Promise<Pick<RetargetClipsOptions, 'characterFace'>> {
  if (character.document !== null) return {};
  const seen = shown ?? (kept === null ? null : await shownBody(character));
  return seen === null ? {} : { characterFace: faceOfGeometry(seen.geometry) };
}

/**
 * Retargets clips of motion files onto a character and makes the files of the output. The document of the character is
 * edited: open it anew for another job.
 *
 * @throws OptionError when an option does not fit the files; FormatError when the character's buffers or images cannot be
 *   followed.
 */
export async function retargetMotions(
  motions: readonly OpenFile[],
  character: OpenFile,
  options: RetargetMotionsOptions,
): Promise<RetargetMotionsResult> {
  const { output, replace = false, mesh = true } = options;
  const format = outputFormat(output);
  const kept = mesh && staysWhole(character, format) ? format : null;
  const shown = mesh && kept === null && isCharacterFormat(format) ? await shownBody(character) : null;
  checkFormat(character, format, mesh, shown !== null);
  const keptClips = !replace && (kept !== null || shown !== null) ? character.asset.clips : [];
  const done = retargetClips(motions, character, {
    ...options,
    ...(await faceOfCharacter(character, kept, shown)),
    takenNames: keptClips.map(({ name }) => name),
  });
  const issues = [...done.issues];
  if (kept !== null) checkIsCharacter(done.target, character);
  let outputs: OutputFile[] = [];
  if (done.clips.length > 0 && done.target.body !== null) {
    const { body } = done.target;
    if (kept !== null) outputs = await characterFiles(done.clips, body, character, kept, options, issues);
    else if (shown !== null && isCharacterFormat(format)) {
      outputs = await newCharacterFiles(shown, done.clips, body, character, format, options, issues);
    } else outputs = await motionFiles(done.clips, body, character, options, issues);
  }
  const sources = done.sources.map((choice, m) => reportBody(motions[m].name, choice));
  const report: RetargetReport = {
    ok: outputs.length > 0 && issues.every(({ severity }) => severity !== 'error'),
    output: outputs.length > 0 ? output : null,
    ...(isTemplate(output) ? { outputs: mainPaths(outputs, output) } : {}),
    clips: done.clips.map(({ clip, morphs, face, file, source: from }) => {
      return reportClip(clip, format === 'vrma' ? keysOfFace(face) : morphs, file, from);
    }),
    source: sources[0],
    ...(sources.length > 1 ? { sources } : {}),
    target: reportBody(character.name, done.target),
    hipsScale: done.hipsScale,
    issues,
  };
  return { report, outputs };
}
