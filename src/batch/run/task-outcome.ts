/** What a task made: plain data, from the worker to the journal and the report. */
import type { Level } from '../../core/measure/verdict.ts';
import type { Issue } from '../../core/report/issue.ts';

/** Figures of a result, of several clips the worst. Lengths in percent of the height of the character. */
export interface PairFigures {
  /** How good the result is. */
  readonly level: Level;
  /** What is above its threshold, as sentences, the worst first. */
  readonly findings: readonly string[];
  /** The worst error relative to the value from which a person should look at it; 0 where none is above that. */
  readonly errorScore: number;
  /** Mean error of the limbs, without what was changed on purpose, degrees. */
  readonly errorMean: number;
  /** Largest of these errors, degrees. */
  readonly errorMax: number;
  /** How far contacts and arms changed the limbs on purpose, mean, degrees. */
  readonly changedMean: number;
  /** How far they moved a hand, a foot or the pelvis at most, %. */
  readonly movedMost: number;
  /** Speed of feet along the ground in the contacts of the motion, % per second. */
  readonly slide: number;
  /** The same of the motion, scaled. */
  readonly slideOfSource: number;
  /** How much deeper soles are below the ground than those of the motion, 95th percentile, %. */
  readonly below: number;
  /** How much higher soles are in contacts of the motion, 95th percentile, %. */
  readonly above: number;
}

/** A clip of a result. */
export interface TaskClip {
  /** Name of the clip. */
  readonly name: string;
  /** Seconds. */
  readonly duration: number;
  /** Path of the motion. */
  readonly motion: string;
}

/** Contact sheet of a clip: the motion and the result; see `strip-format.ts`. */
export interface TaskStrips {
  /** Name of the clip. */
  readonly clip: string;
  /** The motion. */
  readonly source: string;
  /** The result. */
  readonly target: string;
}

/** What a report says about a result. */
export interface TaskReport {
  /** The clips in the result. */
  readonly clips: readonly TaskClip[];
  /** Figures; null for clip libraries. */
  readonly figures: PairFigures | null;
  /** Contact sheets of the first clips; empty for clip libraries. */
  readonly strips: readonly TaskStrips[];
  /** Warnings and errors. */
  readonly issues: readonly Issue[];
}

/** A file of a result. */
export interface ResultFile {
  /** Path relative to the output folder, with slashes. */
  readonly path: string;
  /** Size. */
  readonly bytes: number;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
}

/** A file that an input references. */
export interface ResourceHash {
  /** Absolute path, or URL. */
  readonly path: string;
  /** SHA-256, hexadecimal; of an object `etag:` and its entity tag. */
  readonly sha256: string;
}

/** Why a task made no result. */
export interface TaskFailure {
  /** Code of the error, in capitals. */
  readonly code: string;
  /** What was found, what was expected, what to do. */
  readonly message: string;
  /** Whether every other task would fail for the same reason, such as a full disk. */
  readonly isFatal?: boolean;
  /** Whether it may work when it is tried again. */
  readonly isTemporary?: boolean;
}

/** Carries the reason why a task made no result. */
export class TaskError extends Error {
  readonly failure: TaskFailure;

  constructor(failure: TaskFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** A result whose files are complete: on disk under temporary names, in object storage under their final ones. */
export interface MadeResult {
  /** The files. */
  readonly files: readonly ResultFile[];
  /** Temporary paths of the files, in the same order; empty for object storage. */
  readonly temporary: readonly string[];
  /** Files that the inputs reference. */
  readonly resources: readonly ResourceHash[];
  /** For the report. */
  readonly report: TaskReport;
}

/** A task that made a result. */
export interface MadeOutcome {
  /** The result. */
  readonly made: MadeResult;
}

/** A task that made none. */
export interface FailedOutcome {
  /** Why. */
  readonly failure: TaskFailure;
}

/** What a worker returns for a task. */
export type TaskOutcome = MadeOutcome | FailedOutcome;
