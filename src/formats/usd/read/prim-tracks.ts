/** The tracks of prims that are moved by their xformOps. */

import { PATH_OFFSET, PATH_WIDTH, TRACK_PATHS, type Track, type TrackPath } from '../../../core/animation/clip.ts';
import { resampleFunction } from '../../../core/animation/resample.ts';
import { FLOAT32_MAX, type Floats } from '../../../core/math/floats.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { Stage } from '../stage/stage.ts';
import { localTransform, transformOps, transformTimes } from '../stage/xform-ops.ts';
import { type KeyBudget, spend } from './key-budget.ts';
import { attributeKeys, type Clock, keyTimes, secondsOf } from './sampled-keys.ts';
import { makeUnit, settled } from './settled-track.ts';

/** Keys of a prim; whose node they are for is for the skeleton to say. */
export type PrimTrack = Omit<Track, 'target'>;

/** What resampled keys may miss the operations by: 0.005°, parts of the size of the scene or of the scale. */
const ROTATION_TOLERANCE = (0.005 * Math.PI) / 180;
const SIZE_TOLERANCE = 1e-5;
/** Keys of a track, at most: a few for each sample, and some more. */
const KEYS_PER_KEY = 64;
const KEYS_BESIDE = 4096;

/** Operations that are a translation, a rotation and a scale, in this order, each as it stands. */
const PLAIN = ['translate', 'orient', 'scale'];
/** What an operation without a value does. */
const NOTHING: Readonly<Record<TrackPath, readonly number[]>> = {
  translation: [0, 0, 0],
  rotation: [0, 0, 0, 1],
  scale: [1, 1, 1],
};

/**
 * The tracks of a prim whose operations have samples; none where none has. `rest`: its {@link POSE_STRIDE} floats at `restAt`; `size`: how large the
 * scene is. A translation, a quaternion and a scale keep their keys. All other operations (Euler angles, matrices, pivots) are resampled to linear
 * keys within 0.005° and 1e-5 of the size; where interpolated matrices have shear, the nearest translation, rotation and scale are used.
 */
export function primTracks(
  stage: Stage,
  prim: string,
  rest: Float64Array,
  restAt: number,
  size: number,
  clock: Clock,
  budget: KeyBudget,
): PrimTrack[] {
  const codes = transformTimes(stage, prim);
  if (codes.length === 0) return [];
  spend(budget, codes.length, prim);
  const plain = plainOps(transformOps(stage, prim));
  return TRACK_PATHS.flatMap((path): PrimTrack[] => {
    const keys =
      plain === null
        ? resampledKeys(stage, prim, path, size, codes, clock)
        : plainKeys(stage, prim, plain.get(path), path, clock);
    const track = keys && settled({ target: 0, path, ...keys }, rest, restAt + PATH_OFFSET[path]);
    if (!track) return [];
    spend(budget, track.times.length, prim);
    const { target: _, ...kept } = track;
    return [kept];
  });
}

/** The attribute of each path, where the operations are plain ones; else null. */
function plainOps(ops: readonly string[]): Map<TrackPath, string> | null {
  const found = new Map<TrackPath, string>();
  let last = -1;
  for (const op of ops) {
    const [prefix, type] = op.split(':');
    const place = prefix === 'xformOp' ? PLAIN.indexOf(type) : -1;
    if (place <= last) return null;
    last = place;
    found.set(TRACK_PATHS[place], op);
  }
  return found;
}

function plainKeys(
  stage: Stage,
  prim: string,
  attribute: string | undefined,
  path: TrackPath,
  clock: Clock,
): Omit<PrimTrack, 'path'> | null {
  if (attribute === undefined) return null;
  const width = PATH_WIDTH[path];
  const { interpolation, codes, samples } = attributeKeys(stage, prim, attribute, width, clock);
  const { times, places } = keyTimes(clock, codes);
  const values = new Float32Array(times.length * width);
  for (const [key, place] of places.entries()) {
    const sample = samples[place] ?? NOTHING[path];
    for (let c = 0; c < width; c++) {
      values[key * width + c] = Math.abs(sample[c]) <= FLOAT32_MAX ? sample[c] : NOTHING[path][c];
    }
    if (path === 'rotation') makeUnit(values, key * width);
  }
  return { interpolation, times, values };
}

function resampledKeys(
  stage: Stage,
  prim: string,
  path: TrackPath,
  size: number,
  codes: Float64Array,
  clock: Clock,
): Omit<PrimTrack, 'path'> {
  const pose = new Float64Array(POSE_STRIDE);
  const width = PATH_WIDTH[path];
  const valueAt = (code: number, out: Floats, o: number): void => {
    mat4.decompose(pose, 0, localTransform(stage, prim, code).matrix, 0);
    const isUsable = pose.every((value) => Math.abs(value) <= FLOAT32_MAX);
    for (let c = 0; c < width; c++) out[o + c] = isUsable ? pose[PATH_OFFSET[path] + c] : NOTHING[path][c];
  };
  const { times, places } = keyTimes(clock, Array.from(codes));
  if (stage.interpolation === 'held') {
    const values = new Float64Array(times.length * width);
    for (const [key, place] of places.entries()) valueAt(codes[place], values, key * width);
    return { interpolation: 'STEP', times, values };
  }
  const keys = resampleFunction({
    width,
    isRotation: path === 'rotation',
    keyTimes: times,
    stepTimes: times,
    // Right at a sample float32 may be a little before it.
    evaluate: (time, out, o) => valueAt(codeAt(clock, codes, time), out, o),
    tolerance: path === 'rotation' ? ROTATION_TOLERANCE : path === 'scale' ? SIZE_TOLERANCE : SIZE_TOLERANCE * size,
    keyLimit: times.length * KEYS_PER_KEY + KEYS_BESIDE,
  });
  return { interpolation: 'LINEAR', ...keys };
}

/** The time code of a float32 time; of what is a sample for float32, the sample itself. */
function codeAt(clock: Clock, codes: Float64Array, time: number): number {
  const code = clock.origin + time * clock.codesPerSecond;
  let low = 0;
  let high = codes.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Math.fround(secondsOf(clock, codes[middle])) < time) low = middle + 1;
    else high = middle;
  }
  return Math.fround(secondsOf(clock, codes[low])) === time ? codes[low] : code;
}
