/** The main job, all of `anyrig retarget` but reading and writing files: motions of some files onto the character of another. */
import { type Issue, issue } from '../core/report/issue.ts';
import type { GltfDocument } from '../formats/gltf/document.ts';
import { appendClips, replaceClips } from '../formats/gltf/write-clips.ts';
import type { Body } from './choose-body.ts';
import { checkIsVrm, readAgain } from './convert-document.ts';
import { motionOutputs } from './motion-outputs.ts';
import type { OpenFile } from './open.ts';
import { OptionError } from './option-error.ts';
import type { OutputFile } from './output-file.ts';
import { holdsOneClip, type OutputFormat, outputFormat } from './output-format.ts';
import { isTemplate, mainPaths, outputGroups } from './output-paths.ts';
import { printOutput } from './print-output.ts';
import { partsOf, type RetargetClipsOptions, type RetargetedClip, retargetClips } from './retarget-clips.ts';
import { type RetargetReport, reportBody, reportClip } from './retarget-report.ts';

/** How the output is to be. */
export interface RetargetMotionsOptions extends Omit<RetargetClipsOptions, 'takenNames'> {
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
function checkFormat(character: OpenFile, format: OutputFormat, mesh: boolean): void {
  if (holdsOneClip(format)) return;
  const { asset, document, name } = character;
  checkIsVrm(character, format);
  if (format === 'vrm' && !mesh) {
    throw new OptionError('output', 'a VRM has a body; with --no-mesh the output can be .glb or .gltf');
  }
  if (document !== null || !mesh) return;
  const what =
    asset.format === 'fbx'
      ? 'FBX, of which only the skeleton is read yet, not the body'
      : `${asset.format.toUpperCase()}: a skeleton without a body`;
  throw new OptionError('mesh', `${name} is ${what}; all that can be written is its skeleton with the clips`);
}

/** Only the skeleton of the character, with the clips. */
async function motionFiles(
  clips: readonly RetargetedClip[],
  { humanoid, part }: Body,
  character: OpenFile,
  { output, fps }: RetargetMotionsOptions,
  issues: Issue[],
): Promise<OutputFile[]> {
  const morphs = clips.reduce((sum, clip) => sum + clip.morphs.length, 0);
  if (morphs > 0) {
    issues.push(issue('CHANNELS_DROPPED', `${morphs} × morph weights are not carried over: there is no mesh`));
  }
  const named = clips.map(({ clip, file, source }) => {
    return { clip, parts: { ...partsOf(file, character, source), clip: clip.name } };
  });
  return motionOutputs({ file: character, part, humanoid }, named, output, fps, issues);
}

/** The whole character with the clips; with a template one file a clip. */
async function characterFiles(
  document: GltfDocument,
  clips: readonly RetargetedClip[],
  { part }: Body,
  character: OpenFile,
  format: 'glb' | 'gltf' | 'vrm',
  { output, replace = false }: RetargetMotionsOptions,
  issues: Issue[],
): Promise<OutputFile[]> {
  const write = replace ? replaceClips : appendClips;
  const groups = outputGroups(
    output,
    clips.map(({ clip, file, source }) => ({ ...partsOf(file, character, source), clip: clip.name })),
  );
  const files: OutputFile[] = [];
  for (const [k, { path, clips: indices }] of groups.entries()) {
    const edited = k === 0 ? document : readAgain(document);
    const animations = indices.map((index) => {
      const { clip, morphs } = clips[index];
      return { name: clip.name, clip, sourceNodes: part.sourceNodes, morphs };
    });
    write(edited, animations, issues);
    files.push(...(await printOutput(edited, character, { path, format }, issues)));
  }
  return files;
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
  checkFormat(character, format, mesh);
  const document = mesh ? character.document : null;
  const keptClips = replace || document === null || holdsOneClip(format) ? [] : character.asset.clips;
  const done = retargetClips(motions, character, { ...options, takenNames: keptClips.map(({ name }) => name) });
  const issues = [...done.issues];
  let outputs: OutputFile[] = [];
  if (done.clips.length > 0 && done.target.body !== null) {
    const { body } = done.target;
    outputs =
      document === null || format === 'vrma' || format === 'bvh'
        ? await motionFiles(done.clips, body, character, options, issues)
        : await characterFiles(document, done.clips, body, character, format, options, issues);
  }
  const sources = done.sources.map((choice, m) => reportBody(motions[m].name, choice));
  const report: RetargetReport = {
    ok: outputs.length > 0 && issues.every(({ severity }) => severity !== 'error'),
    output: outputs.length > 0 ? output : null,
    ...(isTemplate(output) ? { outputs: mainPaths(outputs, output) } : {}),
    clips: done.clips.map(({ clip, morphs, file, source: from }) => reportClip(clip, morphs, file, from)),
    source: sources[0],
    ...(sources.length > 1 ? { sources } : {}),
    target: reportBody(character.name, done.target),
    hipsScale: done.hipsScale,
    issues,
  };
  return { report, outputs };
}
