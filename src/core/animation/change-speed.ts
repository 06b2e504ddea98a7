import type { Floats } from '../math/floats.ts';
import { type Clip, type Keys, PATH_WIDTH, type Track } from './clip.ts';

/** Seconds that a motion can last at another speed: outside of them times in files, float32, run together. */
const SHORTEST = 1e-6;
const LONGEST = 1e9;

/** RangeError for what is no speed, or makes times that are no numbers any more. */
export function checkSpeed(factor: number, duration: number): void {
  if (!(factor > 0 && Number.isFinite(factor))) {
    throw new RangeError(`The speed is ${factor}; expected a number above 0: 2 is twice as fast.`);
  }
  const seconds = duration / factor;
  if (duration > 0 && !(seconds >= SHORTEST && seconds <= LONGEST)) {
    throw new RangeError(
      `At speed ${factor} the motion of ${duration} s lasts ${seconds} s; expected ${SHORTEST} to ${LONGEST} s.`,
    );
  }
}

/** Times at another speed; one new list for each old one, so that tracks that share their times go on to do so. */
export type Retiming = (times: Floats) => Float64Array;

export function retimingBy(factor: number): Retiming {
  const done = new Map<Floats, Float64Array>();
  return (times) => {
    const known = done.get(times);
    if (known !== undefined) return known;
    const retimed = Float64Array.from(times, (time) => time / factor);
    done.set(times, retimed);
    return retimed;
  };
}

/** Keys of any width at another speed: times become shorter, and tangents, which are per second, steeper. */
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
 * The clip played `factor` times as fast, all keys and interpolations kept: it shows at t what the clip shows at t · factor.
 * RangeError for a factor that is not above 0.
 */
export function changeSpeed(clip: Clip, factor: number): Clip {
  checkSpeed(factor, clip.duration);
  return retimeClip(clip, factor, retimingBy(factor));
}

/** changeSpeed for a factor that was checked. */
export function retimeClip(clip: Clip, factor: number, retime: Retiming): Clip {
  const tracks = clip.tracks.map(
    (track): Track => ({ ...track, ...changeKeySpeed(track, PATH_WIDTH[track.path], factor, retime) }),
  );
  return { ...clip, duration: clip.duration / factor, tracks };
}
