import * as vec3 from '../math/vec3.ts';
import { ROLE_PARENTS } from './roles.ts';

/** The point that a point is bridged relative to: that of the nearest role above; −1 for none. */
export function anchorOf(point: number, roles: ArrayLike<number>): number {
  let role = ROLE_PARENTS[roles[point]];
  while (role >= 0) {
    const at = Array.prototype.indexOf.call(roles, role);
    if (at >= 0) return at;
    role = ROLE_PARENTS[role];
  }
  // Without a point of the hips, the legs carry the others.
  return -1;
}

/** Interpolates an offset between two frames, on the arc and with the length between both. */
function bridge(out: Float64Array, before: Float64Array, after: Float64Array, t: number): void {
  const [from, to] = [vec3.length(before, 0), vec3.length(after, 0)];
  vec3.lerp(out, 0, before, 0, after, 0, t);
  const size = vec3.length(out, 0);
  if (size > 0.1 * Math.min(from, to)) vec3.scale(out, 0, out, 0, (from + t * (to - from)) / size);
}

/**
 * Fills missing positions (NaN) in place. A gap is bridged by the offset from the point above in the body, which moves meanwhile; at the start and
 * the end the nearest known offset is held. A point without any value stays missing. Returns `count`: number of points times frames without a value
 * that got one; `longest`: most consecutive frames without a value of one point; `point`: the point with the longest gap.
 */
export function fillGaps(
  positions: Float64Array,
  roles: ArrayLike<number>,
): { count: number; longest: number; point: number } {
  const count = roles.length;
  const frames = positions.length / (3 * count);
  const order = Array.from({ length: count }, (_, point) => point).sort((p, q) => roles[p] - roles[q]);
  // The bones are listed before the points that belong to them, and parents first.
  let filled = 0;
  let longest = 0;
  let longestPoint = -1;
  const [before, after, offset] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  for (const point of order) {
    const anchor = anchorOf(point, roles);
    const at = (frame: number): number => 3 * (frame * count + point);
    const isKnown = (frame: number): boolean => Number.isFinite(positions[at(frame)]);
    const offsetAt = (out: Float64Array, frame: number): void => {
      if (anchor < 0) vec3.copy(out, 0, positions, at(frame));
      else vec3.subtract(out, 0, positions, at(frame), positions, 3 * (frame * count + anchor));
    };
    let last = -1;
    for (let frame = 0; frame <= frames; frame++) {
      if (frame < frames && !isKnown(frame)) continue;
      const gap = frame - last - 1;
      const hasAfter = frame < frames;
      if (gap > 0 && (last >= 0 || hasAfter)) {
        if (last >= 0) offsetAt(before, last);
        if (hasAfter) offsetAt(after, frame);
        if (last < 0) before.set(after);
        if (!hasAfter) after.set(before);
        for (let k = 1; k <= gap; k++) {
          if (anchor < 0) vec3.lerp(offset, 0, before, 0, after, 0, k / (gap + 1));
          else bridge(offset, before, after, k / (gap + 1));
          const to = at(last + k);
          if (anchor < 0) vec3.copy(positions, to, offset, 0);
          else vec3.add(positions, to, offset, 0, positions, 3 * ((last + k) * count + anchor));
        }
        filled += gap;
        if (gap > longest) {
          longest = gap;
          longestPoint = point;
        }
      }
      last = frame;
    }
  }
  return { count: filled, longest, point: longestPoint };
}
