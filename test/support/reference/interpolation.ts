/**
 * The reference for sampling: glTF 2.0 Appendix C, formula by formula, with a linear search and plain arrays.
 */

function sum(...terms: [number, readonly number[]][]): number[] {
  return terms[0][1].map((_, c) => terms.reduce((total, [weight, v]) => total + weight * v[c], 0));
}

function unit(v: readonly number[]): number[] {
  return v.map((x) => x / Math.hypot(...v));
}

/** Implements Appendix C.4 for unit quaternions; sign(0) is +1, and linear where the sine is too small to divide by. */
export function referenceSlerp(from: readonly number[], to: readonly number[], t: number): number[] {
  const dot = from.reduce((total, x, c) => total + x * to[c], 0);
  const sign = dot < 0 ? -1 : 1;
  const a = Math.acos(Math.min(Math.abs(dot), 1));
  if (a < 1e-7) return sum([1 - t, from], [sign * t, to]);
  return sum([Math.sin(a * (1 - t)) / Math.sin(a), from], [(sign * Math.sin(a * t)) / Math.sin(a), to]);
}

export interface ReferenceTrack {
  readonly path: string;
  readonly interpolation: string;
  readonly times: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/** Returns the value of a track at a time: section 3.11 and Appendix C.1 to C.5. */
export function referenceSample({ path, interpolation, times, values }: ReferenceTrack, time: number): number[] {
  const width = path === 'rotation' ? 4 : 3;
  const elements: number[][] = [];
  for (let i = 0; i < values.length; i += width) elements.push(Array.from(values).slice(i, i + width));
  const isCubic = interpolation === 'CUBICSPLINE';
  const value = (k: number): number[] => (isCubic ? elements[3 * k + 1] : elements[k]);
  const last = times.length - 1;
  if (time <= times[0]) return value(0);
  if (time >= times[last]) return value(last);
  let k = 0;
  while (times[k + 1] <= time) k++;
  if (times[k] === time || interpolation === 'STEP') return value(k);
  const td = times[k + 1] - times[k];
  const t = (time - times[k]) / td;
  if (interpolation === 'LINEAR') {
    if (path === 'rotation') return referenceSlerp(unit(value(k)), unit(value(k + 1)), t);
    return sum([1 - t, value(k)], [t, value(k + 1)]);
  }
  const spline = sum(
    [2 * t ** 3 - 3 * t ** 2 + 1, value(k)],
    [td * (t ** 3 - 2 * t ** 2 + t), elements[3 * k + 2]],
    [-2 * t ** 3 + 3 * t ** 2, value(k + 1)],
    [td * (t ** 3 - t ** 2), elements[3 * k + 3]],
  );
  return path === 'rotation' ? unit(spline) : spline;
}
