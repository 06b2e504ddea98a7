import { type Issue, issue } from '../../../core/report/issue.ts';
import type { NumpyValues } from '../container/parse-numpy.ts';
import { numberAt } from './arrays.ts';
import type { NpzOptions } from './motion.ts';

const KEYS = ['mocap_framerate', 'mocap_frame_rate', 'frameRate', 'frame_rate', 'framerate', 'fps'];
/** Relative difference from a whole rate that is the rounding of float32: AMASS has 120.00004577636719. */
const ROUNDING = 1e-6;
/** Rates of a file that are no mistake. */
const LEAST_RATE = 1e-3;
const GREATEST_RATE = 1e5;

interface FrameRate {
  readonly frameRate: number;
  readonly issues: readonly Issue[];
}

function isRate(rate: number): boolean {
  return rate >= LEAST_RATE && rate <= GREATEST_RATE;
}

/**
 * Finds the frame rate of a motion: that of the caller, else that of the file, else the usual one of its producer, with an issue. `usual`: frames
 * per second that files of this layout have.
 */
export function findFrameRate(values: NumpyValues, usual: number, frames: number, options: NpzOptions): FrameRate {
  if (options.frameRate !== undefined) return { frameRate: options.frameRate, issues: [] };
  const rate = numberAt(values, KEYS);
  if (rate !== null && isRate(rate)) {
    const whole = Math.round(rate);
    return { frameRate: Math.abs(rate - whole) <= ROUNDING * whole ? whole : rate, issues: [] };
  }
  if (frames < 2) return { frameRate: usual, issues: [] };
  const found = rate === null ? 'does not say its frame rate' : `has the frame rate ${rate}, which is impossible`;
  const message = `The file ${found}; ${usual} frames per second were used, as such files usually have. If the motion is too fast or too slow, give its frame rate`;
  return { frameRate: usual, issues: [issue('NPZ_FRAME_RATE', message)] };
}
