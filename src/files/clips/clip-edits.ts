import type { RootOption } from '../../core/root-motion/root-option.ts';

/** Edits of clips on their way from file to file, in the order in which they are applied. */
export interface ClipEdits {
  /** Part of the motion to keep, in seconds; a missing bound is the start or the end of the clip. */
  readonly trim?: {
    /** Start time in seconds. */
    readonly from?: number;
    /** End time in seconds. */
    readonly to?: number;
  };
  /** Leaves out a pose at the start that the motion jumps from, such as a T-pose in the first frame; it is only reported by default. */
  readonly skipFirstPose?: boolean;
  /** Bridges spikes, flips and gaps of a recording, and smooths its noise; peaks of speed stay. */
  readonly clean?: boolean;
  /** Playback speed; 2 is twice as fast. */
  readonly speed?: number;
  /** Exchanges left and right. */
  readonly mirror?: boolean;
  /** `fit` moves a motion that floats or sinks up or down, so that its feet stand on the ground; `keep`, the default, leaves it. */
  readonly ground?: 'keep' | 'fit';
  /** Where root motion goes: where the motion has it (`keep`, the default), in the hips, on the root bone of the character, or nowhere (`in-place`). */
  readonly root?: RootOption;
  /** Blends the end of the clip into its start; root motion is preserved. */
  readonly loop?: boolean;
  /** Removes redundant keys within this angular tolerance, in degrees: the error stays below that rotation of the whole joint chain. */
  readonly reduce?: number;
  /**
   * `linear`, the default: as few LINEAR keys, which all programs read, as keep tracks within 0.1° or 1e-4 of the height at any time. `exact`: CUBICSPLINE keys where the output can hold them, within 0.005° and 1e-5.
   */
  readonly keys?: 'linear' | 'exact';
}

/** Checks for edits of the motion itself, before it is retargeted. */
export function editsMotion({ trim, skipFirstPose, clean, speed }: ClipEdits): boolean {
  return trim !== undefined || skipFirstPose === true || clean === true || speed !== undefined;
}

/** Checks for edits to apply: without any, `convert` copies clips as they are. An edit that changes clips is listed here. */
export function hasEdits(edits: ClipEdits): boolean {
  const { mirror, ground, root = 'keep', loop, reduce } = edits;
  if (editsMotion(edits) || root !== 'keep' || ground === 'fit') return true;
  return mirror === true || loop === true || reduce !== undefined;
}
