/**
 * Measures whether the limbs of a result point where those of its source point, in the world: angles between directions from joint to joint. Where no next joint
 * shows it (pelvis, trunk, head, feet), the rotations since the standing poses of both files are compared.
 */
import { BONE, BONES, type BoneName, FINGERS, SIDES, type Side } from '../humanoid/bones.ts';
import { DEGREES_PER_RADIAN } from '../math/euler.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { FRAME_STRIDE, type JointFrames } from './joint-frames.ts';

export const MEASURED_LIMBS = [
  'pelvis',
  'trunk',
  'head',
  ...SIDES.flatMap(
    (side) =>
      [
        `${side}UpperArm`,
        `${side}Forearm`,
        `${side}Hand`,
        `${side}Palm`,
        `${side}Fingers`,
        `${side}Thigh`,
        `${side}Shin`,
        `${side}Foot`,
      ] as const,
  ),
] as const;
/**
 * A limb that is measured: the direction of its bones, or its rotation. A palm is the twist of the hand, from wrist and knuckles.
 *
 * @useDeclaredType
 */
export type MeasuredLimb = (typeof MEASURED_LIMBS)[number];

/** Angles of one segment over time. */
export interface SegmentErrors {
  /** The limb that the segment belongs to. */
  readonly limb: MeasuredLimb;
  /** Bone at its start. */
  readonly bone: BoneName;
  /** Angle between source and result per frame, degrees. */
  readonly degrees: Float64Array;
}

interface Segment {
  readonly limb: MeasuredLimb;
  readonly from: number;
  /** The direction leads to the middle of these joints. */
  readonly to: readonly number[];
}

function commonBones(a: JointFrames, b: JointFrames): (name: BoneName) => boolean {
  return (name) => a.body.nodes[BONE[name]] >= 0 && b.body.nodes[BONE[name]] >= 0;
}

type Has = ReturnType<typeof commonBones>;

function knuckles(side: Side, has: Has): BoneName[] {
  return FINGERS.map((finger) => `${side}${finger}Proximal` as const).filter(has);
}

/** The knuckle of the middle finger, else all of them; none for a single other one, which is at the side of the hand. */
function knucklesAhead(side: Side, has: Has): BoneName[] {
  const middle = `${side}MiddleProximal` as const;
  if (has(middle)) return [middle];
  const all = knuckles(side, has);
  return all.length > 1 ? all : [];
}

function segmentsOf(has: Has): Segment[] {
  const found: Segment[] = [];
  const add = (limb: MeasuredLimb, from: BoneName, ...to: BoneName[]): void => {
    if (to.length > 0 && [from, ...to].every(has))
      found.push({ limb, from: BONE[from], to: to.map((name) => BONE[name]) });
  };
  for (const side of SIDES) {
    add(`${side}UpperArm`, `${side}UpperArm`, `${side}LowerArm`);
    add(`${side}Forearm`, `${side}LowerArm`, `${side}Hand`);
    add(`${side}Hand`, `${side}Hand`, ...knucklesAhead(side, has));
    add(`${side}Thigh`, `${side}UpperLeg`, `${side}LowerLeg`);
    add(`${side}Shin`, `${side}LowerLeg`, `${side}Foot`);
    for (const finger of FINGERS) {
      add(`${side}Fingers`, `${side}${finger}Proximal`, `${side}${finger}Intermediate`);
      add(`${side}Fingers`, `${side}${finger}Intermediate`, `${side}${finger}Distal`);
    }
    add(`${side}Fingers`, `${side}ThumbMetacarpal`, `${side}ThumbProximal`);
    add(`${side}Fingers`, `${side}ThumbProximal`, `${side}ThumbDistal`);
  }
  return found;
}

const other = (bone: number): number => {
  const name = BONES[bone];
  return name.startsWith('left')
    ? BONE[`right${name.slice(4)}` as BoneName]
    : name.startsWith('right')
      ? BONE[`left${name.slice(5)}` as BoneName]
      : bone;
};

/** Writes the direction of a segment; false where its joints coincide. */
function directionOf(
  out: Float64Array,
  { positions, body }: JointFrames,
  frame: number,
  from: number,
  to: readonly number[],
): boolean {
  const base = FRAME_STRIDE * frame;
  out.fill(0);
  for (const bone of to) {
    for (let c = 0; c < 3; c++) out[c] += positions[base + 3 * bone + c] / to.length;
  }
  vec3.subtract(out, 0, out, 0, positions, base + 3 * from);
  return vec3.length(out, 0) > 1e-9 * body.height;
}

/** Joints of a palm. */
interface Palm {
  readonly hand: number;
  /** The knuckles that it leads to. */
  readonly along: readonly number[];
  /** The first and the last knuckle. */
  readonly first: readonly number[];
  readonly last: number;
}

/** Writes the axes of a palm as a rotation: along it to the knuckles, across them from the last to the first; false where joints coincide. */
function palmOf(out: Float64Array, frames: JointFrames, frame: number, { hand, along, first, last }: Palm): boolean {
  const [x, z] = [new Float64Array(3), new Float64Array(3)];
  if (!directionOf(x, frames, frame, hand, along)) return false;
  if (!directionOf(z, frames, frame, last, first)) return false;
  vec3.normalize(x, 0, x, 0);
  vec3.addScaled(z, 0, z, 0, x, 0, -vec3.dot(z, 0, x, 0));
  if (!(vec3.normalize(z, 0, z, 0) > 0)) return false;
  const y = new Float64Array(3);
  vec3.cross(y, 0, z, 0, x, 0);
  quat.fromMatrix(out, 0, [...x, 0, ...y, 0, ...z, 0, 0, 0, 0, 1], 0);
  return true;
}

/** Bones whose rotations are compared, by limb. A bone that one of both lacks is rotated with the next one above. */
function rotatedLimbs(has: Has): { limb: MeasuredLimb; bone: BoneName; isKnown: boolean }[] {
  const trunk = (['upperChest', 'chest', 'spine'] as const).find(has);
  const bones: [MeasuredLimb, BoneName | undefined][] = [
    ['pelvis', 'hips'],
    ['trunk', trunk],
    ['head', 'head'],
    ['leftFoot', 'leftFoot'],
    ['rightFoot', 'rightFoot'],
  ];
  for (const side of SIDES) if (knucklesAhead(side, has).length === 0) bones.push([`${side}Hand`, `${side}Hand`]);
  // Hands are anywhere in a standing pose, and feet are turned out in some.
  return bones.flatMap(([limb, bone]) =>
    bone === undefined || !has(bone) ? [] : [{ limb, bone, isKnown: !/Hand$|Foot$/.test(limb) }],
  );
}

/**
 * Returns the rotation that is best put between two lists of rotations: K with `a ≈ b · K`. Files whose characters do not stand have an unknown pose of their
 * own, which this takes out.
 */
function constantBetween(a: Float64Array, b: Float64Array): Float64Array {
  const sum = new Float64Array(4);
  const k = new Float64Array(4);
  for (let at = 0; at < a.length; at += 4) {
    quat.conjugate(k, 0, b, at);
    quat.multiply(k, 0, k, 0, a, at);
    const sign = quat.dot(sum, 0, k, 0) < 0 ? -1 : 1;
    for (let c = 0; c < 4; c++) sum[c] += sign * k[c];
  }
  if (!(quat.normalize(sum, 0, sum, 0) > 0)) quat.identity(sum, 0);
  return sum;
}

/** Measures the angles of all segments between two motions. */
export function segmentErrors(a: JointFrames, b: JointFrames): SegmentErrors[] {
  const has = commonBones(a, b);
  const count = Math.min(a.times.length, b.times.length);
  const [u, v] = [new Float64Array(4), new Float64Array(4)];
  const found: SegmentErrors[] = [];
  for (const { limb, from, to } of segmentsOf(has)) {
    const degrees = new Float64Array(count);
    for (let frame = 0; frame < count; frame++) {
      const isThere = directionOf(u, a, frame, from, to) && directionOf(v, b, frame, from, to);
      if (isThere) degrees[frame] = vec3.angleBetween(u, 0, v, 0) * DEGREES_PER_RADIAN;
    }
    found.push({ limb, bone: BONES[from], degrees });
  }
  for (const side of SIDES) {
    const bone = `${side}Hand` as const;
    const row = knuckles(side, has).map((name) => BONE[name]);
    if (!has(bone) || row.length < 2) continue;
    const along = knucklesAhead(side, has).map((name) => BONE[name]);
    const palm: Palm = { hand: BONE[bone], along, first: row.slice(0, 1), last: row[row.length - 1] };
    const degrees = new Float64Array(count);
    for (let frame = 0; frame < count; frame++) {
      const isThere = palmOf(u, a, frame, palm) && palmOf(v, b, frame, palm);
      if (isThere) degrees[frame] = quat.angleBetween(u, 0, v, 0) * DEGREES_PER_RADIAN;
    }
    found.push({ limb: `${side}Palm`, bone, degrees });
  }
  const stand = a.body.isStanding && b.body.isStanding;
  for (const { limb, bone, isKnown } of rotatedLimbs(has)) {
    const [p, q] = [a, b].map(({ rotations }) => rotations.get(BONE[bone]) as Float64Array);
    const between = isKnown && stand ? Float64Array.of(0, 0, 0, 1) : constantBetween(p.subarray(0, 4 * count), q);
    const degrees = new Float64Array(count);
    for (let frame = 0; frame < count; frame++) {
      quat.multiply(u, 0, q, 4 * frame, between, 0);
      degrees[frame] = quat.angleBetween(p, 4 * frame, u, 0) * DEGREES_PER_RADIAN;
    }
    found.push({ limb, bone, degrees });
  }
  return found;
}

/**
 * Measures whether a result faces another way than its source, and whether its sides are swapped. `yaw` is the rotation about the vertical that
 * brings the limbs of the result closest to those of the source, degrees. `straight` is the mean angle of arms and legs, degrees; `crossed` is the
 * same with left and right of the result swapped.
 */
export function facingErrors(a: JointFrames, b: JointFrames): { yaw: number; straight: number; crossed: number } {
  const has = commonBones(a, b);
  const segments = segmentsOf(has).filter(({ limb }) => !limb.endsWith('Fingers'));
  const [u, v, w] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  let [sine, cosine, straight, crossed, measured] = [0, 0, 0, 0, 0];
  const mirrored = segments.map(({ from, to }) => ({ from, to, otherFrom: other(from), otherTo: to.map(other) }));
  const inBoth = mirrored.filter(({ otherFrom, otherTo }) => [otherFrom, ...otherTo].every((bone) => has(BONES[bone])));
  for (let frame = 0; frame < Math.min(a.times.length, b.times.length); frame++) {
    for (const { from, to } of segments) {
      if (!directionOf(u, a, frame, from, to) || !directionOf(v, b, frame, from, to)) continue;
      vec3.normalize(u, 0, u, 0);
      vec3.normalize(v, 0, v, 0);
      cosine += u[0] * v[0] + u[2] * v[2];
      sine += v[2] * u[0] - v[0] * u[2];
    }
    for (const { from, to, otherFrom, otherTo } of inBoth) {
      if (!directionOf(u, a, frame, from, to) || !directionOf(v, b, frame, from, to)) continue;
      if (!directionOf(w, b, frame, otherFrom, otherTo)) continue;
      straight += vec3.angleBetween(u, 0, v, 0) * DEGREES_PER_RADIAN;
      crossed += vec3.angleBetween(u, 0, w, 0) * DEGREES_PER_RADIAN;
      measured++;
    }
  }
  const count = Math.max(1, measured);
  return { yaw: Math.atan2(sine, cosine) * DEGREES_PER_RADIAN, straight: straight / count, crossed: crossed / count };
}
