import { PATH_WIDTH, TRACK_PATHS, type Track, type TrackPath } from '../../../../core/animation/clip.ts';
import { curveKeyLimit, resampleFunction } from '../../../../core/animation/resample.ts';
import { RELATIVE_TOLERANCE, ROTATION_TOLERANCE } from '../../../../core/animation/resample-tolerance.ts';
import { FLOAT32_MAX, type Floats } from '../../../../core/math/floats.ts';
import * as mat4 from '../../../../core/math/mat4.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../../../core/skeleton/skeleton.ts';
import type { Stage } from '../../stage/stage.ts';
import { localTransform, transformOps, transformTimes } from '../../stage/xform-ops.ts';
import { secondsOf, type TimeCodes } from '../../time-codes.ts';
import { collapseConstantTrack, normalizeRotation } from './collapse-track.ts';
import type { KeyReading } from './joint-tracks.ts';
import { takeKeys } from './key-limit.ts';
import { attributeKeys, keyTimes } from './sampled-keys.ts';

/** The track of a prim. Its target depends on the skeleton that contains the prim. */
export type PrimTrack = Omit<Track, 'target'>;

/** Types of the ops that correspond to translation, rotation and scale without resampling, in op order. */
const TRS_OPS = ['translate', 'orient', 'scale'];
/** The effect of an op without a value. */
const IDENTITY: Readonly<Record<TrackPath, readonly number[]>> = {
  translation: [0, 0, 0],
  rotation: [0, 0, 0, 1],
  scale: [1, 1, 1],
};

/**
 * Converts the time samples of a prim's xformOps to tracks.
 *
 * Ops of the form translate, orient, scale keep their keys. All others (Euler angles, matrices, pivots) are resampled to linear keys, within 0.005°
 * and 1e-5 of `size`; interpolated matrices with shear become the closest translation, rotation and scale.
 *
 * @param rest Rest poses, {@link POSE_STRIDE} floats per node, local space.
 */
export function primTracks(
  { stage, timeCodes, keyLimit }: Omit<KeyReading, 'issues'>,
  prim: string,
  rest: Float64Array,
  restAt: number,
  size: number,
): PrimTrack[] {
  const codes = transformTimes(stage, prim);
  if (codes.length === 0) return [];
  takeKeys(keyLimit, codes.length, prim);
  const trsOps = findTrsOps(transformOps(stage, prim));
  return TRACK_PATHS.flatMap((path): PrimTrack[] => {
    const keys =
      trsOps === null
        ? resampledKeys(stage, prim, path, size, codes, timeCodes)
        : authoredKeys(stage, prim, trsOps.get(path), path, timeCodes);
    const track = keys && collapseConstantTrack({ target: 0, path, ...keys }, rest, restAt + PATH_OFFSET[path]);
    if (!track) return [];
    takeKeys(keyLimit, track.times.length, prim);
    const { target: _, ...kept } = track;
    return [kept];
  });
}

/** Finds the attribute of each path if the ops are translate, orient, scale, in this order and each at most once; else null. */
function findTrsOps(ops: readonly string[]): Map<TrackPath, string> | null {
  const found = new Map<TrackPath, string>();
  let last = -1;
  for (const op of ops) {
    const [prefix, type] = op.split(':');
    const index = prefix === 'xformOp' ? TRS_OPS.indexOf(type) : -1;
    if (index <= last) return null;
    last = index;
    found.set(TRACK_PATHS[index], op);
  }
  return found;
}

function authoredKeys(
  stage: Stage,
  prim: string,
  attribute: string | undefined,
  path: TrackPath,
  timeCodes: TimeCodes,
): Omit<PrimTrack, 'path'> | null {
  if (attribute === undefined) return null;
  const width = PATH_WIDTH[path];
  const { interpolation, codes, samples } = attributeKeys(stage, prim, attribute, width, timeCodes);
  const { times, codeIndices } = keyTimes(timeCodes, codes);
  const values = new Float32Array(times.length * width);
  for (const [key, index] of codeIndices.entries()) {
    const sample = samples[index] ?? IDENTITY[path];
    for (let c = 0; c < width; c++) {
      values[key * width + c] = Math.abs(sample[c]) <= FLOAT32_MAX ? sample[c] : IDENTITY[path][c];
    }
    if (path === 'rotation') normalizeRotation(values, key * width);
  }
  return { interpolation, times, values };
}

function resampledKeys(
  stage: Stage,
  prim: string,
  path: TrackPath,
  size: number,
  codes: Float64Array,
  timeCodes: TimeCodes,
): Omit<PrimTrack, 'path'> {
  const pose = new Float64Array(POSE_STRIDE);
  const width = PATH_WIDTH[path];
  const valueAt = (code: number, out: Floats, o: number): void => {
    mat4.decompose(pose, 0, localTransform(stage, prim, code).matrix, 0);
    const isUsable = pose.every((value) => Math.abs(value) <= FLOAT32_MAX);
    for (let c = 0; c < width; c++) out[o + c] = isUsable ? pose[PATH_OFFSET[path] + c] : IDENTITY[path][c];
  };
  const { times, codeIndices } = keyTimes(timeCodes, Array.from(codes));
  if (stage.interpolation === 'held') {
    const values = new Float64Array(times.length * width);
    for (const [key, index] of codeIndices.entries()) valueAt(codes[index], values, key * width);
    return { interpolation: 'STEP', times, values };
  }
  const keys = resampleFunction({
    width,
    isRotation: path === 'rotation',
    keyTimes: times,
    stepTimes: times,
    // A float32 time may be slightly before its sample.
    evaluate: (time, out, o) => valueAt(codeAt(timeCodes, codes, time), out, o),
    tolerance:
      path === 'rotation' ? ROTATION_TOLERANCE : path === 'scale' ? RELATIVE_TOLERANCE : RELATIVE_TOLERANCE * size,
    keyLimit: curveKeyLimit(times),
  });
  return { interpolation: 'LINEAR', ...keys };
}

/** Converts a float32 time to a time code. A time that equals a sample's in float32 yields that sample's exact code. */
function codeAt(timeCodes: TimeCodes, codes: Float64Array, time: number): number {
  const code = timeCodes.origin + time * timeCodes.perSecond;
  let low = 0;
  let high = codes.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Math.fround(secondsOf(timeCodes, codes[middle])) < time) low = middle + 1;
    else high = middle;
  }
  return Math.fround(secondsOf(timeCodes, codes[low])) === time ? codes[low] : code;
}
