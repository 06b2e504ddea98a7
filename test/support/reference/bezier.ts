/** A Bézier curve in time and value, solved by bisection. No code shared with src. */

function bezier(a: number, b: number, c: number, d: number, s: number): number {
  const mix = (x: number, y: number): number => x + (y - x) * s;
  const ab = mix(a, b);
  const bc = mix(b, c);
  const cd = mix(c, d);
  return mix(mix(ab, bc), mix(bc, cd));
}

/** Returns the value at `x` (0…1) for control points (0, y0), (x1, y1), (x2, y2), (1, y3) with x1 and x2 in 0…1. */
export function bezierValue(y0: number, [x1, y1, x2, y2]: readonly number[], y3: number, x: number): number {
  let low = 0;
  let high = 1;
  for (let round = 0; round < 200; round++) {
    const middle = (low + high) / 2;
    if (bezier(0, x1, x2, 1, middle) < x) low = middle;
    else high = middle;
  }
  return bezier(y0, y1, y2, y3, high);
}
