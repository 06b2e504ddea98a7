/** Skeletons at a time and what they deform, as plain JSON data. */
import { FormatError } from '../../../core/report/format-error.ts';
import type { Issue } from '../../../core/report/issue.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { Stage, Time } from '../stage/stage.ts';
import { deformPrim, type PrimDeformer } from './deform-prim.ts';
import type { NumberRows, SkelPrimReport, SkelSampleReport } from './skel-report.ts';
import { type AnimatedSkeleton, type SkeletonSample, sampleSkeleton } from './skeleton-sample.ts';

/** What a report may hold all together: of more the text is longer than texts of JavaScript can be. */
const MAX_ENTRIES = 20_000_000;
/** So many characters of names take the room of a number. */
const CHARACTERS = 16;

/** What a report is made with, and how much it may still hold. */
export interface Sampling {
  readonly stage: Stage;
  readonly issues: Issue[];
  /** Times of animations, which several skeletons may share. */
  readonly times: Map<string, readonly number[]>;
  entriesLeft: number;
}

export function makeSampling(stage: Stage, issues: Issue[]): Sampling {
  return { stage, issues, times: new Map(), entriesLeft: MAX_ENTRIES };
}

/** Takes numbers off what a report may hold. USD_LIMIT where there are too many. */
export function countNumbers(sampling: Sampling, count: number): void {
  sampling.entriesLeft -= count;
  if (sampling.entriesLeft >= 0) return;
  const message = `The report would hold more than ${MAX_ENTRIES} numbers and names; describe the scene without samples, or a part of it`;
  throw new FormatError('USD_LIMIT', message);
}

/** The same for names. */
export function countNames(sampling: Sampling, names: readonly string[]): void {
  countNumbers(sampling, names.length);
  countNumbers(sampling, names.reduce((sum, { length }) => sum + length, 0) / CHARACTERS);
}

/** Numbers as rows of `width`. */
function rowsOf(sampling: Sampling, numbers: ArrayLike<number>, width: number): NumberRows {
  countNumbers(sampling, numbers.length);
  const rows = new Array<number[]>(numbers.length / width);
  for (let i = 0; i < rows.length; i++) {
    const row = new Array<number>(width);
    for (let c = 0; c < width; c++) row[c] = numbers[i * width + c];
    rows[i] = row;
  }
  return rows;
}

function describePrim(sampling: Sampling, deformer: PrimDeformer, sample: SkeletonSample, time: Time): SkelPrimReport {
  const { bound } = deformer;
  const deformed = deformPrim(sampling.stage, deformer, sample, time, sampling.issues);
  const { weights, shapes, points, normals, transform, isSkinned } = deformed;
  return {
    prim: bound.prim,
    ...(weights === null ? {} : { primWeights: Array.from(weights) }),
    ...(shapes === null
      ? {}
      : {
          subShapeWeights: shapes.map(({ weight }) => weight),
          blendShapeIndices: shapes.map(({ target }) => target),
          subShapeIndices: shapes.map(({ subShape }) => subShape),
        }),
    ...(bound.influences.hasInfluences ? { skinOk: isSkinned ? 1 : 0 } : {}),
    ...(transform === null ? {} : { skinnedXform: Array.from(transform) }),
    points: rowsOf(sampling, points, 3),
    ...(normals === null && points.length > 0 ? {} : { normals: rowsOf(sampling, normals ?? [], 3) }),
  };
}

/** A skeleton and the prims that are bound to it, at a time. */
export function describeSample(
  sampling: Sampling,
  skeleton: AnimatedSkeleton,
  deformers: readonly PrimDeformer[],
  time: Time,
): SkelSampleReport {
  const sample = sampleSkeleton(sampling.stage, skeleton, time, sampling.issues);
  const matrices = (name: 'local' | 'skel' | 'skinning' | 'restRelative'): Record<string, NumberRows> => {
    const numbers = sample[name];
    return numbers === null ? {} : { [name]: rowsOf(sampling, numbers, MATRIX_STRIDE) };
  };
  return {
    t: time,
    ...matrices('local'),
    ...matrices('skel'),
    ...matrices('skinning'),
    ...matrices('restRelative'),
    ...(sample.weights === null ? {} : { weights: Array.from(sample.weights) }),
    prims: deformers.map((deformer) => describePrim(sampling, deformer, sample, time)),
  };
}

/**
 * Times to look at an animation: the default, then up to about four of its samples from the first on, each followed by a time a quarter of the way to the
 * next one, where values are interpolated.
 */
export function sampledTimes(times: ArrayLike<number>): Time[] {
  const step = Math.max(1, Math.ceil(times.length / 4));
  const picked: Time[] = ['default'];
  for (let i = 0; i < times.length; i += step) {
    picked.push(times[i]);
    if (i + 1 < times.length) picked.push(0.75 * times[i] + 0.25 * times[i + 1]);
  }
  return picked;
}
