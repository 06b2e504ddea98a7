/** The main job, all of `anyrig retarget` but reading and writing files: motions of some files onto the character of another. */
import { type Issue, issue } from '../core/report/issue.ts';
import type { GltfDocument } from '../formats/gltf/document.ts';
import { appendClips, replaceClips } from '../formats/gltf/write-clips.ts';
import { writeMotionDocument } from '../formats/gltf/write-motion.ts';
import type { Body } from './choose-body.ts';
import type { OpenFile } from './open.ts';
import { OptionError } from './option-error.ts';
import type { OutputFile } from './output-file.ts';
import { type OutputFormat, outputFormat } from './output-format.ts';
import { printOutput } from './print-output.ts';
import { type RetargetClipsOptions, type RetargetedClip, retargetClips } from './retarget-clips.ts';
import { type ClipReport, type RetargetReport, reportBody } from './retarget-report.ts';

/** How the output is to be. */
export interface RetargetMotionsOptions extends Omit<RetargetClipsOptions, 'takenNames'> {
  /** Path of the output; its extension decides the format: .glb, .gltf, .vrm. */
  readonly output: string;
  /** New clips take the place of all that the character has. */
  readonly replace?: boolean;
  /** `false`: only the skeleton of the character and the new clips, in a new file. */
  readonly mesh?: boolean;
}

/** What there is to write, and the report. */
export interface RetargetMotionsResult {
  readonly report: RetargetReport;
  /** Files to be written in this order; none when there is no clip. */
  readonly outputs: readonly OutputFile[];
}

function checkFormat(character: OpenFile, format: OutputFormat, mesh: boolean): void {
  const { asset, document, name } = character;
  if (format === 'vrm' && !mesh) {
    throw new OptionError('output', 'a VRM has a body; with --no-mesh the output can be .glb or .gltf');
  }
  if (format === 'vrm' && asset.format !== 'vrm0' && asset.format !== 'vrm1') {
    const message = `${name} is no VRM (it is ${asset.format.toUpperCase()}), so that the output cannot be one; write .glb or .gltf`;
    throw new OptionError('output', message);
  }
  if (document === null && mesh) {
    const message = `${name} is ${asset.format.toUpperCase()}: a skeleton without a body; all that can be written is its skeleton with the clips`;
    throw new OptionError('mesh', message);
  }
}

function reportClip({ clip, morphs, file, source }: RetargetedClip): ClipReport {
  const tracks = [...clip.tracks, ...morphs];
  return {
    name: clip.name,
    duration: clip.duration,
    tracks: tracks.length,
    keys: tracks.reduce((sum, { times }) => sum + times.length, 0),
    from: { file, clip: source.clip.name, index: source.index },
  };
}

/** The character with the clips, or with `mesh: false` only its skeleton. */
function documentWith(
  clips: readonly RetargetedClip[],
  body: Body,
  character: OpenFile,
  { replace = false, mesh = true }: RetargetMotionsOptions,
  issues: Issue[],
): GltfDocument {
  if (!mesh || character.document === null) {
    const morphs = clips.reduce((sum, clip) => sum + clip.morphs.length, 0);
    if (morphs > 0) {
      issues.push(issue('CHANNELS_DROPPED', `${morphs} × morph weights are not carried over: there is no mesh`));
    }
    return writeMotionDocument(
      body.part.skeleton,
      clips.map(({ clip }) => clip),
    );
  }
  const animations = clips.map(({ clip, morphs }) => {
    return { name: clip.name, clip, sourceNodes: body.part.sourceNodes, morphs };
  });
  const write = replace ? replaceClips : appendClips;
  write(character.document, animations, issues);
  return character.document;
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
  const keptClips = replace || !mesh ? [] : character.asset.clips;
  const done = retargetClips(motions, character, { ...options, takenNames: keptClips.map(({ name }) => name) });
  const issues = [...done.issues];
  let outputs: OutputFile[] = [];
  if (done.clips.length > 0 && done.target.body !== null) {
    const document = documentWith(done.clips, done.target.body, character, options, issues);
    outputs = await printOutput(document, character, { path: output, format }, issues);
  }
  const sources = done.sources.map((choice, m) => reportBody(motions[m].name, choice));
  const report: RetargetReport = {
    ok: outputs.length > 0 && issues.every(({ severity }) => severity !== 'error'),
    output: outputs.length > 0 ? output : null,
    clips: done.clips.map(reportClip),
    source: sources[0],
    ...(sources.length > 1 ? { sources } : {}),
    target: reportBody(character.name, done.target),
    hipsScale: done.hipsScale,
    issues,
  };
  return { report, outputs };
}
