/** Reports of `retarget`, `convert` and `extract`: the JSON of the command line. */
import type { CleanReport } from '../../core/animation/clean/clean-clip.ts';
import { type Clip, type Keys, lastKeyTime } from '../../core/animation/clip.ts';
import type { MotionEvents } from '../../core/animation/motion-events.ts';
import type { ContactReport } from '../../core/contacts/plan/contact-plan.ts';
import type { Issue } from '../../core/report/issue.ts';
import type { ClipOrigin } from '../clips/choose-clips.ts';
import type { HumanoidChoice } from '../humanoid/find-humanoid.ts';
import type { WrittenFile } from '../outputs/output-file.ts';
import { isTemplate, pathsOf } from '../outputs/output-paths.ts';
import { type HumanoidReport, reportHumanoid } from './humanoid-report.ts';

/** A clip that was written. */
export interface ClipReport {
  /** Name of the new clip. */
  readonly name: string;
  /** Duration in seconds. */
  readonly duration: number;
  /** Number of channels of the new animation. */
  readonly tracks: number;
  /** Number of keys of all channels. */
  readonly keys: number;
  /** Meters that the character's hips travel per meter of the motion; only in reports of `retarget`. */
  readonly hipsScale?: number;
  /** What cleaning changed; only with the edit `clean`. */
  readonly cleaned?: CleanReport;
  /** What contacts with the ground changed; missing with `contacts: 'off'`. */
  readonly contacts?: ContactReport;
  /** When its feet touch the ground; only with the option `events` of `retarget`. */
  readonly events?: MotionEvents;
  /** The clip that it was made from. */
  readonly from: {
    /** Name of the motion file. */
    readonly file: string;
    /** Name of the clip in that file. */
    readonly clip: string;
    /** Index of the clip in that file. */
    readonly index: number;
  };
}

/** Reports a clip that was written. */
export function reportClip(
  clip: Pick<Clip, 'name' | 'duration' | 'tracks'>,
  morphs: readonly Keys[],
  file: string,
  { clip: { name }, index }: ClipOrigin,
  {
    contacts = null,
    cleaned = null,
  }: { readonly contacts?: ContactReport | null; readonly cleaned?: CleanReport | null } = {},
): ClipReport {
  const tracks = [...clip.tracks, ...morphs];
  return {
    name: clip.name,
    // Weights may last longer than the motion of the joints.
    duration: Math.max(clip.duration, lastKeyTime(tracks)),
    tracks: tracks.length,
    keys: tracks.reduce((sum, { times }) => sum + times.length, 0),
    ...(cleaned === null ? {} : { cleaned }),
    ...(contacts === null ? {} : { contacts }),
    from: { file, clip: name, index },
  };
}

/** A humanoid and the name of its file. */
export type FileHumanoidReport = {
  /** Name of the file. */
  readonly file: string;
} & HumanoidReport;

/** A file without a humanoid. */
export interface NoHumanoidReport {
  /** Name of the file. */
  readonly file: string;
  /** Name of the skeleton that was examined; null when the file has none. */
  readonly skeleton: string | null;
  /** Tells other skeletons from humanoids. */
  readonly humanoid: false;
  /** Why the skeleton is not humanoid. */
  readonly reason: string;
}

/** What every job that writes clips reports. */
export interface WrittenReport {
  /** Whether there is an output and no issue is an error. */
  readonly ok: boolean;
  /** Path of the output, or the path template; null without an output. */
  readonly output: string | null;
  /** All files with clips, for a path template. */
  readonly outputs?: readonly string[];
  /** All files that were written, also those that others reference, such as buffers and textures. */
  readonly files: readonly string[];
  /** Size of all these files together, in bytes. */
  readonly bytes: number;
  /** The new or edited clips in the output. */
  readonly clips: readonly ClipReport[];
  /** What was unusual, repaired or dropped. */
  readonly issues: readonly Issue[];
}

/** Report of `retarget`. */
export interface RetargetReport extends WrittenReport {
  /** Number of clips of the character that every output also contains. */
  readonly keptClips: number;
  /**
   * Name of the clip that programs start with which play one: the first of a glTF, the bound one of a USD. Null without an output, and for a
   * path template where every output starts with its own new clip.
   */
  readonly firstClip: string | null;
  /** Humanoid of the first motion. */
  readonly source: FileHumanoidReport | NoHumanoidReport;
  /** Humanoids of all motions, when there are several. */
  readonly sources?: readonly (FileHumanoidReport | NoHumanoidReport)[];
  /** Humanoid of the character. */
  readonly target: FileHumanoidReport | NoHumanoidReport;
  /** Meters that the target's hips travel per meter of the first humanoid motion; null when either humanoid is missing. */
  readonly hipsScale: number | null;
}

/** Report of `convert`. */
export interface ConvertReport extends WrittenReport {
  /** Name of the input file. */
  readonly file: string;
  /** Format of the input file. */
  readonly format: string;
  /** The humanoid that the clips animate; null where the file was written as it is. */
  readonly humanoid: FileHumanoidReport | NoHumanoidReport | null;
}

/** Report of `extract`. */
export interface ExtractReport extends WrittenReport {
  /** Humanoids of all motions. */
  readonly sources: readonly (FileHumanoidReport | NoHumanoidReport)[];
}

export function reportWritten(
  output: string,
  files: readonly WrittenFile[],
  clips: readonly ClipReport[],
  issues: readonly Issue[],
): WrittenReport {
  const isWritten = files.length > 0;
  const extension = output.slice(output.lastIndexOf('.'));
  const mains = files.filter(({ path, isDependency }) => path.endsWith(extension) && !isDependency);
  // A file that several outputs reference is written again with each of them.
  const sizes = new Map(files.map(({ path, bytes }) => [path, bytes]));
  return {
    ok: isWritten && issues.every(({ severity }) => severity !== 'error'),
    output: isWritten ? output : null,
    ...(isTemplate(output) ? { outputs: mains.map(({ path }) => path) } : {}),
    files: pathsOf(files),
    bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0),
    clips: isWritten ? clips : [],
    issues,
  };
}

/** Reports the humanoid of a file, or why it has none. */
export function reportFileHumanoid(
  file: string,
  { found, reason, skeleton }: HumanoidChoice,
): FileHumanoidReport | NoHumanoidReport {
  if (found === null) return { file, skeleton, humanoid: false, reason: reason ?? '' };
  return { file, ...reportHumanoid(found.humanoid, found.part, found.index) };
}
