import { DEGREES_PER_RADIAN } from '../../math/euler.ts';
import type { Floats } from '../../math/floats.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { POSE_STRIDE, type Skeleton } from '../../skeleton/skeleton.ts';
import { localSizes } from '../../skeleton/skeleton-size.ts';
import type { Clip, Track } from '../clip.ts';
import { frameTimeOf, frameTimes } from '../frame-times.ts';
import { isConstantTrack } from '../is-constant-track.ts';
import { alignSigns } from '../resample-clip.ts';
import { sampleTrack } from '../sample.ts';
import { findSpikes } from './find-spikes.ts';
import { bridgeSignal, smoothSignal } from './smooth-signal.ts';

/** A cleaned clip. */
interface CleanedClip {
  /** The clip; the same one if nothing was to be cleaned. */
  readonly clip: Clip;
  /** What changed. */
  readonly report: CleanReport;
}

/** What cleaning a clip changed. */
export interface CleanReport {
  /** Mean jitter of the rotating joints before, degrees: how far a frame is from where the two frames before and after it put it. */
  readonly jitterBefore: number;
  /** The same after. */
  readonly jitterAfter: number;
  /** Number of spikes and flips that were bridged, over all joints. */
  readonly spikes: number;
  /** Number of gaps between keys that were bridged, over all joints. */
  readonly gaps: number;
}

/** Noise below which a rotation stays as it is: 0.02°, which studios reach. */
const LEAST_NOISE = (0.02 * Math.PI) / 180;
/** The same for translations, relative to the size of the skeleton: 0.3 mm of a person. */
const LEAST_MOVE = 1.2e-4;
/** Length that counts as a radian in spikes of translations, relative to the size of the skeleton: 0.5 m of a person. */
const RADIAN = 0.2;
/** Fewest frames that are cleaned: fourth differences need five. */
const LEAST_FRAMES = 8;
/** Share of the frames that have a key in a track whose other frames are gaps. */
const KEYED_SHARE = 0.6;
/** Longest gap that is bridged with a curve, seconds; longer ones stay straight. */
const LONGEST_GAP = 0.5;
/** How stiff bridges are (see `bridgeSignal`): exact for clean values, over about 10 frames for noisy ones. */
const EXACT_BRIDGE = 1e-3;
const NOISY_BRIDGE = 30;
/** Quantile of the squared fourth differences that the noise is estimated from, below the median because fast moments add to them. */
const NOISE_QUANTILE = 0.4;
/** That quantile of χ² with 2 and 3 degrees of freedom, per degree: of directions, and of rotations and positions. */
const NOISE_OF_DIRECTION = 0.511;
const NOISE_OF_SPACE = 0.623;

/** Squares of the fourth differences of consecutive frames over 70, which are the variance of white noise, ascending. */
function fourthDifferences(values: Float64Array, width: number, weights: Float64Array | null): Float64Array {
  const n = values.length / width;
  const squares: number[] = [];
  for (let i = 2; i + 2 < n; i++) {
    let isKnown = true;
    for (let k = i - 2; k <= i + 2; k++) isKnown &&= weights === null || weights[k] === 1;
    if (!isKnown) continue;
    let sum = 0;
    for (let at = width * i; at < width * (i + 1); at++) {
      const [b, a, c, d] = [values[at - 2 * width], values[at - width], values[at + width], values[at + 2 * width]];
      sum += (b - 4 * a + 6 * values[at] - 4 * c + d) ** 2;
    }
    squares.push(sum / 70);
  }
  return Float64Array.from(squares).sort();
}

/** Estimates the variance of the noise of a signal. */
function noiseVariance(values: Float64Array, width: number, weights: Float64Array, share: number): number {
  const squares = fourthDifferences(values, width, weights);
  return (squares[Math.floor(NOISE_QUANTILE * squares.length)] ?? 0) / share;
}

/** Median jitter of quaternions, radians. */
function jitterOf(values: Float64Array): number {
  const squares = fourthDifferences(values, 4, null);
  return 2 * Math.sqrt(squares[squares.length >> 1] ?? 0);
}

/** A track with a value per frame. */
interface Signal {
  readonly track: Track;
  readonly values: Float64Array;
  /** 0 for frames that were bridged, else 1. */
  readonly weights: Float64Array;
  /** Jitter before, radians. */
  readonly jitter: number;
  /** Whether it is above the noise that stays. */
  readonly isNoisy: boolean;
  readonly spikes: number;
  readonly gaps: number;
}

/** Marks frames without a key in tracks that have one in most frames. */
function findGaps({ times, interpolation }: Track, frames: Float64Array, step: number, weights: Float64Array): number {
  const inside = frames.filter((time) => time >= times[0] && time <= times[times.length - 1]).length;
  if (interpolation === 'CUBICSPLINE' || times.length < KEYED_SHARE * inside || times.length >= inside) return 0;
  let gaps = 0;
  for (let key = 1; key < times.length; key++) {
    const gap = times[key] - times[key - 1];
    if (gap < 1.5 * step || gap > LONGEST_GAP) continue;
    for (let frame = Math.ceil(times[key - 1] / step); frame < weights.length && frames[frame] < times[key]; frame++)
      if (frames[frame] > times[key - 1] + step / 4 && frames[frame] < times[key] - step / 4) weights[frame] = 0;
    gaps++;
  }
  return gaps;
}

function readSignal(track: Track, frames: Float64Array, step: number, size: number): Signal {
  const isRotation = track.path === 'rotation';
  const width = isRotation ? 4 : 3;
  const n = frames.length;
  const values = new Float64Array(width * n);
  let cursor = 0;
  for (let frame = 0; frame < n; frame++) cursor = sampleTrack(track, frames[frame], values, width * frame, cursor);
  if (isRotation) alignSigns(values);
  const jitter = isRotation ? jitterOf(values) : 0;
  const weights = new Float64Array(n).fill(1);
  const gaps = findGaps(track, frames, step, weights);
  const variance = noiseVariance(values, width, weights, NOISE_OF_SPACE);
  const noise = (isRotation ? 2 : 1) * Math.sqrt(variance);
  const spikes = findSpikes(values, isRotation ? 1 : RADIAN * size, noise, step, weights);
  const isNoisy = noise > (isRotation ? LEAST_NOISE : LEAST_MOVE * size);
  if (spikes + gaps > 0) {
    // A flip may have turned the sign of all frames after it.
    let last = 0;
    for (let frame = 1; isRotation && frame < n; frame++) {
      if (weights[frame] === 0) continue;
      if (quat.dot(values, 4 * last, values, 4 * frame) < 0)
        for (let c = 4 * frame; c < 4 * frame + 4; c++) values[c] = -values[c];
      last = frame;
    }
    bridgeSignal(values, width, weights, isNoisy ? NOISY_BRIDGE : EXACT_BRIDGE);
    for (let frame = 0; isRotation && frame < n; frame++) quat.normalize(values, 4 * frame, values, 4 * frame);
  }
  return { track, values, weights, jitter, isNoisy, spikes, gaps };
}

/** Direction of a node to its farthest child, in its own axes, and one across; +Y and +X without a child. */
function axesOf({ parents, rest }: Skeleton): (node: number) => [along: Float64Array, across: Float64Array] {
  const child = new Int32Array(parents.length).fill(-1);
  for (let node = 0; node < parents.length; node++) {
    const parent = parents[node];
    if (parent < 0) continue;
    const isFarther =
      child[parent] < 0 || vec3.length(rest, POSE_STRIDE * node) > vec3.length(rest, POSE_STRIDE * child[parent]);
    if (isFarther) child[parent] = node;
  }
  return (node) => {
    const along = Float64Array.of(0, 1, 0);
    if (child[node] >= 0 && vec3.length(rest, POSE_STRIDE * child[node]) > 0)
      vec3.normalize(along, 0, rest, POSE_STRIDE * child[node]);
    const other = Math.abs(along[1]) < 0.8 ? Float64Array.of(0, 1, 0) : Float64Array.of(0, 0, 1);
    const across = new Float64Array(3);
    vec3.cross(across, 0, other, 0, along, 0);
    vec3.normalize(across, 0, across, 0);
    return [along, across];
  };
}

/** Writes the rotation that turns the axes x and y to `along` and `across`; `across` is made perpendicular. */
function rotationOf(out: Float64Array, o: number, along: Floats, i: number, across: Floats, j: number): void {
  const basis = new Float64Array(16);
  vec3.normalize(basis, 0, along, i);
  vec3.addScaled(basis, 4, across, j, basis, 0, -vec3.dot(basis, 0, across, j));
  vec3.normalize(basis, 4, basis, 4);
  vec3.cross(basis, 8, basis, 0, basis, 4);
  quat.fromMatrix(out, o, basis, 0);
}

/**
 * Smooths the rotations of a joint in model space: the direction along the bone and the one across it separately, because trackers see the former well and twist badly.
 * In local space the noise of a joint is also in its children, with the opposite sign.
 */
function smoothRotations(
  world: Float64Array,
  weights: Float64Array,
  step: number,
  [along, across]: readonly Float64Array[],
): Float64Array {
  const n = weights.length;
  const [directions, sides] = [along, across].map((axis) => {
    const vectors = new Float64Array(3 * n);
    for (let frame = 0; frame < n; frame++) vec3.rotate(vectors, 3 * frame, world, 4 * frame, axis, 0);
    const variance = noiseVariance(vectors, 3, weights, NOISE_OF_DIRECTION);
    return variance > 2 * LEAST_NOISE ** 2 ? smoothSignal(vectors, 3, weights, variance, step) : vectors;
  });
  const base = new Float64Array(4);
  rotationOf(base, 0, along, 0, across, 0);
  quat.conjugate(base, 0, base, 0);
  const out = new Float64Array(4 * n);
  for (let frame = 0; frame < n; frame++) {
    rotationOf(out, 4 * frame, directions, 3 * frame, sides, 3 * frame);
    quat.multiply(out, 4 * frame, out, 4 * frame, base, 0);
  }
  return out;
}

/** Model rotations of a node in all frames; `local` has one rotation, or one per frame. */
function turned(parent: Float64Array | null, local: Float64Array, n: number): Float64Array {
  const out = new Float64Array(4 * n);
  const stride = local.length === 4 ? 0 : 4;
  for (let frame = 0; frame < n; frame++) {
    if (parent === null) quat.copy(out, 4 * frame, local, stride * frame);
    else quat.multiply(out, 4 * frame, parent, 4 * frame, local, stride * frame);
  }
  return out;
}

/** Converts model rotations of a node in all frames to rotations relative to its parent, continuous. */
function toLocal(parent: Float64Array | null, model: Float64Array): Float64Array {
  const out = new Float64Array(model.length);
  const inverse = new Float64Array(4);
  for (let at = 0; at < model.length; at += 4) {
    if (parent === null) quat.identity(inverse, 0);
    else quat.conjugate(inverse, 0, parent, at);
    quat.multiply(out, at, inverse, 0, model, at);
    quat.normalize(out, at, out, at);
  }
  alignSigns(out);
  return out;
}

/** Tells whether a signal has spikes or gaps, which were bridged in its values. */
function isBridged({ spikes, gaps }: Signal): boolean {
  return spikes + gaps > 0;
}

/** Returns the values of a cleaned translation; null if it stays as it is. */
function cleanTranslation(signal: Signal, step: number): Float64Array | null {
  const { values, weights, isNoisy } = signal;
  if (!isNoisy) return isBridged(signal) ? values : null;
  return smoothSignal(values, 3, weights, noiseVariance(values, 3, weights, NOISE_OF_SPACE), step);
}

/** Returns local rotations of all nodes without a signal: that of a constant track, else at rest. */
function stillRotations({ parents, rest }: Skeleton, { tracks }: Clip): Float64Array[] {
  const still = Array.from(parents, (_, node) =>
    Float64Array.from(rest.subarray(POSE_STRIDE * node + 3, POSE_STRIDE * node + 7)),
  );
  for (const track of tracks) if (track.path === 'rotation') sampleTrack(track, 0, still[track.target], 0);
  return still;
}

/** Cleans the rotations of all joints, from the roots on: they are smoothed in model space. Returns local rotations per node with a signal. */
function cleanRotations(
  skeleton: Skeleton,
  clip: Clip,
  signals: ReadonlyMap<number, Signal>,
  { count, step }: { readonly count: number; readonly step: number },
): Map<number, Float64Array> {
  const axes = axesOf(skeleton);
  const still = stillRotations(skeleton, clip);
  // Model rotations before and after; the same array where nothing changed.
  const before: Float64Array[] = [];
  const after: Float64Array[] = [];
  const cleaned = new Map<number, Float64Array>();
  for (const [node, above] of skeleton.parents.entries()) {
    const [oldAbove, newAbove] = above < 0 ? [null, null] : [before[above], after[above]];
    const signal = signals.get(node);
    const local = signal?.values ?? still[node];
    before.push(turned(oldAbove, local, count));
    if (signal?.isNoisy === true) after.push(smoothRotations(before[node], signal.weights, step, axes(node)));
    else after.push(oldAbove === newAbove ? before[node] : turned(newAbove, local, count));
    if (signal !== undefined) cleaned.set(node, signal.isNoisy ? toLocal(newAbove, after[node]) : local);
  }
  return cleaned;
}

/**
 * Cleans a recorded motion. Spikes and flips that return within 0.3 s and are faster than a body, and gaps of up to 0.5 s between keys, are bridged. Noise is smoothed
 * without a delay: much where a joint rests, little where it is fast, so that peaks of speed stay. Tracks without noise, spikes and gaps stay as they are.
 *
 * @param skeleton The skeleton that the clip moves.
 * @param clip The clip; it is not changed.
 * @returns A clip with a key per frame in the tracks that changed, and what changed.
 * @experimental
 */
export function cleanClip(skeleton: Skeleton, clip: Clip): CleanedClip {
  const step = frameTimeOf(clip);
  const frames = step === null ? new Float64Array() : frameTimes(clip, step);
  const moving = clip.tracks.filter((track) => track.path !== 'scale' && !isConstantTrack(track));
  if (step === null || frames.length < LEAST_FRAMES || moving.length === 0)
    return { clip, report: { jitterBefore: 0, jitterAfter: 0, spikes: 0, gaps: 0 } };
  const sizes = localSizes(skeleton);
  const signals = moving.map((track) => readSignal(track, frames, step, sizes[track.target]));
  const turning = new Map(
    signals.flatMap((signal) => (signal.track.path === 'rotation' ? [[signal.track.target, signal] as const] : [])),
  );
  const rotations = cleanRotations(skeleton, clip, turning, { count: frames.length, step });
  const cleaned = new Map<Track, Track>();
  for (const signal of signals) {
    const { track, isNoisy } = signal;
    const isTurning = track.path === 'rotation';
    const values = isTurning ? rotations.get(track.target) : cleanTranslation(signal, step);
    if (values === undefined || values === null || (isTurning && !isNoisy && !isBridged(signal))) continue;
    cleaned.set(track, { ...track, interpolation: 'LINEAR', times: frames, values });
  }
  const mean = (jitters: readonly number[]): number =>
    (DEGREES_PER_RADIAN * jitters.reduce((sum, jitter) => sum + jitter, 0)) / Math.max(1, jitters.length);
  const report = {
    jitterBefore: mean([...turning.values()].map(({ jitter }) => jitter)),
    jitterAfter: mean([...rotations.values()].map(jitterOf)),
    spikes: signals.reduce((sum, { spikes }) => sum + spikes, 0),
    gaps: signals.reduce((sum, { gaps }) => sum + gaps, 0),
  };
  if (cleaned.size === 0) return { clip, report };
  return {
    clip: { ...clip, tracks: clip.tracks.map((track) => cleaned.get(track) ?? track), keyTimes: frames },
    report,
  };
}
