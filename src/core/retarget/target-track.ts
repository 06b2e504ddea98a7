/** Making the tracks of the target: constant ones, and ones resampled from a function of time. */
import type { Track, TrackPath } from '../animation/clip.ts';
import { resampleFunction, uniformTimes, unionTimes } from '../animation/resample.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import type { RetargetPlan } from './retarget-plan.ts';

/** A bone that stands this still at its rest gets no track. */
const STILL = 1e-7;

function isStill(value: Floats, rest: Float64Array, at: number, rotation: boolean): boolean {
  if (rotation) return quat.angleBetween(value, 0, rest, at) < STILL;
  return vec3.distance(value, 0, rest, at) <= STILL * (1 + vec3.length(rest, at));
}

/** One key at time 0; none when the value is the target's rest anyway and the motion says nothing about it. */
export function constantTrack(
  target: number,
  path: TrackPath,
  value: Floats,
  plan: RetargetPlan,
  isAnimated: boolean,
): Track[] {
  const at = 10 * target + (path === 'rotation' ? 3 : path === 'scale' ? 7 : 0);
  if (!isAnimated && isStill(value, plan.targetRest, at, path === 'rotation')) return [];
  return [{ target, path, interpolation: 'STEP', times: new Float32Array([0]), values: value }];
}

/** Times at which STEP tracks jump. */
function jumps(tracks: readonly Track[]): Floats[] {
  return tracks.filter((track) => track.interpolation === 'STEP').map((track) => track.times);
}

export interface Resampling {
  readonly path: TrackPath;
  readonly tracks: readonly Track[];
  readonly tolerance: number;
  readonly evaluate: (time: number, out: Floats, o: number) => void;
}

/** A track of a function of time: on a uniform grid, or at the union of the keys refined to the tolerance. */
export function resampled(
  target: number,
  { path, tracks, tolerance, evaluate }: Resampling,
  duration: number,
  fps: number | undefined,
): Track {
  const width = path === 'rotation' ? 4 : 3;
  if (fps === undefined) {
    const keys = resampleFunction({
      width,
      isRotation: path === 'rotation',
      keyTimes: unionTimes(tracks.map((track) => track.times)),
      stepTimes: unionTimes(jumps(tracks)),
      tolerance,
      evaluate,
    });
    return { target, path, interpolation: 'LINEAR', times: keys.times, values: keys.values };
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
