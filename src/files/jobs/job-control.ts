/** How jobs are watched and stopped. */

/** A step of a job. */
export interface JobProgress {
  /** What is about to be done. */
  readonly step: 'read' | 'retarget' | 'convert' | 'extract' | 'define' | 'validate' | 'compare' | 'write';
  /** Name of the file that it is done with. */
  readonly file: string;
  /** Name of the clip; null for a step with a whole file. */
  readonly clip: string | null;
  /** Files that are finished, with the finished share of the current one: 0 to `total`. */
  readonly done: number;
  /** Number of files. */
  readonly total: number;
}

/** Watches and stops a job. */
export interface JobControl {
  /**
   * Stops the job between two steps: it throws the reason of the signal. Nothing is written after it. Between steps the job returns to the event loop, so
   * that the signal of a button or a timer arrives.
   */
  readonly signal?: AbortSignal;
  /** Called before every step. */
  readonly onProgress?: (progress: JobProgress) => void;
}

/** Begins a step: reports it, and lets the page or process react. Throws the reason of the signal, once it was aborted. */
export async function beginStep({ signal, onProgress }: JobControl, progress: JobProgress): Promise<void> {
  signal?.throwIfAborted();
  onProgress?.(progress);
  // Promises alone would not let timers and input events run.
  if (signal !== undefined) await new Promise<void>((resolve) => setTimeout(resolve, 0));
  signal?.throwIfAborted();
}

export interface MotionPosition {
  readonly index: number;
  readonly total: number;
}

/** Begins the step of the next clip of a motion. */
export type ClipStep = (clip: string) => Promise<void>;

export function clipSteps(
  step: JobProgress['step'],
  file: string,
  clips: number,
  { index, total }: MotionPosition,
  control: JobControl,
): ClipStep {
  let begun = 0;
  return (clip) => beginStep(control, { step, file, clip, done: index + begun++ / Math.max(clips, 1), total });
}
