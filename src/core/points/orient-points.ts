/** Finds unit, up axis and handedness of positions from the body that they show. */
import { BONE } from '../humanoid/bones.ts';
import { medianOf } from '../math/median.ts';
import { BODY_SIDES } from './point-body.ts';
import { ROLE } from './roles.ts';

/** Meters per unit of the units that files have. */
const UNITS: readonly (readonly [name: string, meters: number])[] = [
  ['m', 1],
  ['cm', 0.01],
  ['mm', 0.001],
  ['in', 0.0254],
];
/** Thigh, shin and trunk of an adult of 1.70 m together, meters. */
const ADULT_LENGTH = 1.32;
/** Factors between the lengths of children or giants and those of an adult. */
const PLAUSIBLE = [0.4, 1.7] as const;
/** Frames that are looked at. */
const SAMPLES = 300;
/**
 * Length that the mean of a direction of unit length must have along an axis to decide the up axis, or against the usual one: people who walk, dance or work are
 * above 0.85; below, they lie or roll most of the time. Of one direction, the cosine of its angle to the axis: 45°.
 */
export const CLEAR = 0.7;
/** Volume of lateral, shin and foot of unit length below which they do not tell left from right: 0.05 in feet on pointe, 0.9 in standing. */
const LEAST_VOLUME = 0.3;
/** Share of frames in which somebody must stand along an axis that is not the usual one, and least frames, half a second of video: a photo may show anything. */
const MOST_FRAMES = 0.95;
const LEAST_FRAMES = 15;
/** Component along the up axis of the direction of hanging arms: −0.96 in the walk of the tests, 0 in a T-pose or plank, 1 in a handstand. */
const HANGING = -0.5;

/** A rotation or reflection of coordinates: source axis and sign for x, y and z. */
interface PointAxes {
  readonly axes: readonly (readonly [axis: number, sign: 1 | -1])[];
  readonly metersPerUnit: number;
  /** What was found, as words; empty for right-handed meters with the usual axis up. */
  readonly found: readonly string[];
}

type Vector = [number, number, number];

type PointUp = readonly [axis: number, sign: 1 | -1];

/** MediaPipe defines Y down; programs that save its landmarks often turn them. */
export const MEDIAPIPE_UP: PointUp = [1, -1];

/** What positions show of a body. Directions have unit length. */
export interface BodyMeasures {
  /** Median length of trunk, thigh and shin together; NaN without. */
  readonly length: number;
  /** Mean direction from feet to shoulders. */
  readonly up: readonly number[];
  /** Directions from feet and hips to shoulders, and from shoulders to wrists, in each frame. */
  readonly frames: readonly { readonly up: Vector; readonly trunk: Vector; readonly arms: Vector | null }[];
  /** Whether feet or noses would point backward, as in left-handed axes. */
  readonly isLeftHanded: boolean;
}

function way(from: Vector, to: Vector): Vector {
  return [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
}

function unit(vector: Vector): Vector {
  const length = Math.hypot(...vector) || 1;
  return [vector[0] / length, vector[1] / length, vector[2] / length];
}

/** Volume of three directions: positive where left × up is the front, as in a right-handed system. */
function volume(lateral: Vector, up: Vector, front: Vector): number {
  const [l, u, f] = [unit(lateral), unit(up), unit(front)];
  return (l[1] * u[2] - l[2] * u[1]) * f[0] + (l[2] * u[0] - l[0] * u[2]) * f[1] + (l[0] * u[1] - l[1] * u[0]) * f[2];
}

/** Measures the body that positions show. `roles`: the role of each point. */
export function measureBody(
  takes: readonly { readonly positions: Float64Array }[],
  roles: ArrayLike<number>,
): BodyMeasures {
  const count = roles.length;
  const at = new Map<number, number>();
  for (let point = 0; point < count; point++) if (roles[point] >= 0) at.set(roles[point], point);
  const [left, right] = BODY_SIDES;
  const lengths: number[] = [];
  const bodies: { up: Vector; trunk: Vector; arms: Vector | null }[] = [];
  let rightHanded = 0;
  const vote = (lateral: Vector, up: Vector, front: Vector): void => {
    const size = volume(lateral, up, front);
    if (Math.abs(size) >= LEAST_VOLUME) rightHanded += Math.sign(size);
  };
  for (const { positions } of takes) {
    const frames = positions.length / (3 * count);
    const stride = Math.max(1, Math.floor(frames / SAMPLES));
    for (let frame = 0; frame < frames; frame += stride) {
      const point = (role: number): Vector | null => {
        const k = at.get(role);
        if (k === undefined) return null;
        const start = 3 * (frame * count + k);
        const p: Vector = [positions[start], positions[start + 1], positions[start + 2]];
        return p.every(Number.isFinite) ? p : null;
      };
      const mean = (...roles: number[]): Vector | null => {
        const all = roles.map(point);
        if (all.some((p) => p === null)) return null;
        return [0, 1, 2].map((c) => all.reduce((sum, p) => sum + (p as Vector)[c], 0) / all.length) as Vector;
      };
      const shoulders = mean(left.upperArm, right.upperArm);
      const hips = mean(left.upperLeg, right.upperLeg);
      if (shoulders === null || hips === null) continue;
      const trunk = way(hips, shoulders);
      const knee = point(left.lowerLeg);
      const ankle = point(left.foot);
      const hip = point(left.upperLeg);
      if (hip !== null && knee !== null && ankle !== null)
        lengths.push(Math.hypot(...trunk) + Math.hypot(...way(hip, knee)) + Math.hypot(...way(knee, ankle)));
      else lengths.push(2.6 * Math.hypot(...trunk));
      const feet = mean(left.foot, right.foot) ?? mean(left.lowerLeg, right.lowerLeg) ?? hips;
      const wrists = mean(left.hand, right.hand);
      bodies.push({
        up: unit(way(feet, shoulders)),
        trunk: unit(trunk),
        arms: wrists === null ? null : unit(way(shoulders, wrists)),
      });
      const lateral = way(point(right.upperLeg) as Vector, point(left.upperLeg) as Vector);
      for (const side of BODY_SIDES) {
        const toe = point(side.toes) ?? point(side.bigToe) ?? point(side.toeTip);
        const heel = point(side.heel) ?? point(side.foot);
        const [below, above] = [point(side.foot), point(side.lowerLeg)];
        // A foot points to the front of its shin, wherever the knee bends it.
        const shin = below === null || above === null ? trunk : way(below, above);
        if (toe !== null && heel !== null) vote(lateral, shin, way(heel, toe));
      }
      const nose = point(ROLE['nose']);
      const ears = mean(left.ear, right.ear) ?? point(BONE.neck);
      if (nose !== null && ears !== null) vote(lateral, trunk, way(ears, nose));
    }
  }
  return {
    length: medianOf(lengths),
    up: [0, 1, 2].map((c) => bodies.reduce((sum, { up }) => sum + up[c], 0) / Math.max(1, bodies.length)),
    frames: bodies,
    isLeftHanded: rightHanded < 0,
  };
}

/**
 * Finds how positions are turned to +Y up and scaled to meters. `known`: meters per unit where the file declares them, and the up axis that such joint
 * lists usually have; null without.
 */
export function orientPoints(
  body: BodyMeasures,
  known: { readonly metersPerUnit: number | null; readonly usualUp: PointUp | null },
): PointAxes {
  const found: string[] = [];
  const { meters, name } = findUnit(body.length);
  if (known.metersPerUnit === null && meters !== 1)
    found.push(name === null ? 'no unit (scaled to an adult)' : `lengths in ${name}`);
  const up = known.usualUp === null ? strongestUp(body) : findCameraUp(body, known.usualUp);
  const [axis, sign] = up;
  const [usualAxis, usualSign] = known.usualUp ?? [1, 1];
  if (axis !== usualAxis || sign !== usualSign) {
    const but = known.usualUp === null ? '' : ' (somebody who lies, or stands on the hands, can look the same)';
    found.push(`${sign > 0 ? '+' : '−'}${'XYZ'[axis]} up${but}`);
  }
  const axes = turnUp(up);
  if (body.isLeftHanded) found.push('left-handed axes');
  return {
    axes: body.isLeftHanded ? [[axes[0][0], axes[0][1] === 1 ? -1 : 1], axes[1], axes[2]] : axes,
    metersPerUnit: known.metersPerUnit ?? meters,
    found,
  };
}

/**
 * Finds the unit of the length of trunk, thigh and shin: meters per unit and its short name, which is null where no unit gives the size of a person, who
 * is then scaled to an adult.
 */
export function findUnit(length: number): { readonly meters: number; readonly name: string | null } {
  if (!(length > 0)) return { meters: 1, name: 'm' };
  const factor = (meters: number): number => (length * meters) / ADULT_LENGTH;
  const known = UNITS.find(([, meters]) => factor(meters) >= PLAUSIBLE[0] && factor(meters) <= PLAUSIBLE[1]);
  return known === undefined ? { meters: ADULT_LENGTH / length, name: null } : { meters: known[1], name: known[0] };
}

function strongestUp({ up }: BodyMeasures): PointUp {
  const axis = up.reduce((best, value, c) => (Math.abs(value) > Math.abs(up[best]) ? c : best), 1);
  return [axis, up[axis] < 0 ? -1 : 1];
}

/**
 * Finds the up axis of positions that a camera usually gives: +Y or +Z, to which programs turn them, only where somebody stands along it nearly all the time
 * with hanging arms, which a handstand or a plank has not. Somebody who lies straight with the feet to the camera cannot be told from +Z up.
 */
export function findCameraUp(body: BodyMeasures, usual: PointUp): PointUp {
  const { frames } = body;
  const [axis, sign] = strongestUp(body);
  if (sign < 0 || axis === 0 || frames.length < LEAST_FRAMES) return usual;
  const standing = frames.filter(({ up, trunk }) => up[axis] >= CLEAR && trunk[axis] >= CLEAR).length;
  const arms = frames.flatMap((one) => (one.arms === null ? [] : [one.arms[axis]]));
  return standing >= MOST_FRAMES * frames.length && medianOf(arms) <= HANGING ? [axis, sign] : usual;
}

/** The rotation that turns an up axis to +Y, by quarter turns. */
function turnUp([axis, sign]: PointUp): [[number, 1 | -1], [number, 1 | -1], [number, 1 | -1]] {
  const minus = sign === 1 ? -1 : 1;
  if (axis === 1)
    return sign === 1
      ? [
          [0, 1],
          [1, 1],
          [2, 1],
        ]
      : [
          [0, 1],
          [1, -1],
          [2, -1],
        ];
  // y from z: x stays, z is −y. y from x: z stays, x is −y.
  return axis === 2
    ? [
        [0, 1],
        [2, sign],
        [1, minus],
      ]
    : [
        [1, minus],
        [0, sign],
        [2, 1],
      ];
}

export function turnPoints(positions: Float64Array, { axes, metersPerUnit }: PointAxes): Float64Array {
  const out = new Float64Array(positions.length);
  for (let at = 0; at < positions.length; at += 3)
    for (let c = 0; c < 3; c++) out[at + c] = metersPerUnit * axes[c][1] * positions[at + axes[c][0]];
  return out;
}
