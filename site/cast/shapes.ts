/** Shapes of the cast: round parts in the T-pose of a figure, with a color and skin weights per ring. */
import type { BoneName } from '../../src/core/humanoid/bones.ts';
import type { Vec3 } from '../../src/core/math/vec3.ts';
import { loft, type Station } from '../../src/demo/characters/loft.ts';
import { across } from '../../src/demo/characters/mannequin.ts';
import type { ColoredPart } from '../../src/demo/characters/mesh.ts';

const X: Vec3 = [1, 0, 0];
const Z: Vec3 = [0, 0, 1];
const MINUS_Z: Vec3 = [0, 0, -1];

/** Linear RGB, 0…1. */
export type Rgb = readonly [number, number, number];

/** Bones with their share of a ring; the shares sum to 1. */
export type Shares = readonly (readonly [BoneName, number])[];

export interface Ring extends Station {
  readonly color: Rgb;
  readonly shares: Shares;
}

export function rgb(hex: string): Rgb {
  const channel = (from: number): number => {
    const value = Number.parseInt(hex.slice(from, from + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

/** Splits a ring between two bones: all of `before` at −1, all of `after` at 1. */
export function between(before: BoneName, after: BoneName, at: number): Shares {
  const u = Math.min(Math.max((at + 1) / 2, 0), 1);
  const share = u * u * (3 - 2 * u);
  if (share === 0) return [[before, 1]];
  if (share === 1) return [[after, 1]];
  return [
    [before, 1 - share],
    [after, share],
  ];
}

/** Builds a tube through rings along a straight axis. Its ends close in points. `ru` is the radius across: along x, or along z for an arm. */
export function tube(rings: readonly Ring[], sectors: number): ColoredPart {
  const [first, last] = [rings[0], rings[rings.length - 1]];
  const rise = last.center[1] - first.center[1];
  const isUpright = Math.abs(rise) > Math.hypot(last.center[0] - first.center[0], last.center[2] - first.center[2]);
  const upright = [X, rise > 0 ? MINUS_Z : Z] as const;
  const [u, v] = isUpright ? upright : across(first.center, last.center);
  return partOf([{ ...first, ru: 0, rv: 0 }, ...rings, { ...last, ru: 0, rv: 0 }], u, v, sectors);
}

function partOf(rings: readonly Ring[], u: Vec3, v: Vec3, sectors: number): ColoredPart {
  return {
    surface: loft(rings, u, v, sectors),
    color: (station) => rings[station].color,
    weights: (station) => rings[station].shares,
  };
}

/** Builds an ellipsoid with its poles above and below. */
export function ball(
  center: Vec3,
  radii: Vec3,
  color: Rgb,
  bone: BoneName,
  [rings, sectors]: readonly [number, number] = [6, 10],
): ColoredPart {
  const all: Ring[] = [];
  for (let ring = 0; ring <= rings; ring++) {
    const angle = Math.PI * (ring / rings - 0.5);
    const wide = ring === 0 || ring === rings ? 0 : Math.cos(angle);
    all.push({
      center: [center[0], center[1] + radii[1] * Math.sin(angle), center[2]],
      ru: radii[0] * wide,
      rv: radii[2] * wide,
      color,
      shares: [[bone, 1]],
    });
  }
  return partOf(all, X, MINUS_Z, sectors);
}

/** Builds a rod with round ends, in one color and on one bone. */
export function pill(
  [from, to]: readonly [Vec3, Vec3],
  [radius, endRadius]: readonly [number, number],
  color: Rgb,
  bone: BoneName,
  sectors: number = 8,
): ColoredPart {
  const [u, v] = across(from, to);
  const length = Math.hypot(...to.map((value, c) => value - from[c]));
  const at = (along: number, ru: number): Ring => {
    const center = from.map((value, c) => value + ((to[c] - value) * along) / length) as [number, number, number];
    return { center, ru, rv: ru, color, shares: [[bone, 1]] };
  };
  const rings = [
    at(-radius, 0),
    at(-0.7 * radius, 0.7 * radius),
    at(0, radius),
    at(length, endRadius),
    at(length + 0.7 * endRadius, 0.7 * endRadius),
    at(length + endRadius, 0),
  ];
  return partOf(rings, u, v, sectors);
}
