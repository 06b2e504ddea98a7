/** The body of a member of the cast: trunk, limbs, hands and shoes as continuous round tubes that bend softly at the joints. */

import { BONES, type BoneName, type Side } from '../../src/core/humanoid/bones.ts';
import type { Vec3 } from '../../src/core/math/vec3.ts';
import { pointOf, SPINE, trunkPoint, trunkWeights } from '../../src/demo/characters/mannequin.ts';
import type { ColoredPart } from '../../src/demo/characters/mesh.ts';
import type { Figure } from '../../src/demo/figure/figure.ts';
import { ball, between, pill, type Rgb, type Ring, tube } from './shapes.ts';

/** Clothes of a body: colors, and how far they reach. */
export interface Clothes {
  readonly skin: Rgb;
  readonly shirt: Rgb;
  /** Color of a band around the chest and of the ends of the sleeves. */
  readonly trim: Rgb;
  readonly trousers: Rgb;
  readonly belt: Rgb;
  readonly shoes: Rgb;
  readonly soles: Rgb;
  readonly socks: Rgb;
  readonly gloves: Rgb;
  /** Length of the sleeves by that of the arm: 0.3 is a T-shirt, 1 reaches the wrists. */
  readonly sleeve: number;
  /** Length of the trousers by that of the leg. */
  readonly trouserLeg: number;
  /** Depth that a belly adds to the trunk, by the depth of the trunk. */
  readonly belly?: number;
  /** Whether a skirt takes the place of the trousers. */
  readonly skirt?: Rgb;
}

/** Trunk by height in joints (−1 crotch, 0 hips, 4 neck): half width by that of the hips with both legs or of the shoulders, depth by the mean of both. Tuned by eye. */
const TRUNK: readonly (readonly [height: number, part: 'hips' | 'shoulders', width: number, depth: number])[] = [
  [-1.15, 'hips', 0.3, 0.3],
  [-0.95, 'hips', 0.66, 0.55],
  [-0.5, 'hips', 1.0, 0.7],
  [0.1, 'hips', 1.02, 0.7],
  [0.8, 'hips', 0.92, 0.63],
  [1.5, 'shoulders', 0.84, 0.6],
  [2.2, 'shoulders', 0.92, 0.67],
  [2.9, 'shoulders', 1.0, 0.69],
  [3.4, 'shoulders', 1.04, 0.62],
  [3.75, 'shoulders', 0.98, 0.5],
  [3.92, 'shoulders', 0.74, 0.42],
  [4.02, 'shoulders', 0.46, 0.37],
  [4.1, 'shoulders', 0.32, 0.31],
];

/** Height of the waist in joints: below are trousers, above is the shirt. */
const WAIST = 0.75;
/** Lower edge of the belt in joints. */
const BELT = 0.48;
/** Band around the chest, in joints. */
const BAND: readonly [number, number] = [2.35, 2.75];

/** Interpolates a table by its first column. */
function lookUp(rows: readonly (readonly number[])[], at: number): number[] {
  const next = Math.min(
    Math.max(
      rows.findIndex(([x]) => x >= at),
      1,
    ),
    rows.length - 1,
  );
  const [a, b] = [rows[next - 1], rows[next]];
  const t = Math.min(Math.max((at - a[0]) / (b[0] - a[0]), 0), 1);
  return a.map((value, c) => value + (b[c] - value) * t);
}

function trunk(figure: Figure, clothes: Clothes): ColoredPart {
  const { girth, hipWidth, shoulderWidth, leg } = figure.proportions;
  const thick = 0.55 + 0.45 * girth;
  const joints = SPINE.map((bone) => pointOf(figure.joints, bone));
  const half = { hips: hipWidth / 2, shoulders: shoulderWidth / 2 };
  const wide = { hips: half.hips + 0.083 * girth, shoulders: thick * half.shoulders };
  const rows = TRUNK.map(([height, part, width, depth]) => [height, width * wide[part], depth]);
  const ring = (height: number, color: Rgb): Ring => {
    const [, width, depth] = lookUp(rows, height);
    const belly = 1 + (clothes.belly ?? 0) * Math.exp(-((height - 1.1) ** 2) / 1.1);
    const [x, y, z] = trunkPoint(joints, height, 0.1 * leg);
    const rv = thick * 0.53 * depth * (half.hips + half.shoulders);
    return {
      center: [x, y, z + rv * (belly - 1) * 0.8],
      ru: width * (1 + 0.2 * (belly - 1)),
      rv: rv * belly,
      color,
      shares: trunkWeights(height),
    };
  };
  const rings: Ring[] = [];
  const span = (from: number, to: number, color: Rgb): void => {
    const steps = Math.max(1, Math.round((to - from) / 0.36));
    for (let step = 0; step <= steps; step++) rings.push(ring(from + ((to - from) * step) / steps, color));
  };
  const { shirt, trim, trousers } = clothes;
  span(-1.15, BELT, clothes.skirt ?? trousers);
  span(BELT, WAIST, clothes.belt);
  span(WAIST, BAND[0], shirt);
  span(...BAND, trim);
  span(BAND[1], 4.02, shirt);
  span(4.02, 4.1, trim);
  return tube(rings, 14);
}

function skirt(figure: Figure, color: Rgb, trim: Rgb): ColoredPart {
  const { hipWidth, leg, girth } = figure.proportions;
  const [, top] = pointOf(figure.joints, 'hips');
  const wide = hipWidth * (0.8 + 0.15 * girth);
  const at = (down: number, width: number, one: Rgb): Ring => ({
    center: [0, top + (0.12 - down) * leg, 0],
    ru: wide * width,
    rv: 0.85 * wide * width,
    color: one,
    shares: [['hips', 1]],
  });
  return tube(
    [
      at(0, 0.9, color),
      at(0.14, 1.06, color),
      at(0.34, 1.38, color),
      at(0.52, 1.75, color),
      at(0.52, 1.76, trim),
      at(0.58, 1.84, trim),
      at(0.57, 1.6, trim),
    ],
    22,
  );
}

/** Arm radii by the distance from the shoulder: upper arm 0…1, lower arm 1…2. */
const ARM = [
  [-0.2, 0.03],
  [-0.1, 0.052],
  [0.06, 0.062],
  [0.35, 0.054],
  [0.75, 0.043],
  [1, 0.041],
  [1.25, 0.044],
  [1.6, 0.036],
  [2, 0.028],
];
/** Leg radii by the distance from the hip: upper leg 0…1, lower leg 1…2. */
const LEG = [
  [-0.12, 0.06],
  [0.04, 0.082],
  [0.2, 0.085],
  [0.45, 0.079],
  [0.8, 0.062],
  [1, 0.057],
  [1.3, 0.06],
  [1.65, 0.046],
  [2, 0.037],
];

/** Builds a limb of two bones, clothed down to `clothed` (0…2). */
function limb(
  figure: Figure,
  [upper, lower, parent]: readonly [BoneName, BoneName, BoneName],
  table: readonly (readonly number[])[],
  { clothed, cloth, trim, skin, loose }: { clothed: number; cloth: Rgb; trim: Rgb; skin: Rgb; loose: number },
): ColoredPart {
  const { girth } = figure.proportions;
  const [root, joint, end] = [
    pointOf(figure.joints, upper),
    pointOf(figure.joints, lower),
    pointOf(figure.tails, lower),
  ];
  const ring = (at: number, color: Rgb, extra: number): Ring => {
    const [from, to, t] = at < 1 ? [root, joint, at] : [joint, end, at - 1];
    const center = from.map((value, c) => value + (to[c] - value) * t) as [number, number, number];
    const r = lookUp(table, Math.max(at, table[0][0]))[1] * girth + extra;
    const shares = at < 0.4 ? between(parent, upper, (at + 0.02) / 0.22) : between(upper, lower, (at - 1) / 0.16);
    return { center, ru: r, rv: r, color, shares };
  };
  const rings: Ring[] = [];
  const stops = [-0.2, -0.1, 0.05, 0.2, 0.4, 0.65, 0.84, 0.92, 1, 1.08, 1.16, 1.35, 1.6, 1.85, 2];
  const cuff = Math.max(clothed - 0.08, -0.1);
  const cloths = stops.filter((stop) => stop < cuff - 0.02);
  for (const stop of cloths) rings.push(ring(stop, cloth, loose));
  rings.push(ring(cuff, cloth, loose), ring(cuff, trim, loose * 1.1), ring(clothed, trim, loose * 1.1));
  if (clothed < 2) {
    // Below loose cloth is a step.
    if (loose > 0) rings.push(ring(clothed, trim, 0));
    rings.push(ring(clothed, skin, 0));
    for (const stop of stops) if (stop > clothed + 0.02) rings.push(ring(stop, skin, 0));
  }
  return tube(rings, 10);
}

/** Builds a palm and fingers; each finger is one tube that bends at its joints. */
function hand(figure: Figure, side: Side, color: Rgb): ColoredPart[] {
  const size = figure.proportions.hand;
  const wrist = pointOf(figure.joints, `${side}Hand`);
  const sign = side === 'left' ? 1 : -1;
  const bone = `${side}Hand` as const;
  const palm = (along: number, half: number, thick: number): Ring => ({
    center: [wrist[0] + sign * along * size, wrist[1], wrist[2] - 0.03 * size],
    // Across x, u is forward or back and v is up.
    ru: half * size,
    rv: thick * size,
    color,
    shares: [[bone, 1]],
  });
  const parts: ColoredPart[] = [
    tube(
      [
        palm(-0.1, 0.13, 0.12),
        palm(0.02, 0.16, 0.13),
        palm(0.2, 0.22, 0.13),
        palm(0.4, 0.24, 0.12),
        palm(0.5, 0.19, 0.09),
      ],
      10,
    ),
  ];
  for (const finger of ['Thumb', 'Index', 'Middle', 'Ring', 'Little']) {
    const bones = BONES.filter((name) => name.startsWith(`${side}${finger}`));
    const radius = (finger === 'Thumb' ? 0.078 : 0.066) * size;
    const rings: Ring[] = [];
    bones.forEach((name, k) => {
      const [from, to] = [pointOf(figure.joints, name), pointOf(figure.tails, name)];
      const ring = (t: number, r: number, share: Ring['shares']): void => {
        const center = from.map((value, c) => value + (to[c] - value) * t) as [number, number, number];
        rings.push({ center, ru: r, rv: r, color, shares: share });
      };
      ring(k === 0 ? -0.2 : 0, radius, k === 0 ? [[name, 1]] : between(bones[k - 1], name, 0));
      if (k === bones.length - 1) {
        ring(0.75, 0.92 * radius, [[name, 1]]);
        ring(1.05, 0.55 * radius, [[name, 1]]);
      }
    });
    parts.push(tube(rings, 6));
  }
  return parts;
}

/** Shoes by the length of the foot: half width, height of the upper edge (by the ankle). */
const SHOE: readonly (readonly [along: number, half: number, top: number])[] = [
  [-0.29, 0.11, 0.7],
  [-0.2, 0.15, 1.05],
  [0, 0.16, 1.1],
  [0.14, 0.17, 0.9],
  [0.3, 0.19, 0.66],
  [0.46, 0.2, 0.54],
];
const TOE: readonly (readonly [along: number, half: number, top: number])[] = [
  [0.46, 0.2, 0.54],
  [0.58, 0.2, 0.5],
  [0.7, 0.16, 0.42],
  [0.79, 0.07, 0.3],
];

function shoe(figure: Figure, side: Side, { shoes, soles, socks, skin }: Clothes): ColoredPart[] {
  const { foot: length, ankle, girth } = figure.proportions;
  const [x, y, z] = pointOf(figure.joints, `${side}Foot`);
  const part = (bone: BoneName, rows: typeof SHOE, low: number, high: number, grow: number, color: Rgb): ColoredPart =>
    tube(
      rows.map(([along, half, top]) => ({
        center: [x, ((low + Math.min(top, high)) / 2) * ankle, z + along * length] as Vec3,
        ru: half * length * grow,
        rv: ((Math.min(top, high) - low) / 2) * ankle,
        color,
        shares: [[bone, 1]] as const,
      })),
      10,
    );
  const toes = `${side}Toes` as const;
  const foot = `${side}Foot` as const;
  // Wider than the leg in it.
  const r = 0.046 * girth;
  const sock = (up: number, radius: number, color: Rgb): Ring => ({
    center: [x, y + up * ankle, z],
    ru: radius,
    rv: radius,
    color,
    shares: between(`${side}LowerLeg`, foot, -up),
  });
  return [
    part(foot, SHOE, 0.04, 2, 1, shoes),
    part(toes, TOE, 0.04, 2, 1, shoes),
    part(foot, SHOE, 0, 0.3, 1.06, soles),
    part(toes, TOE, 0, 0.3, 1.06, soles),
    tube([sock(-0.4, r, socks), sock(0.6, r, socks), sock(1.3, 1.08 * r, socks), sock(1.3, 0.9 * r, skin)], 10),
  ];
}

export function bodyOf(figure: Figure, clothes: Clothes): ColoredPart[] {
  const { girth, neck: neckLength } = figure.proportions;
  const { skin, shirt, trim, trousers } = clothes;
  const [neck, head] = [pointOf(figure.joints, 'neck'), pointOf(figure.joints, 'head')];
  const throat = 0.05 * (0.5 + 0.5 * girth) + 0.03 * neckLength;
  const parts: ColoredPart[] = [
    trunk(figure, clothes),
    pill(
      [
        [neck[0], neck[1] - throat, neck[2]],
        [head[0], head[1] + throat, head[2]],
      ],
      [throat, 0.92 * throat],
      skin,
      'neck',
      12,
    ),
  ];
  if (clothes.skirt !== undefined) parts.push(skirt(figure, clothes.skirt, trim));
  for (const side of ['left', 'right'] as const) {
    const arm = [`${side}UpperArm`, `${side}LowerArm`, `${side}Shoulder`] as const;
    const leg = [`${side}UpperLeg`, `${side}LowerLeg`, 'hips'] as const;
    const bare = clothes.skirt !== undefined;
    parts.push(
      limb(figure, arm, ARM, { clothed: 2 * clothes.sleeve, cloth: shirt, trim, skin, loose: 0.008 * girth }),
      limb(figure, leg, LEG, {
        clothed: 2 * clothes.trouserLeg,
        cloth: trousers,
        trim: bare ? trousers : trim,
        skin,
        loose: bare ? 0 : 0.011 * girth,
      }),
      ...hand(figure, side, clothes.gloves),
      ...shoe(figure, side, clothes),
    );
  }
  return parts;
}

/** Buttons, pockets and other balls on the front of the trunk. */
export function buttons(figure: Figure, color: Rgb, heights: readonly number[], depth: number): ColoredPart[] {
  const joints = SPINE.map((bone) => pointOf(figure.joints, bone));
  const size = 0.016 * (figure.height / 1.75);
  return heights.map((height) => {
    const [x, y, z] = trunkPoint(joints, height, 0);
    return ball([x, y, z + depth], [size, size, 0.5 * size], color, SPINE[Math.min(Math.round(height), 3)]);
  });
}
