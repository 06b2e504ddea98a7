import { PATH_WIDTH, type Track, type TrackPath } from '../animation/clip.ts';
import { resampleFunction, uniformTimes, unionTimes } from '../animation/resample.ts';
import { jumpTimes } from '../animation/separate-times.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../skeleton/skeleton.ts';
import type { RetargetPlan } from './plan-types.ts';

/** A constant value within this distance of the rest, radians or relative to the length, needs no track. */
const AT_REST = 1e-7;

function isAtRest(value: Floats, rest: Float64Array, at: number, rotation: boolean): boolean {
  if (rotation) return quat.angleBetween(value, 0, rest, at) < AT_REST;
  return vec3.distance(value, 0, rest, at) <= AT_REST * (1 + vec3.length(rest, at));
}

/** Creates a track with one key at time 0. `value`: local value, as many floats as the path has; kept, not copied. */
export function constantTrack(
  target: number,
  path: TrackPath,
  value: Floats,
  plan: RetargetPlan,
  isAnimated: boolean,
): Track[] {
  const at = POSE_STRIDE * target + PATH_OFFSET[path];
  if (!isAnimated && isAtRest(value, plan.targetRest, at, path === 'rotation')) return [];
  return [{ target, path, interpolation: 'STEP', times: new Float32Array([0]), values: value }];
}

/** Returns the times where values of a track jump: all keys of STEP tracks. */
function stepTimesOf({ interpolation, times }: Track): Floats {
  return interpolation === 'STEP' ? times : jumpTimes(times);
}

/** A function of time to resample. */
export interface Resampling {
  readonly path: TrackPath;
  /** The source tracks that the function depends on. */
  readonly tracks: readonly Track[];
  /** Greatest error between keys: radians for rotations, else units of the file. */
  readonly tolerance: number;
  /** Writes the value at a time (seconds) into `out` at `o`. */
  readonly evaluate: (time: number, out: Floats, o: number) => void;
}

/**
 * Resamples a function of time to LINEAR keys: on a uniform grid, or at the union of the source keys, refined to the tolerance. `duration`: seconds.
 * `fps`: keys per second of a uniform grid; undefined for the source keys.
 */
export function resampleTrack(
  target: number,
  resampling: Resampling,
  duration: number,
  fps: number | undefined,
): Track {
  const { path, tracks, tolerance, evaluate } = resampling;
  const width = PATH_WIDTH[path];
  if (fps === undefined) {
    const keys = resampleFunction({
      width,
      isRotation: path === 'rotation',
      keyTimes: unionTimes(tracks.map((track) => track.times)),
      stepTimes: unionTimes(tracks.map(stepTimesOf)),
      tolerance,
      evaluate,
    });
    return { target, path, interpolation: 'LINEAR', ...keys };
  }
  const times = uniformTimes(duration, fps);
  const values = new Float64Array(width * times.length);
  for (let key = 0; key < times.length; key++) {
    evaluate(times[key], values, width * key);
    if (path === 'rotation' && key > 0 && quat.dot(values, 4 * key, values, 4 * key - 4) < 0) {
      for (let c = 4 * key; c < 4 * key + 4; c++) values[c] = -values[c];
    }
  }
  return { target, path, interpolation: 'LINEAR', times, values };
}
