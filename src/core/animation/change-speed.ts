import type { Floats } from '../math/floats.ts';
import { type Clip, type Keys, PATH_WIDTH, type Track } from './clip.ts';
import { separateTimes } from './separate-times.ts';

/** Limits of the duration at another speed, seconds: beyond them float32 key times coincide. */
const SHORTEST = 1e-6;
const LONGEST = 1e9;

/**
 * Checks a speed factor. `duration`: seconds at the original speed. Throws RangeError for a factor that is not a finite number above 0, and for a
 * new duration that is too short or too long.
 */
export function checkSpeed(factor: number, duration: number): void {
  if (!(factor > 0 && Number.isFinite(factor))) {
    throw new RangeError(`The speed is ${factor}; expected a number above 0. 2 is twice as fast.`);
  }
  const seconds = duration / factor;
  if (duration > 0 && !(seconds >= SHORTEST && seconds <= LONGEST)) {
    throw new RangeError(
      `At speed ${factor} the motion of ${duration} s lasts ${seconds} s; expected ${SHORTEST} to ${LONGEST} s.`,
    );
  }
}

/** Scales a list of key times, seconds. Equal arrays give the same new array, so that tracks continue to share their times. */
type Retiming = (times: Floats) => Float64Array;

export function retimingBy(factor: number): Retiming {
  const done = new Map<Floats, Float64Array>();
  return (times) => {
    const known = done.get(times);
    if (known !== undefined) return known;
    const retimed = Float64Array.from(times, (time) => time / factor);
    // The two keys of a jump, one float32 apart, can round to the same float32.
    separateTimes(retimed);
    done.set(times, retimed);
    return retimed;
  };
}

/** Changes the speed of keys. Times are divided by the factor; tangents, which are per second, are multiplied by it. */
export function changeKeySpeed(keys: Keys, width: number, factor: number, retime: Retiming): Keys {
  const times = retime(keys.times);
  if (keys.interpolation !== 'CUBICSPLINE') return { ...keys, times };
  const values = Float64Array.from(keys.values);
  for (let i = 0; i < values.length; i += width) {
    if ((i / width) % 3 === 1) continue;
    for (let c = i; c < i + width; c++) values[c] *= factor;
  }
  return { ...keys, times, values };
}

/**
 * Changes the speed of a clip: the result at time t equals the clip at time t · `factor`. All keys and interpolations are preserved.
 *
 * @param clip The clip; it is not changed.
 * @param factor Speed factor above 0; 2 is twice as fast.
 * @returns The clip at the new speed.
 * @throws RangeError for a factor that is not a finite number above 0, and for a new duration that is too short or too long.
 */
export function changeSpeed(clip: Clip, factor: number): Clip {
  checkSpeed(factor, clip.duration);
  return retimeClip(clip, factor, retimingBy(factor));
}

/** Changes the speed of a clip by a factor that {@link checkSpeed} accepts. */
export function retimeClip(clip: Clip, factor: number, retime: Retiming): Clip {
  const tracks = clip.tracks.map(
    (track): Track => ({ ...track, ...changeKeySpeed(track, PATH_WIDTH[track.path], factor, retime) }),
  );
  const keyTimes = clip.keyTimes === undefined ? {} : { keyTimes: retime(clip.keyTimes) };
  const plants = clip.plants?.map((plant) => ({ ...plant, from: plant.from / factor, to: plant.to / factor }));
  return {
    ...clip,
    duration: clip.duration / factor,
    tracks,
    ...keyTimes,
    ...(plants === undefined ? {} : { plants }),
  };
}
