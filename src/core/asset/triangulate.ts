/** Triangulates polygons. */

/** Maximum number of ear tests (corner against triangle) for one file. Known files stay far below it. */
const MAX_TESTS = 50_000_000;

/** The remaining work that a file may cause. */
export interface TriangulationBudget {
  tests: number;
}

export function triangulationBudget(): TriangulationBudget {
  return { tests: MAX_TESTS };
}

/**
 * Triangulates one polygon; the triangles keep its winding. A quad is split at the shorter diagonal, unless that flips a triangle. Larger polygons
 * are triangulated by ear clipping (Meisters 1975), projected along the dominant axis of Newell's normal. Self-intersecting polygons become fans,
 * and so do all polygons once the budget is exhausted.
 */
export function triangulate(points: Float64Array, count: number, out: number[], budget: TriangulationBudget): void {
  if (count < 3) return;
  if (count === 3) out.push(0, 1, 2);
  else if (count === 4) cutQuad(points, out);
  else cutEars(points, count, out, budget);
}

const normal = new Float64Array(3);
const first = new Float64Array(3);
const second = new Float64Array(3);

/** Splits a quad at diagonal 0–2 or 1–3. */
function cutQuad(points: Float64Array, out: number[]): void {
  // Whether diagonal a–c gives two triangles with the same orientation.
  const isSound = (a: number, b: number, c: number, d: number): boolean => {
    cross(first, points, a, b, c);
    cross(second, points, a, c, d);
    return first[0] * second[0] + first[1] * second[1] + first[2] * second[2] > 0;
  };
  const isSound02 = isSound(0, 1, 2, 3);
  const isSound13 = isSound(1, 2, 3, 0);
  const is02Shorter = squaredDistance(points, 0, 2) <= squaredDistance(points, 1, 3);
  if (isSound02 === isSound13 ? is02Shorter : isSound02) out.push(0, 1, 2, 0, 2, 3);
  else out.push(0, 1, 3, 1, 2, 3);
}

function cross(out: Float64Array, p: Float64Array, a: number, b: number, c: number): void {
  const ux = p[3 * b] - p[3 * a];
  const uy = p[3 * b + 1] - p[3 * a + 1];
  const uz = p[3 * b + 2] - p[3 * a + 2];
  const vx = p[3 * c] - p[3 * a];
  const vy = p[3 * c + 1] - p[3 * a + 1];
  const vz = p[3 * c + 2] - p[3 * a + 2];
  out[0] = uy * vz - uz * vy;
  out[1] = uz * vx - ux * vz;
  out[2] = ux * vy - uy * vx;
}

function squaredDistance(p: Float64Array, a: number, b: number): number {
  return (p[3 * a] - p[3 * b]) ** 2 + (p[3 * a + 1] - p[3 * b + 1]) ** 2 + (p[3 * a + 2] - p[3 * b + 2]) ** 2;
}

function cutEars(points: Float64Array, count: number, out: number[], budget: TriangulationBudget): void {
  const plane = flatten(points, count);
  const next = Int32Array.from({ length: count }, (_, i) => (i + 1) % count);
  const before = Int32Array.from({ length: count }, (_, i) => (i + count - 1) % count);
  let left = count;
  let at = 0;
  let refused = 0;
  while (left > 3 && refused < left && budget.tests > 0) {
    const a = before[at];
    const c = next[at];
    if (!isEar(plane, next, a, at, c, budget)) {
      at = c;
      refused++;
      continue;
    }
    out.push(a, at, c);
    next[a] = c;
    before[c] = a;
    left--;
    refused = 0;
    // Skipping a corner avoids slivers that all share one corner.
    at = next[c];
  }
  // The remaining triangle, or the remaining polygon without ears, becomes a fan.
  for (let b = next[at]; next[b] !== at; b = next[b]) out.push(at, b, next[b]);
}

/** Projects the corners along the dominant axis of the normal, so that they are counter-clockwise. */
function flatten(points: Float64Array, count: number): Float64Array {
  normal.fill(0);
  for (let i = 0; i < count; i++) {
    const a = 3 * i;
    const b = 3 * ((i + 1) % count);
    normal[0] += (points[a + 1] - points[b + 1]) * (points[a + 2] + points[b + 2]);
    normal[1] += (points[a + 2] - points[b + 2]) * (points[a] + points[b]);
    normal[2] += (points[a] - points[b]) * (points[a + 1] + points[b + 1]);
  }
  const [x, y, z] = normal.map(Math.abs);
  const axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  const u = (axis + 1) % 3;
  const v = (axis + 2) % 3;
  const sign = normal[axis] < 0 ? -1 : 1;
  const plane = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    plane[2 * i] = points[3 * i + u];
    plane[2 * i + 1] = sign * points[3 * i + v];
  }
  return plane;
}

/** Returns twice the area of a triangle, positive when it is counter-clockwise. */
function area(p: Float64Array, a: number, b: number, c: number): number {
  return (p[2 * b] - p[2 * a]) * (p[2 * c + 1] - p[2 * a + 1]) - (p[2 * b + 1] - p[2 * a + 1]) * (p[2 * c] - p[2 * a]);
}

/** Returns whether corner b is convex and no other corner is inside triangle abc. */
function isEar(
  p: Float64Array,
  next: Int32Array,
  a: number,
  b: number,
  c: number,
  budget: TriangulationBudget,
): boolean {
  budget.tests--;
  if (!(area(p, a, b, c) > 0)) return false;
  for (let i = next[c]; i !== a; i = next[i]) {
    budget.tests--;
    const isInside = area(p, a, b, i) >= 0 && area(p, b, c, i) >= 0 && area(p, c, a, i) >= 0;
    // A bridge edge joins a hole to the rim, so corners may coincide.
    if (isInside && !isSame(p, i, a) && !isSame(p, i, b) && !isSame(p, i, c)) return false;
  }
  return true;
}

function isSame(p: Float64Array, a: number, b: number): boolean {
  return p[2 * a] === p[2 * b] && p[2 * a + 1] === p[2 * b + 1];
}
