/** Decides how far arms and legs are moved outward on a character that is wider than the source. */
import { BONE_COUNT } from '../../humanoid/bones.ts';
import type { SurfacedHumanoid } from '../surface/contact-surface.ts';
import { measureTouchAngles } from './touch-angles.ts';

/** An angle in degrees, or `auto`: that by which the target is wider than the source. */
export type Space = 'auto' | number;

/** Constant outward rotations, radians. */
export interface SpacingPlan {
  /** Of the upper arms. */
  readonly arm: number;
  /** Of the upper legs. */
  readonly leg: number;
}

/** Largest automatic angles, radians. */
const MOST_ARM = (40 * Math.PI) / 180;
const MOST_LEG = (15 * Math.PI) / 180;
/** Largest angle that a caller may ask for, degrees. */
const MOST_DEGREES = 90;
/** Differences of joints and radii below this, relative to the height, are rounding. */
const SAME = 1e-4;

/** Tells whether two characters have the same joints and the same skin. */
function areSame(a: SurfacedHumanoid, b: SurfacedHumanoid): boolean {
  const limit = SAME * a.humanoid.height;
  const near = (p: ArrayLike<number>, q: ArrayLike<number>): boolean =>
    p.length === q.length && Array.from(p).every((value, k) => Math.abs(value - q[k]) <= limit);
  if (a.surface.from !== b.surface.from) return false;
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const [one, other] = [a, b].map(({ humanoid }) => humanoid.map.nodes[bone] >= 0);
    if (one !== other) return false;
    const [p, q] = [a, b].map(({ humanoid: { reference } }) => reference.positions.subarray(3 * bone, 3 * bone + 3));
    if (one && !near(p, q)) return false;
    const [r, s] = [a.surface.radii[bone], b.surface.radii[bone]];
    if ((r === null) !== (s === null) || (r !== null && s !== null && !near(r.radii, s.radii))) return false;
  }
  return true;
}

function toRadians(name: string, space: number): number {
  if (Math.abs(space) <= MOST_DEGREES) return (space * Math.PI) / 180;
  throw new RangeError(`${name} is ${space}; expected "auto" or degrees from -${MOST_DEGREES} to ${MOST_DEGREES}`);
}

/**
 * Plans the spacing of a pair of characters. A motion of the character itself is not spaced again. Throws RangeError for an angle that is not
 * between −90° and 90°.
 */
export function planSpacing(source: SurfacedHumanoid, target: SurfacedHumanoid, arm: Space, leg: Space): SpacingPlan {
  const wanted = {
    arm: arm === 'auto' ? null : toRadians('armSpace', arm),
    leg: leg === 'auto' ? null : toRadians('legSpace', leg),
  };
  if ((wanted.arm === 0 && wanted.leg === 0) || areSame(source, target)) return { arm: 0, leg: 0 };
  const [from, to] = [source, target].map(({ humanoid, surface }) => measureTouchAngles(humanoid, surface));
  return {
    arm: wanted.arm ?? Math.min(MOST_ARM, Math.max(0, to.arm - from.arm)),
    leg: wanted.leg ?? Math.min(MOST_LEG, Math.max(0, to.leg - from.leg)),
  };
}
