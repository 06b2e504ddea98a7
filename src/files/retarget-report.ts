/** What `retarget`, `convert` and `extract` say they did. The JSON of the command line. */
import { type Clip, type Keys, lastKeyTime } from '../core/animation/clip.ts';
import type { Issue } from '../core/report/issue.ts';
import type { BodyChoice } from './choose-body.ts';
import type { ChosenClip } from './choose-clips.ts';
import { type HumanoidReport, reportHumanoid } from './humanoid-report.ts';

/** A clip that was written. */
export interface ClipReport {
  readonly name: string;
  /** Seconds. */
  readonly duration: number;
  /** Channels of the new animation, and the keys of all of them. */
  readonly tracks: number;
  readonly keys: number;
  /** Where it comes from. */
  readonly from: { readonly file: string; readonly clip: string; readonly index: number };
}

/** What a clip that was written is, with its morph weights or its face, and where it comes from. */
export function reportClip(
  clip: Pick<Clip, 'name' | 'duration' | 'tracks'>,
  morphs: readonly Keys[],
  file: string,
  { clip: { name }, index }: ChosenClip,
): ClipReport {
  const tracks = [...clip.tracks, ...morphs];
  return {
    name: clip.name,
    // Weights may go on when no joint does.
    duration: Math.max(clip.duration, lastKeyTime(tracks)),
    tracks: tracks.length,
    keys: tracks.reduce((sum, { times }) => sum + times.length, 0),
    from: { file, clip: name, index },
  };
}

/** A humanoid and its file. */
export type BodyReport = { readonly file: string } & HumanoidReport;

/** A file in which no humanoid was found. */
export interface NoBodyReport {
  readonly file: string;
  /** Name of the skeleton that was looked at; null when the file has none. */
  readonly skeleton: string | null;
  readonly humanoid: false;
  readonly reason: string;
}

/** Everything about one retargeting. */
export interface RetargetReport {
  /** Whether there is an output and no issue is an error. */
  readonly ok: boolean;
  /** Path of the output, or the template of its paths; null when there is none. */
  readonly output: string | null;
  /** All files with clips, where a template made several. */
  readonly outputs?: readonly string[];
  readonly clips: readonly ClipReport[];
  /** Of the first motion. */
  readonly source: BodyReport | NoBodyReport;
  /** Of all motions, when there are several. */
  readonly sources?: readonly (BodyReport | NoBodyReport)[];
  readonly target: BodyReport | NoBodyReport;
  /** Meters that the hips of the target travel per meter of the first humanoid motion's; null when a humanoid is missing. */
  readonly hipsScale: number | null;
  readonly issues: readonly Issue[];
}

/** Everything about one conversion. */
export interface ConvertReport {
  /** Whether there is an output and no issue is an error. */
  readonly ok: boolean;
  readonly file: string;
  readonly format: string;
  /** Path of the output, or the template of its paths; null when there is none. */
  readonly output: string | null;
  /** All files with clips, where a template made several. */
  readonly outputs?: readonly string[];
  /** The clips in the output. */
  readonly clips: readonly ClipReport[];
  /** The body that the clips move; null where the whole file was kept as it is. */
  readonly body: BodyReport | NoBodyReport | null;
  readonly issues: readonly Issue[];
}

/** Everything about an extraction. */
export interface ExtractReport {
  /** Whether there is an output and no issue is an error. */
  readonly ok: boolean;
  /** Path of the output, or the template of its paths; null when there is none. */
  readonly output: string | null;
  /** All files with clips, where a template made several. */
  readonly outputs?: readonly string[];
  /** The clips in the output. */
  readonly clips: readonly ClipReport[];
  /** The bodies of all motions. */
  readonly sources: readonly (BodyReport | NoBodyReport)[];
  readonly issues: readonly Issue[];
}

/** The report of one side. */
export function reportBody(file: string, { body, reason, skeleton }: BodyChoice): BodyReport | NoBodyReport {
  if (body === null) return { file, skeleton, humanoid: false, reason: reason ?? '' };
  return { file, ...reportHumanoid(body.humanoid, body.part, body.index) };
}
