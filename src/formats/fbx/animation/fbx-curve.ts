/** Defines and evaluates animation curves. FBX animates every channel by one curve of a single number. */
import type { Floats } from '../../../core/math/floats.ts';
import { lastAtMost } from '../../../core/math/search.ts';

export const SEGMENT = {
  /** Keeps the value of the key, jumps at the next. */
  CONSTANT: 0,
  /** Jumps right after the key to the value of the next. */
  CONSTANT_NEXT: 1,
  LINEAR: 2,
  /** A cubic Bézier curve in time and value. */
  CUBIC: 3,
} as const;

/**
 * Behavior of a curve before its first or after its last key. `slope` continues straight; `repeatRelative` starts each
 * repetition where the previous one ended.
 */
export type Extrapolation = 'constant' | 'slope' | 'repeat' | 'mirror' | 'repeatRelative';

export interface CurveEnd {
  readonly extrapolation: Extrapolation;
  /** Number of repetitions of `repeat`, `mirror` and `repeatRelative`; may be Infinity. */
  readonly repetitions: number;
}

/** A curve with at least one key. */
export interface FbxCurve {
  /** Seconds, strictly increasing. */
  readonly times: Float64Array;
  /** Value of each key; of the array of the file where it has floats. */
  readonly values: Floats;
  /** One of {@link SEGMENT} per key: the interpolation to the next key. The last one is not used. */
  readonly segments: Uint8Array;
  /**
   * The two inner control points of the Bézier curve to the next key, {@link HANDLE_STRIDE} floats per key: x1, y1, x2,
   * y2. x is relative to the interval, 0…1; y is a value. Those of the last key are not used. Empty for a curve without
   * CUBIC segments that does not continue straight.
   */
  readonly handles: Float64Array;
  readonly before: CurveEnd;
  readonly after: CurveEnd;
}

/** Floats per key in `FbxCurve.handles`. */
export const HANDLE_STRIDE = 4;

/** Keeps the value of the first or last key. */
export const CONSTANT_END: CurveEnd = { extrapolation: 'constant', repetitions: 0 };

/** Relative tolerance for a whole number of repetitions, because the division rounds. */
const WHOLE_TOLERANCE = 1e-12;

/** Evaluates a curve. At a key of type CONSTANT it has the new value. */
export function evaluateCurve(curve: FbxCurve, seconds: number): number {
  const { times } = curve;
  const last = times.length - 1;
  if (seconds < times[0]) return evaluateOutside(curve, curve.before, times[0] - seconds, true);
  if (seconds > times[last]) return evaluateOutside(curve, curve.after, seconds - times[last], false);
  return evaluateInside(curve, seconds);
}

/** Finds the last key at or before a time that is not before the first key. */
function keyAt(times: Float64Array, seconds: number): number {
  const last = times.length - 1;
  // Most curves have a key per frame: then the key follows from the time, or is beside that one because the division rounds.
  const guess = Math.floor(((seconds - times[0]) / (times[last] - times[0])) * last);
  for (let key = Math.max(0, guess - 1); key <= guess + 1 && key < last; key++)
    if (times[key] <= seconds && seconds < times[key + 1]) return key;
  return lastAtMost(times, seconds);
}

/** Evaluates a curve between its first and its last key. */
function evaluateInside({ times, values, segments, handles }: FbxCurve, seconds: number): number {
  const key = keyAt(times, seconds);
  const end = key + 1;
  const value = values[key];
  if (end === times.length || times[key] >= seconds) return value;
  const next = values[end];
  const segment = segments[key];
  if (segment === SEGMENT.CONSTANT) return value;
  if (segment === SEGMENT.CONSTANT_NEXT) return next;
  const ratio = (seconds - times[key]) / (times[end] - times[key]);
  if (segment === SEGMENT.LINEAR) return value * (1 - ratio) + next * ratio;
  const h = key * HANDLE_STRIDE;
  const s = solveBezier(handles[h], handles[h + 2], ratio);
  const r = 1 - s;
  return r * r * r * value + 3 * r * s * (r * handles[h + 1] + s * handles[h + 3]) + s * s * s * next;
}

/**
 * Returns by how much a curve rises between two neighboring key times, which may be rounded to float32, if it is a straight line between them or constant;
 * Infinity where it is not.
 */
export function straightRise(curve: FbxCurve, from: number, to: number): number {
  const { times, values, segments } = curve;
  const last = times.length - 1;
  const middle = from + (to - from) / 2;
  if (middle < times[0]) return curve.before.extrapolation === 'constant' ? 0 : Infinity;
  if (middle > times[last]) return curve.after.extrapolation === 'constant' ? 0 : Infinity;
  const key = Math.min(keyAt(times, middle), last - 1);
  if (last === 0) return 0;
  if (segments[key] !== SEGMENT.LINEAR) return Infinity;
  if (Math.fround(times[key]) > from || Math.fround(times[key + 1]) < to) return Infinity;
  return ((values[key + 1] - values[key]) * (to - from)) / (times[key + 1] - times[key]);
}

/** Parameters of a Bézier curve closer to each other than this are equal. */
const PARAMETER_STEP = 1e-15;

/**
 * Returns the parameter s at which the Bézier curve 0, x1, x2, 1 has the value x. With x1 and x2 in 0…1 the curve rises,
 * so there is exactly one. Uses Newton's method between shrinking bounds, and bisection if the slope is near 0.
 */
function solveBezier(x1: number, x2: number, x: number): number {
  const a = 1 + 3 * x1 - 3 * x2;
  const b = 3 * x2 - 6 * x1;
  const c = 3 * x1;
  // Most handles are at the thirds of the interval: then x = s.
  if (Math.abs(a) < PARAMETER_STEP && Math.abs(b) < PARAMETER_STEP) return x;
  let low = 0;
  let high = 1;
  let s = x;
  for (let round = 0; round < 64 && high - low > PARAMETER_STEP; round++) {
    const miss = ((a * s + b) * s + c) * s - x;
    if (miss === 0) return s;
    if (miss > 0) high = s;
    else low = s;
    const newton = s - miss / ((3 * a * s + 2 * b) * s + c);
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - s) < PARAMETER_STEP) return next;
    s = next;
  }
  return s;
}

/** Evaluates a curve `distance` seconds before its first or after its last key. */
function evaluateOutside(
  curve: FbxCurve,
  { extrapolation, repetitions }: CurveEnd,
  distance: number,
  isBefore: boolean,
): number {
  const { times, values } = curve;
  const last = times.length - 1;
  const value = values[isBefore ? 0 : last];
  const length = times[last] - times[0];
  if (extrapolation === 'constant' || !(length > 0)) return value;
  if (extrapolation === 'slope') return value + (isBefore ? -distance : distance) * endSlope(curve, isBefore);
  if (repetitions === 0) return value;
  const cycles = distance / length;
  const nearest = Math.round(cycles);
  const isWhole = nearest > 0 && Math.abs(cycles - nearest) <= WHOLE_TOLERANCE * cycles;
  let round = isWhole ? nearest : Math.floor(cycles);
  let offset = isWhole ? 0 : distance - round * length;
  if (round >= repetitions) {
    round = repetitions - 1;
    offset = length;
  }
  // After the last key, mirrored repetitions run backwards if `round` is even. Before the first key all directions flip.
  const runsBack = (extrapolation === 'mirror' && round % 2 === 0) !== isBefore;
  const inside = runsBack ? times[last] - offset : times[0] + offset;
  // The end of a repetition is a key; rounding must not miss it.
  const found = evaluateInside(curve, offset >= length ? times[runsBack ? 0 : last] : inside);
  if (extrapolation !== 'repeatRelative') return found;
  return found + (isBefore ? -1 : 1) * (round + 1) * (values[last] - values[0]);
}

/** Returns the slope at the first or last key, in value per second, along its handle; 0 for a handle without length. */
function endSlope({ times, values, handles }: FbxCurve, isFirst: boolean): number {
  const last = times.length - 1;
  const h = isFirst ? 0 : (last - 1) * HANDLE_STRIDE;
  const length = isFirst ? times[1] - times[0] : times[last] - times[last - 1];
  const seconds = (isFirst ? handles[h] : 1 - handles[h + 2]) * length;
  const rise = isFirst ? handles[h + 1] - values[0] : values[last] - handles[h + 3];
  return seconds > 0 ? rise / seconds : 0;
}

/** Moves the time origin of a curve. */
export function shiftCurve(curve: FbxCurve, seconds: number): FbxCurve {
  if (seconds === 0) return curve;
  return { ...curve, times: curve.times.map((time) => time - seconds) };
}
