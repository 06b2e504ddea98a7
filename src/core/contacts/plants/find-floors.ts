/** Finds what bears a motion: boxes, stairs and slopes, where its feet rest at other heights than the ground, and seats below its pelvis. */
import { SIDES, type Side } from '../../humanoid/bones.ts';
import * as vec3 from '../../math/vec3.ts';
import { CLOSE, ENTER_SPEED, LEAVE_SPEED, SUNK } from '../constants.ts';
import type { CharacterFrames, LegFrames } from '../frames/character-frames.ts';
import { smoothstep } from '../paths/ease.ts';
import type { Plant } from './find-plants.ts';

/** Shortest rest of a foot, seconds: shorter ones are turning points of a swing. */
const SHORTEST_REST = 0.15;
/** Seconds over which speeds are measured: heights are noisier than paths over the ground, and a foot that turns over from heel to toe rests. */
const SPEED_WINDOW = 0.12;
/** Vertical speed below which a sole may be on a floor, or a pelvis on a seat, legs per second. */
const STILL = 0.1;
/** Difference of height below which two floors are the same, legs: the noise of motion capture. */
const SAME_FLOOR = 0.015;
/** Most that a sole rises or sinks while it rests, legs: more is a foot that hovers. */
const STEADY = 0.03;
/** Height of the trunk above a floor, or the ground, below which it bears the body instead of the feet, legs. */
const TRUNK_BEARS = 0.1;
/** Height of the hip joint above the ankle from which a leg may bear the body, legs: less is a leg of someone who sits. */
const STANDING = 0.6;
/** Shortest time on a seat, seconds: shorter ones are turning points of a squat. */
const SHORTEST_SEAT = 0.5;
/** Height of the hip joint above the knee up to which a leg may be that of someone who sits, thighs: 45°. */
const SEATED_THIGH = 0.7;
/** Seconds before and after the time on a seat in which the seat is below the pelvis. */
const NEAR_SEAT = 1;
/** Longest time from one rest of a foot to the next in which it makes a step, seconds: the floor leads from one to the other. */
const LONGEST_STEP = 1;
/** Seconds before and after other rests in which their floor leads to the ground. */
const NEAR_REST = 0.2;

/** Heights of floors above the ground, meters per frame. */
export interface Floors extends Readonly<Record<Side, Float64Array>> {
  /** Floor that bears the body: the lowest one on which a foot rests. */
  readonly trunk: Float64Array;
  /** Height of the seat below the pelvis; NaN without one. */
  readonly seat: Float64Array;
}

/** A foot at rest. */
export interface Rest extends Plant {
  /** Height of its sole above the ground, meters. */
  readonly level: number;
}

/** Speed of a point around a frame, meters per second. */
function speedAt(points: Float64Array, frame: number, reach: number, step: number): number {
  const [a, b] = [Math.max(0, frame - reach), Math.min(points.length / 3 - 1, frame + reach)];
  return a === b ? 0 : vec3.distance(points, 3 * a, points, 3 * b) / ((b - a) * step);
}

/** Vertical speed around a frame, meters per second. */
function riseAt(heights: Float64Array, frame: number, reach: number, step: number): number {
  const [a, b] = [Math.max(0, frame - reach), Math.min(heights.length - 1, frame + reach)];
  return a === b ? 0 : Math.abs(heights[b] - heights[a]) / ((b - a) * step);
}

/** Finds when ball or heel of a foot rest, at whatever height. */
function findRests({ leg, ball, heel, clearance }: LegFrames, step: number): Rest[] {
  const reach = Math.max(1, Math.round(SPEED_WINDOW / 2 / step));
  const out: Rest[] = [];
  let start = -1;
  const close = (to: number): void => {
    const heights = clearance.slice(start, to + 1).sort();
    const at = (part: number): number => heights[Math.round(part * (heights.length - 1))];
    const isSteady = at(0.9) - at(0.1) < STEADY * leg.length;
    if ((to - start) * step >= SHORTEST_REST && isSteady) out.push({ from: start, to, level: at(0.5) });
    start = -1;
  };
  for (let frame = 0; frame < clearance.length; frame++) {
    const speed = Math.min(speedAt(ball, frame, reach, step), speedAt(heel, frame, reach, step)) / leg.length;
    const rise = riseAt(clearance, frame, reach, step) / leg.length;
    if (start < 0 && speed < ENTER_SPEED && rise < STILL) start = frame;
    else if (start >= 0 && (speed > LEAVE_SPEED || rise > 2 * STILL)) close(frame - 1);
  }
  if (start >= 0) close(clearance.length - 1);
  return out;
}

/** Checks whether the pose of a frame is one on a seat: both thighs lead to the front, and trunk and knees are not on the ground. */
function isSeatedPose({ legs, clearance }: CharacterFrames, frame: number): boolean {
  return SIDES.every((side) => {
    const leg = legs[side];
    if (leg === null) return false;
    const drop = leg.hip[3 * frame + 1] - leg.knee[3 * frame + 1];
    const thigh = vec3.distance(leg.hip, 3 * frame, leg.knee, 3 * frame);
    return drop < SEATED_THIGH * thigh && clearance[frame] > TRUNK_BEARS * leg.leg.length;
  });
}

/** Finds when the pelvis rests on something above the ground. */
function findSeats(frames: CharacterFrames): Rest[] {
  const {
    grid: { count, step },
    legs,
    pelvis,
  } = frames;
  const length = Math.max(0, ...SIDES.map((side) => legs[side]?.leg.length ?? 0));
  const reach = Math.max(1, Math.round(SPEED_WINDOW / 2 / step));
  const out: Rest[] = [];
  let start = -1;
  for (let frame = 0; frame <= count; frame++) {
    const isSeat =
      frame < count &&
      Number.isFinite(pelvis[frame]) &&
      riseAt(pelvis, frame, reach, step) < STILL * length &&
      isSeatedPose(frames, frame) &&
      (start < 0 || Math.abs(pelvis[frame] - pelvis[start]) < STEADY * length);
    if (isSeat) {
      if (start < 0) start = frame;
      continue;
    }
    if (start >= 0 && (frame - 1 - start) * step >= SHORTEST_SEAT) {
      const heights = pelvis.slice(start, frame).sort();
      out.push({ from: start, to: frame - 1, level: heights[Math.floor(heights.length / 2)] });
    }
    start = -1;
  }
  return out;
}

/** Returns the heights of the seats, also shortly before and after someone sits on them, while the pelvis is above; NaN elsewhere. */
function seatHeights(seats: readonly Rest[], { grid: { step }, pelvis }: CharacterFrames): Float64Array {
  const out = new Float64Array(pelvis.length).fill(Number.NaN);
  const near = Math.round(NEAR_SEAT / step);
  for (const { from, to, level } of seats) {
    out.fill(level, from, to + 1);
    for (let frame = from - 1; frame >= Math.max(0, from - near) && pelvis[frame] >= level; frame--) {
      if (Number.isNaN(out[frame])) out[frame] = level;
    }
    for (let frame = to + 1; frame <= Math.min(pelvis.length - 1, to + near) && pelvis[frame] >= level; frame++)
      out[frame] = level;
  }
  return out;
}

/**
 * Checks whether a foot bears the body at some time of a rest: below its hip, and neither the other foot rests lower nor the trunk is on the ground; or whether it
 * rests while the body is on a seat.
 */
function bears(
  { from, to, level }: Rest,
  { leg, hip, ankle }: LegFrames,
  others: readonly Rest[],
  trunk: Float64Array,
  seats: readonly Rest[],
): boolean {
  if (seats.some((seat) => seat.from <= to && seat.to >= from)) return true;
  const below = others.filter((other) => other.level < level - SAME_FLOOR * leg.length);
  for (let frame = from; frame <= to; frame++) {
    const isStanding = hip[3 * frame + 1] - ankle[3 * frame + 1] > STANDING * leg.length;
    const isLowest = !below.some((other) => frame >= other.from && frame <= other.to);
    const isAbove = !(trunk[frame] - level < TRUNK_BEARS * leg.length);
    const isOnGround = Math.abs(trunk[frame]) < TRUNK_BEARS * leg.length;
    if (isStanding && isLowest && isAbove && !isOnGround) return true;
  }
  return false;
}

/**
 * Returns the heights of the floor: those of the rests, from one to the next in a step, and the ground elsewhere. A swinging foot is above the floor, and does not
 * touch it.
 */
function heightsOf(rests: readonly Rest[], { leg, clearance }: LegFrames, step: number): Float64Array {
  const out = new Float64Array(clearance.length);
  const [near, longest] = [NEAR_REST / step, LONGEST_STEP / step];
  let next = 0;
  for (let frame = 0; frame < out.length; frame++) {
    while (next < rests.length && rests[next].to < frame) next++;
    const before: Rest | undefined = rests[next - 1];
    const after: Rest | undefined = rests[next];
    if (after !== undefined && after.from <= frame) {
      out[frame] = after.level;
      continue;
    }
    const isStep = before !== undefined && after !== undefined && after.from - before.to <= longest;
    const height = isStep
      ? before.level + (after.level - before.level) * smoothstep(before.to, after.from, frame)
      : (before === undefined ? 0 : before.level * smoothstep(near, 0, frame - before.to)) +
        (after === undefined ? 0 : after.level * smoothstep(near, 0, after.from - frame));
    const highest = clearance[frame] - CLOSE * leg.length;
    out[frame] = height > 0 ? Math.max(0, Math.min(height, highest)) : height < 0 ? Math.min(height, highest) : 0;
  }
  return out;
}

/** Interpolates the lowest floors on which feet rest. */
function bearingHeights(rests: readonly Rest[], count: number): Float64Array {
  const out = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  for (const { from, to, level } of rests) {
    for (let frame = from; frame <= to; frame++) out[frame] = Math.min(out[frame], level);
  }
  let before = -1;
  for (let frame = 0; frame <= count; frame++) {
    if (frame < count && out[frame] === Number.POSITIVE_INFINITY) continue;
    const [a, b] = [
      before < 0 ? out[Math.min(frame, count - 1)] : out[before],
      frame < count ? out[frame] : out[before],
    ];
    for (let gap = before + 1; gap < frame; gap++) out[gap] = a + ((b - a) * (gap - before)) / (frame - before);
    before = frame;
  }
  return out;
}

/** The rests of a foot. */
interface FootRests {
  readonly rests: readonly Rest[];
  /** Those in which it bears the body. */
  readonly bearing: ReadonlySet<Rest>;
  /** Length of the leg, meters. */
  readonly length: number;
}

/** Finds the rests of both feet, left and right. */
function restsOf({ grid: { step }, legs, clearance: trunk }: CharacterFrames, seats: readonly Rest[]): FootRests[] {
  const all = SIDES.map((side) => (legs[side] === null ? [] : findRests(legs[side], step)));
  return SIDES.map((side, k) => {
    const frames = legs[side];
    if (frames === null) return { rests: [], bearing: new Set(), length: 0 };
    const bearing = new Set(all[k].filter((rest) => bears(rest, frames, all[1 - k], trunk, seats)));
    return { rests: all[k], bearing, length: frames.leg.length };
  });
}

/** Lists the rests in which a foot bears the body. */
export function bearingRests(frames: CharacterFrames): Rest[] {
  return restsOf(frames, findSeats(frames)).flatMap(({ bearing }) => [...bearing]);
}

/**
 * Finds the floors below the feet of a motion. A foot that rests above or below the ground and bears the body stands on something; a foot that is only held up does not.
 *
 * @returns Heights per foot, and of seats; null where all feet rest on the ground, and nobody sits above it.
 */
export function findFloors(frames: CharacterFrames): Floors | null {
  const {
    grid: { count, step },
    legs,
  } = frames;
  const seats = findSeats(frames);
  const [left, right] = restsOf(frames, seats).map(({ rests, bearing, length }) =>
    rests.map((rest) => {
      const isGround = rest.level < SAME_FLOOR * length && rest.level > SUNK * length;
      return isGround || !bearing.has(rest) ? { ...rest, level: 0 } : rest;
    }),
  );
  const found = { left, right };
  const levels = SIDES.flatMap((side) => found[side].map(({ level }) => level));
  // Feet that are always below the ground hang in the air: the pose of a jump.
  const isFlat = !levels.some((level) => level !== 0) || Math.max(...levels) < 0;
  if (isFlat && seats.length === 0) return null;
  const flat = new Float64Array(count);
  const heights = (side: Side): Float64Array =>
    legs[side] === null || isFlat ? flat : heightsOf(found[side], legs[side], step);
  return {
    left: heights('left'),
    right: heights('right'),
    trunk: isFlat ? flat : bearingHeights([...found.left, ...found.right], count),
    seat: seatHeights(seats, frames),
  };
}

/**
 * Measures feet from the floors below them instead of the ground.
 *
 * @param scale Scale of the heights of the floors: 1 for the motion itself, k for a character that follows it.
 */
export function standOnFloors(frames: CharacterFrames, floors: Floors | null, scale: number): CharacterFrames {
  if (floors === null) return frames;
  const { count } = frames.grid;
  const resample = (heights: Float64Array): Float64Array => {
    const last = heights.length - 1;
    return Float64Array.from({ length: count }, (_, frame) => {
      const at = (frame * last) / Math.max(1, count - 1);
      const [a, b] = [Math.floor(at), Math.min(last, Math.floor(at) + 1)];
      return scale * (heights[a] + (heights[b] - heights[a]) * (at - a));
    });
  };
  const [left, right] = SIDES.map((side) => {
    const leg = frames.legs[side];
    if (leg === null) return null;
    const heights = resample(floors[side]);
    return {
      ...leg,
      floors: leg.floors.map((floor, frame) => floor + heights[frame]),
      clearance: leg.clearance.map((clearance, frame) => clearance - heights[frame]),
    };
  });
  const [trunk, seat] = [resample(floors.trunk), resample(floors.seat)];
  const seated = Uint8Array.from(seat, (height) => (Number.isNaN(height) ? 0 : 1));
  const heights = trunk.map((height, frame) => (seated[frame] === 1 ? seat[frame] : height));
  const clearance = heights.map((height, frame) => {
    return (seated[frame] === 1 ? frames.pelvis[frame] : frames.clearance[frame]) - height;
  });
  return { ...frames, legs: { left, right }, floors: heights, clearance, seated };
}
