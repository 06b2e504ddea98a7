/** Procedural mannequin: surfaces in the T-pose of a figure, and the bones that they are skinned to. */

import { BONE, BONES, type BoneName, type Side } from '../../core/humanoid/bones.ts';
import type { Vec3 } from '../../core/math/vec3.ts';
import * as vec3 from '../../core/math/vec3.ts';
import type { Figure } from '../figure/figure.ts';
import { loft, rod, type Station, type Surface } from './loft.ts';

export type Tone = 'light' | 'main' | 'dark';

/** A part of the mannequin with its skin weights. */
export interface Part {
  /** Surface in the T-pose, canonical frame, meters. */
  readonly surface: Surface;
  readonly tone: Tone;
  /** Bones and skin weights for all vertices of a station; the weights sum to 1. */
  weights(station: number): readonly (readonly [BoneName, number])[];
}

const X: Vec3 = [1, 0, 0];
const Y: Vec3 = [0, 1, 0];
const MINUS_Z: Vec3 = [0, 0, -1];
/** Bones of the trunk from below. */
export const SPINE = ['hips', 'spine', 'chest', 'upperChest', 'neck'] as const;
/** Limb radii of the adult at the joint and at the far end, meters. */
const LIMBS = {
  UpperArm: [0.047, 0.038],
  LowerArm: [0.038, 0.026],
  UpperLeg: [0.078, 0.05],
  LowerLeg: [0.049, 0.033],
} as const;

export function mannequinParts(figure: Figure, detail: number): Part[] {
  const parts: Part[] = [torso(figure, detail), ...head(figure, detail)];
  for (const side of ['left', 'right'] as const) {
    for (const limb of ['UpperArm', 'LowerArm', 'UpperLeg', 'LowerLeg'] as const) {
      const [from, to] = LIMBS[limb];
      const { girth } = figure.proportions;
      parts.push(bonePart(figure, `${side}${limb}`, from * girth, to * girth, 'main', detail));
    }
    parts.push(...hand(figure, side, detail), ...foot(figure, side, detail));
  }
  return parts;
}

/** Returns the point of a bone among joints or tails. */
export function pointOf(points: Float64Array, bone: BoneName): Vec3 {
  const o = BONE[bone] * 3;
  return [points[o], points[o + 1], points[o + 2]];
}

function sectorsOf(detail: number): number {
  return Math.max(5, Math.round(10 * detail));
}

function ringsOf(detail: number): number {
  return Math.max(1, Math.round(3 * detail));
}

/** Finds u and v so that (u, v, axis from → to) is a right-handed basis; v points up, or to the left for vertical axes. */
export function across(from: Vec3, to: Vec3): [Vec3, Vec3] {
  const axis = new Float64Array(3);
  const u = new Float64Array(3);
  const v = new Float64Array(3);
  vec3.subtract(axis, 0, to, 0, from, 0);
  vec3.normalize(axis, 0, axis, 0);
  vec3.cross(u, 0, Math.abs(axis[1]) > 0.7 ? X : Y, 0, axis, 0);
  vec3.normalize(u, 0, u, 0);
  vec3.cross(v, 0, axis, 0, u, 0);
  return [
    [u[0], u[1], u[2]],
    [v[0], v[1], v[2]],
  ];
}

function rodPart(
  bone: BoneName,
  [from, to]: readonly [Vec3, Vec3],
  [radius, endRadius, flat]: readonly [number, number, number],
  tone: Tone,
  detail: number,
): Part {
  const [u, v] = across(from, to);
  const stations = rod(from, to, radius, endRadius, flat, ringsOf(detail));
  return { surface: loft(stations, u, v, sectorsOf(detail)), tone, weights: () => [[bone, 1]] };
}

/** Builds a rod from the joint of a bone to its far end. */
function bonePart(figure: Figure, bone: BoneName, radius: number, endRadius: number, tone: Tone, detail: number): Part {
  const ends = [pointOf(figure.joints, bone), pointOf(figure.tails, bone)] as const;
  return rodPart(bone, ends, [radius, endRadius, 1], tone, detail);
}

/** Trunk profile by height in joints (0 hips, 4 neck): half width relative to hips or shoulders, depth relative to both. */
const TRUNK: readonly (readonly [height: number, part: 'hips' | 'shoulders', width: number, depth: number])[] = [
  [-1, 'hips', 0.55, 0.22],
  [-0.8, 'hips', 1.2, 0.5],
  [-0.3, 'hips', 1.62, 0.64],
  [0.3, 'hips', 1.66, 0.63],
  [1, 'hips', 1.45, 0.55],
  [1.7, 'shoulders', 0.72, 0.52],
  [2.5, 'shoulders', 0.86, 0.6],
  [3.1, 'shoulders', 0.95, 0.58],
  [3.6, 'shoulders', 0.9, 0.44],
  [3.9, 'shoulders', 0.6, 0.33],
  [4.1, 'shoulders', 0.3, 0.26],
];

/** Builds one surface from crotch to neck that bends at the spine joints. */
function torso(figure: Figure, detail: number): Part {
  const { girth, hipWidth, shoulderWidth, leg } = figure.proportions;
  const joints = SPINE.map((bone) => pointOf(figure.joints, bone));
  const thick = 0.55 + 0.45 * girth;
  const heights: number[] = [];
  const at = (height: number): Station => {
    const next = TRUNK.findIndex(([h]) => h >= height);
    const [h1, part1, w1, d1] = TRUNK[Math.max(next, 1)];
    const [h0, part0, w0, d0] = TRUNK[Math.max(next, 1) - 1];
    const t = (height - h0) / (h1 - h0);
    const half = { hips: hipWidth / 2, shoulders: shoulderWidth / 2 };
    const mix = (a: number, b: number): number => a + (b - a) * t;
    heights.push(height);
    return {
      center: trunkPoint(joints, height, 0.1 * leg),
      ru: thick * mix(w0 * half[part0], w1 * half[part1]),
      rv: thick * 0.5 * mix(d0, d1) * (half.hips + half.shoulders) * 1.05,
    };
  };
  const steps = 5 * ringsOf(detail);
  const [low, high] = [TRUNK[0][0], TRUNK[TRUNK.length - 1][0]];
  const tip = (height: number): Station => {
    heights.push(height);
    return { center: trunkPoint(joints, height, 0.1 * leg), ru: 0, rv: 0 };
  };
  const stations = [tip(low)];
  for (let step = 0; step <= steps; step++) stations.push(at(low + ((high - low) * step) / steps));
  stations.push(tip(high));
  const surface = loft(stations, X, MINUS_Z, sectorsOf(detail) * 2);
  return { surface, tone: 'main', weights: (station) => trunkWeights(heights[station]) };
}

/** Interpolates the center line of the trunk at a height in joints; below the hips one unit is `drop` meters. */
export function trunkPoint(joints: readonly Vec3[], height: number, drop: number): Vec3 {
  if (height <= 0) return [0, joints[0][1] + height * drop, joints[0][2]];
  const below = Math.min(Math.floor(height), joints.length - 2);
  const t = height - below;
  const [a, b] = [joints[below], joints[below + 1]];
  return [0, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
}

/** Weights of the trunk at a height in joints: each bone moves what is above its joint; near a joint both neighbors blend. */
export function trunkWeights(height: number): readonly (readonly [BoneName, number])[] {
  const joint = Math.min(Math.max(Math.round(height), 0), 4);
  const upper = Math.min(Math.max(0.5 + (height - joint) / 0.8, 0), 1);
  if (joint === 0 || upper === 1) return [[SPINE[joint], 1]];
  if (upper === 0) return [[SPINE[joint - 1], 1]];
  return [
    [SPINE[joint - 1], 1 - upper],
    [SPINE[joint], upper],
  ];
}

function head(figure: Figure, detail: number): Part[] {
  const { head: size, girth, neck: neckLength } = figure.proportions;
  const joint = pointOf(figure.joints, 'head');
  const neck = pointOf(figure.joints, 'neck');
  const center: Vec3 = [0, joint[1] + 0.46 * size, joint[2] + 0.12 * size];
  const rings = 2 * ringsOf(detail) + 2;
  const skull: Station[] = [];
  for (let ring = 0; ring <= 2 * rings; ring++) {
    const angle = (Math.PI * ring) / (2 * rings) - Math.PI / 2;
    const tip = ring === 0 || ring === 2 * rings;
    // The skull narrows towards the chin.
    const width = tip ? 0 : Math.cos(angle) * (1 + 0.12 * Math.sin(angle)) * size;
    const at: Vec3 = [0, center[1] + 0.56 * size * Math.sin(angle), center[2] + 0.05 * size * -Math.sin(angle)];
    skull.push({ center: at, ru: 0.37 * width, rv: 0.45 * width });
  }
  const surface = loft(skull, X, MINUS_Z, Math.round(sectorsOf(detail) * 1.6));
  const onFace = (up: number, forward: number): Vec3 => [0, joint[1] + up * size, joint[2] + forward * size];
  const parts: Part[] = [
    { surface, tone: 'light', weights: () => [['head', 1]] },
    rodPart('head', [onFace(0.42, 0.52), onFace(0.3, 0.58)], [0.035 * size, 0.05 * size, 1], 'light', detail),
    rodPart(
      'neck',
      [neck, [joint[0], joint[1] + 0.1 * size, joint[2]]],
      [0.052 * (0.4 + 0.6 * girth) + 0.02 * neckLength, 0.046 * (0.4 + 0.6 * girth), 1],
      'light',
      detail,
    ),
  ];
  for (const eye of ['leftEye', 'rightEye'] as const) {
    const [x, y, z] = pointOf(figure.joints, eye);
    const ends = [[x, y, z + 0.06 * size] as Vec3, [x, y, z + 0.09 * size] as Vec3] as const;
    parts.push(rodPart(eye, ends, [0.07 * size, 0.05 * size, 1], 'dark', detail));
  }
  return parts;
}

function hand(figure: Figure, side: Side, detail: number): Part[] {
  const size = figure.proportions.hand;
  const wrist = pointOf(figure.joints, `${side}Hand`);
  const knuckles = pointOf(figure.tails, `${side}Hand`);
  const parts = [rodPart(`${side}Hand`, [wrist, knuckles], [0.15 * size, 0.2 * size, 0.36], 'light', detail)];
  const fingers = BONES.filter(
    (bone) => bone.startsWith(side) && /(Metacarpal|Proximal|Intermediate|Distal)$/.test(bone),
  );
  for (const bone of fingers) {
    const radius = (bone.includes('Thumb') ? 0.062 : 0.05) * size;
    parts.push(bonePart(figure, bone, radius, radius * 0.9, 'light', detail * 0.6));
  }
  return parts;
}

/** Foot profile along its length: half width (by the foot length), height of the center and half height (by the ankle height). */
const SOLE: readonly (readonly [along: number, width: number, height: number, half: number])[] = [
  [-0.23, 0, 0.3, 0],
  [-0.215, 0.09, 0.32, 0.28],
  [-0.13, 0.13, 0.5, 0.5],
  [0, 0.14, 0.56, 0.56],
  [0.22, 0.165, 0.4, 0.4],
  [0.46, 0.19, 0.27, 0.27],
  [0.54, 0, 0.25, 0],
];
/** Profile of the toes, in the same units as {@link SOLE}. */
const TOES: readonly (readonly [along: number, width: number, height: number, half: number])[] = [
  [0.43, 0, 0.25, 0],
  [0.46, 0.18, 0.26, 0.26],
  [0.55, 0.185, 0.24, 0.24],
  [0.7, 0.14, 0.19, 0.19],
  [0.77, 0, 0.17, 0],
];

function foot(figure: Figure, side: Side, detail: number): Part[] {
  const { foot: length, ankle } = figure.proportions;
  const [x, , z] = pointOf(figure.joints, `${side}Foot`);
  const part = (bone: BoneName, outline: typeof SOLE): Part => {
    const stations = outline.map(([along, width, height, half]) => ({
      center: [x, height * ankle, z + along * length] as Vec3,
      ru: width * length,
      rv: half * ankle,
    }));
    return { surface: loft(stations, X, Y, sectorsOf(detail)), tone: 'dark', weights: () => [[bone, 1]] };
  };
  return [part(`${side}Foot`, SOLE), part(`${side}Toes`, TOES)];
}
