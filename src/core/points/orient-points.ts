/** Finds unit, up axis and handedness of positions from the body that they show. */
import { BONE } from '../humanoid/bones.ts';
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
 * Length that the mean of a direction of unit length must have along an axis to decide against the usual one: people who walk, dance or work are above 0.85, as
 * for arrays of NumPy.
 */
const CLEAR = 0.7;

/** A rotation or reflection of coordinates: source axis and sign for x, y and z. */
interface PointAxes {
  readonly axes: readonly (readonly [axis: number, sign: 1 | -1])[];
  readonly metersPerUnit: number;
  /** Whether the coordinates are left-handed: the axes mirror them. */
  readonly isMirrored: boolean;
  /** What was found, as words; empty for meters with +Y up. */
  readonly found: readonly string[];
}

type Vector = [number, number, number];

function median(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.toSorted((a, b) => a - b)[values.length >> 1];
}

type UpAxis = readonly [axis: number, sign: 1 | -1];

/**
 * Finds how positions are turned to +Y up and scaled to meters. `known`: meters per unit where the file declares them, and the up axis that such joint
 * lists usually have; null without.
 */
export function orientPoints(
  takes: readonly { readonly positions: Float64Array }[],
  roles: ArrayLike<number>,
  known: { readonly metersPerUnit: number | null; readonly usualUp: UpAxis | null },
): PointAxes {
  const count = roles.length;
  const at = new Map<number, number>();
  for (let point = 0; point < count; point++) if (roles[point] >= 0) at.set(roles[point], point);
  const [left, right] = BODY_SIDES;
  const lengths: number[] = [];
  const ups: Vector = [0, 0, 0];
  const fronts: [lateral: Vector, up: Vector, front: Vector][] = [];
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
      const way = (from: Vector, to: Vector): Vector => [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
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
      const up = way(feet, shoulders);
      const size = Math.hypot(...up) || 1;
      for (let c = 0; c < 3; c++) ups[c] += up[c] / size;
      const lateral = way(point(right.upperLeg) as Vector, point(left.upperLeg) as Vector);
      for (const side of BODY_SIDES) {
        const toe = point(side.toes) ?? point(side.bigToe) ?? point(side.toeTip);
        const heel = point(side.heel) ?? point(side.foot);
        const [below, above] = [point(side.foot), point(side.lowerLeg)];
        // A foot points to the front of its shin, wherever the knee bends it.
        const shin = below === null || above === null ? trunk : way(below, above);
        if (toe !== null && heel !== null) fronts.push([lateral, shin, way(heel, toe)]);
      }
      const nose = point(ROLE['nose']);
      const ears = mean(left.ear, right.ear) ?? point(BONE.neck);
      if (nose !== null && ears !== null) fronts.push([lateral, trunk, way(ears, nose)]);
    }
  }
  const found: string[] = [];
  const unit = known.metersPerUnit ?? guessUnit(median(lengths), found);
  const up = guessUp(
    ups.map((sum) => sum / Math.max(1, lengths.length)),
    known.usualUp,
    found,
  );
  // Left × up is the front in a right-handed system.
  const isMirrored =
    fronts.length > 0 &&
    median(
      fronts.map(([l, u, f]) =>
        Math.sign(
          (l[1] * u[2] - l[2] * u[1]) * f[0] + (l[2] * u[0] - l[0] * u[2]) * f[1] + (l[0] * u[1] - l[1] * u[0]) * f[2],
        ),
      ),
    ) < 0;
  const axes = turnUp(up);
  if (isMirrored) found.push('left-handed axes');
  return {
    axes: isMirrored ? [[axes[0][0], axes[0][1] === 1 ? -1 : 1], axes[1], axes[2]] : axes,
    metersPerUnit: unit,
    isMirrored,
    found,
  };
}

function guessUnit(length: number, found: string[]): number {
  if (!(length > 0)) return 1;
  const factor = (meters: number): number => (length * meters) / ADULT_LENGTH;
  const unit = UNITS.find(([, meters]) => factor(meters) >= PLAUSIBLE[0] && factor(meters) <= PLAUSIBLE[1]);
  if (unit === undefined) {
    found.push('no unit (scaled to an adult)');
    return ADULT_LENGTH / length;
  }
  if (unit[1] !== 1) found.push(`lengths in ${unit[0]}`);
  return unit[1];
}

/** Finds the up axis. `mean`: mean direction from feet to shoulders. A body along X lies across the picture where another axis is usual. */
function guessUp(mean: readonly number[], usual: UpAxis | null, found: string[]): UpAxis {
  const axis = mean.reduce((best, value, c) => (Math.abs(value) > Math.abs(mean[best]) ? c : best), 1);
  if (usual !== null && (axis === 0 || !(Math.abs(mean[axis]) >= CLEAR))) return usual;
  const sign = mean[axis] < 0 ? -1 : 1;
  const [usualAxis, usualSign] = usual ?? [1, 1];
  if (axis !== usualAxis || sign !== usualSign) found.push(`${sign > 0 ? '+' : '−'}${'XYZ'[axis]} up`);
  return [axis, sign];
}

/** The rotation that turns an up axis to +Y, by quarter turns. */
function turnUp([axis, sign]: UpAxis): [[number, 1 | -1], [number, 1 | -1], [number, 1 | -1]] {
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
