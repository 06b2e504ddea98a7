/** Curves of one number over time, as FBX animates every channel by one: shape and evaluation. */

/** How a value goes from a key to the next one. */
export const SEGMENT = {
  /** Keeps the value of the key, jumps at the next. */
  CONSTANT: 0,
  /** Jumps right after the key to the value of the next. */
  CONSTANT_NEXT: 1,
  LINEAR: 2,
  /** A cubic Bézier curve in time and value. */
  CUBIC: 3,
} as const;

/** What a curve does before its first or after its last key. `slope` goes on straight, `repeatRelative` starts each round where the last one ended. */
export type Extrapolation = 'constant' | 'slope' | 'repeat' | 'mirror' | 'repeatRelative';

/** One end of a curve. */
export interface CurveEnd {
  readonly extrapolation: Extrapolation;
  /** Rounds of `repeat`, `mirror` and `repeatRelative`; Infinity when there is no end to it. */
  readonly rounds: number;
}

/** A curve with at least one key. */
export interface FbxCurve {
  /** Seconds, strictly rising. */
  readonly times: Float64Array;
  readonly values: Float64Array;
  /** One of {@link SEGMENT} a key: the way to the next key. The last one is not used. */
  readonly segments: Uint8Array;
  /**
   * The two inner control points of the Bézier curve to the next key, 4 a key: x1, y1, x2, y2. x is the share of the
   * interval, 0…1, y a value. The last four are not used.
   */
  readonly handles: Float64Array;
  readonly before: CurveEnd;
  readonly after: CurveEnd;
}

export const HOLD: CurveEnd = { extrapolation: 'constant', rounds: 0 };

/** Rounds that lie this close to a whole number, relatively, are whole: the division has a rounding. */
const WHOLE = 1e-12;

/** The value of a curve at a time in seconds; at a key of CONSTANT the new value. */
export function evaluateCurve(curve: FbxCurve, seconds: number): number {
  const { times } = curve;
  const last = times.length - 1;
  if (seconds < times[0]) return evaluateOutside(curve, curve.before, times[0] - seconds, true);
  if (seconds > times[last]) return evaluateOutside(curve, curve.after, seconds - times[last], false);
  return evaluateInside(curve, seconds);
}

/** The value at a time between the first and the last key. */
function evaluateInside({ times, values, segments, handles }: FbxCurve, seconds: number): number {
  let key = 0;
  let end = times.length;
  while (end - key > 1) {
    const middle = (key + end) >> 1;
    if (times[middle] <= seconds) key = middle;
    else end = middle;
  }
  const value = values[key];
  if (end === times.length || times[key] >= seconds) return value;
  const next = values[end];
  const segment = segments[key];
  if (segment === SEGMENT.CONSTANT) return value;
  if (segment === SEGMENT.CONSTANT_NEXT) return next;
  const share = (seconds - times[key]) / (times[end] - times[key]);
  if (segment === SEGMENT.LINEAR) return value * (1 - share) + next * share;
  const h = key * 4;
  const s = solveBezier(handles[h], handles[h + 2], share);
  const r = 1 - s;
  return r * r * r * value + 3 * r * s * (r * handles[h + 1] + s * handles[h + 3]) + s * s * s * next;
}

/** Shares closer to each other than this are the same. */
const SHARE_STEP = 1e-15;

/**
 * The parameter s at which the Bézier curve 0, x1, x2, 1 has the value x. With x1 and x2 in 0…1 it rises, so there is one.
 * Newton's method, kept between bounds that close in: where the slope is next to nothing it halves.
 */
function solveBezier(x1: number, x2: number, x: number): number {
  const a = 1 + 3 * x1 - 3 * x2;
  const b = 3 * x2 - 6 * x1;
  const c = 3 * x1;
  // Handles at the thirds, as most are: x = s.
  if (Math.abs(a) < SHARE_STEP && Math.abs(b) < SHARE_STEP) return x;
  let low = 0;
  let high = 1;
  let s = x;
  for (let round = 0; round < 64 && high - low > SHARE_STEP; round++) {
    const miss = ((a * s + b) * s + c) * s - x;
    if (miss === 0) return s;
    if (miss > 0) high = s;
    else low = s;
    const newton = s - miss / ((3 * a * s + 2 * b) * s + c);
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - s) < SHARE_STEP) return next;
    s = next;
  }
  return s;
}

/** The value `distance` seconds before the first or after the last key. */
function evaluateOutside(
  curve: FbxCurve,
  { extrapolation, rounds }: CurveEnd,
  distance: number,
  isBefore: boolean,
): number {
  const { times, values } = curve;
  const last = times.length - 1;
  const value = values[isBefore ? 0 : last];
  const length = times[last] - times[0];
  if (extrapolation === 'constant' || !(length > 0)) return value;
  if (extrapolation === 'slope') return value + (isBefore ? -distance : distance) * endSlope(curve, isBefore);
  if (rounds === 0) return value;
  const turns = distance / length;
  const nearest = Math.round(turns);
  const isWhole = nearest > 0 && Math.abs(turns - nearest) <= WHOLE * turns;
  let round = isWhole ? nearest : Math.floor(turns);
  let way = isWhole ? 0 : distance - round * length;
  if (round >= rounds) {
    round = rounds - 1;
    way = length;
  }
  // Odd rounds of a mirrored curve run like the curve itself, even ones against it; before the first key all is mirrored.
  const runsBack = (extrapolation === 'mirror' && round % 2 === 0) !== isBefore;
  const inside = runsBack ? times[last] - way : times[0] + way;
  // The end of a round is a key, which a rounding must not miss.
  const found = evaluateInside(curve, way >= length ? times[runsBack ? 0 : last] : inside);
  if (extrapolation !== 'repeatRelative') return found;
  return found + (isBefore ? -1 : 1) * (round + 1) * (values[last] - values[0]);
}

/** Value a second at the first or the last key, along the handle there; 0 where the handle has no length. */
function endSlope({ times, values, handles }: FbxCurve, isFirst: boolean): number {
  const last = times.length - 1;
  const h = isFirst ? 0 : (last - 1) * 4;
  const length = isFirst ? times[1] - times[0] : times[last] - times[last - 1];
  const seconds = (isFirst ? handles[h] : 1 - handles[h + 2]) * length;
  const rise = isFirst ? handles[h + 1] - values[0] : values[last] - handles[h + 3];
  return seconds > 0 ? rise / seconds : 0;
}

/** The curve with another zero of time: `seconds` becomes 0. */
export function shiftCurve(curve: FbxCurve, seconds: number): FbxCurve {
  if (seconds === 0) return curve;
  return { ...curve, times: curve.times.map((time) => time - seconds) };
}

/** Where a curve is not smooth, in seconds. */
export interface CurveBreaks {
  /** Keys. */
  readonly keys: number[];
  /** Jumps: at the very time the curve has the new value. */
  readonly steps: number[];
}

/** The next number above a time. What holds the old value at a time has the new one there. */
function justAfter(seconds: number): number {
  return seconds + Math.max(Math.abs(seconds) * Number.EPSILON, Number.MIN_VALUE);
}

/** Adds the keys and jumps of a curve from `start` to `end` to the lists, those of its repetitions included. */
export function addBreaks(curve: FbxCurve, start: number, end: number, { keys, steps }: CurveBreaks): void {
  const { times, values, segments, before, after } = curve;
  const last = times.length - 1;
  const add = (list: number[], time: number): void => {
    if (time >= start && time <= end) list.push(time);
  };
  for (let key = 0; key <= last; key++) {
    add(keys, times[key]);
    if (key === last || values[key] === values[key + 1]) continue;
    if (segments[key] === SEGMENT.CONSTANT) add(steps, times[key + 1]);
    if (segments[key] === SEGMENT.CONSTANT_NEXT) add(steps, justAfter(times[key]));
  }
  for (const [side, isBefore] of [
    [before, true],
    [after, false],
  ] as const) {
    for (let round = 0; round < roundsUntil(curve, side, isBefore ? start : end, isBefore); round++) {
      addRound(curve, side.extrapolation, round, isBefore, (time, isStep) => add(isStep ? steps : keys, time));
    }
  }
}

/** Keys that the repetitions of a curve have from `start` to `end`. */
export function repeatedKeyCount(curve: FbxCurve, start: number, end: number): number {
  return (
    curve.times.length * (roundsUntil(curve, curve.before, start, true) + roundsUntil(curve, curve.after, end, false))
  );
}

/** Rounds of repetition that a time outside the keys is away from them. */
function roundsUntil(
  { times }: FbxCurve,
  { extrapolation, rounds }: CurveEnd,
  seconds: number,
  isBefore: boolean,
): number {
  const last = times.length - 1;
  const length = times[last] - times[0];
  if (extrapolation === 'constant' || extrapolation === 'slope' || !(length > 0)) return 0;
  const distance = isBefore ? times[0] - seconds : seconds - times[last];
  return Math.min(rounds, Math.max(0, Math.ceil(distance / length)));
}

/** Hands out the keys and jumps of one repetition. */
function addRound(
  { times, values, segments }: FbxCurve,
  extrapolation: Extrapolation,
  round: number,
  isBefore: boolean,
  add: (time: number, isStep: boolean) => void,
): void {
  const last = times.length - 1;
  const length = times[last] - times[0];
  const runsBack = extrapolation === 'mirror' && round % 2 === 0;
  const start = isBefore ? times[0] - (round + 1) * length : times[last] + round * length;
  for (let key = 0; key <= last; key++) {
    const time = start + (runsBack ? times[last] - times[key] : times[key] - times[0]);
    add(time, false);
    const segment = key === last ? SEGMENT.LINEAR : segments[key];
    if (segment === SEGMENT.LINEAR || segment === SEGMENT.CUBIC) continue;
    const next = start + (runsBack ? times[last] - times[key + 1] : times[key + 1] - times[0]);
    // Of a jump in a repetition it does not matter which side has its very time: both sides are looked at.
    for (const jump of [time, next]) {
      add(jump, true);
      add(justAfter(jump), true);
    }
  }
  if (extrapolation === 'repeat' && values[0] !== values[last]) {
    add(start, true);
    add(justAfter(start), true);
    add(justAfter(start + length), true);
  }
}
