/** Finds what bears a motion: boxes, stairs and slopes, where its feet rest at other heights than the ground, seats below its pelvis, and what its hands rest on. */
import { SIDES, type Side } from '../../humanoid/bones.ts';
import * as vec3 from '../../math/vec3.ts';
import { CLOSE, ENTER_SPEED, FOOT_ON_GROUND, LEAVE_SPEED, SUNK } from '../constants.ts';
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

/**
 * Path of a shoulder during the rest of its hand, arms, from which on the hand holds on to something, where it moves by less than a part of it: hands that are only held up move
 * with the body. Measured on 76 rests of hands in real files: over hands on the ground (CMU 85_04, three of four) shoulders move by 0.16 to 0.28, and the hands by 0.03 to 0.11 of that; over hands in the
 * air below their shoulders by 0.14 at most, or the hands move by 0.19 of that or more.
 */
const SHOULDER_MOVES = 0.25;
const HAND_STAYS = 0.15;
/** Distance from the axes of the legs, legs, within which a hand is on the body. In these files hands that hang at the thighs are 0.11 to 0.25 away, those that rest on the ground 0.6 or more. */
const ON_LEG = 0.25;

/** When hands rest on something, and the height of what is below them. */
interface HandFloors {
  /** Rests of the hand. */
  readonly rests: readonly Plant[];
  /** Height of the floor, meters per frame. */
  readonly heights: Float64Array;
}

/** Heights of floors above the ground, meters per frame. */
export interface Floors extends Readonly<Record<Side, Float64Array>> {
  /** Floor that bears the body: the lowest one on which a foot rests. */
  readonly trunk: Float64Array;
  /** Height of the seat below the pelvis; NaN without one. */
  readonly seat: Float64Array;
  /** What hands rest on; null for hands that never do. */
  readonly hands: Readonly<Record<Side, HandFloors | null>>;
}

/** A foot or a hand at rest. */
interface Rest extends Plant {
  /** Height of its sole or palm above the ground, meters. */
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

interface FootRests {
  readonly rests: readonly Rest[];
  /** Those in which it bears the body. */
  readonly bearing: ReadonlySet<Rest>;
  /** Length of the leg, meters. */
  readonly length: number;
}

function restsOf({ grid: { step }, legs, clearance: trunk }: CharacterFrames, seats: readonly Rest[]): FootRests[] {
  const all = SIDES.map((side) => (legs[side] === null ? [] : findRests(legs[side], step)));
  return SIDES.map((side, k) => {
    const frames = legs[side];
    if (frames === null) return { rests: [], bearing: new Set(), length: 0 };
    const bearing = new Set(all[k].filter((rest) => bears(rest, frames, all[1 - k], trunk, seats)));
    return { rests: all[k], bearing, length: frames.leg.length };
  });
}

/** Returns the largest extent of a path between two frames along x, y or z, meters. */
function extentOf(path: Float64Array, { from, to }: Plant): number {
  let extent = 0;
  for (let c = 0; c < 3; c++) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let at = 3 * from + c; at <= 3 * to + c; at += 3) {
      low = Math.min(low, path[at]);
      high = Math.max(high, path[at]);
    }
    extent = Math.max(extent, high - low);
  }
  return extent;
}

const along = new Float64Array(3);
const toPoint = new Float64Array(3);

/** Returns the distance of a point from the line between two others, meters; all at `at`. */
function distanceFromBone(point: Float64Array, a: Float64Array, b: Float64Array, at: number): number {
  vec3.subtract(along, 0, b, at, a, at);
  vec3.subtract(toPoint, 0, point, at, a, at);
  const squared = vec3.dot(along, 0, along, 0);
  const part = squared > 0 ? Math.min(1, Math.max(0, vec3.dot(toPoint, 0, along, 0) / squared)) : 0;
  vec3.addScaled(toPoint, 0, toPoint, 0, along, 0, -part);
  return vec3.length(toPoint, 0);
}

/**
 * Checks whether a hand is below its shoulder at the middle of a rest. One above hangs from a bar or a rung: at its height times k a character with short legs would lower a raised arm, which is another
 * gesture.
 */
function isBelowShoulder({ from, to }: Plant, { hip, ball }: LegFrames): boolean {
  const at = 3 * Math.round((from + to) / 2) + 1;
  return ball[at] < hip[at];
}

/** Checks whether a hand is on the legs of its own body for most of a rest. */
function isOnLegs({ from, to }: Plant, { ball }: LegFrames, { legs }: CharacterFrames): boolean {
  let frames = 0;
  for (let frame = from; frame <= to; frame++) {
    const isNear = SIDES.some((side) => {
      const leg = legs[side];
      if (leg === null) return false;
      const { hip, knee, ankle } = leg;
      const near = ON_LEG * leg.leg.length;
      const at = 3 * frame;
      return distanceFromBone(ball, hip, knee, at) < near || distanceFromBone(ball, knee, ankle, at) < near;
    });
    if (isNear) frames++;
  }
  return 2 * frames > to - from + 1;
}

/**
 * Finds when a hand rests on something: on the ground, on the seat that the body sits on, on what stays where it is while the shoulder moves, or at
 * the height of what bears the body otherwise. A hand that is only held still does not. `levels`: heights of what feet rest on, and of seats,
 * meters.
 */
function findHandRests(
  frames: CharacterFrames,
  arm: LegFrames,
  seats: readonly Rest[],
  levels: readonly number[],
): Rest[] {
  const { length } = arm.leg;
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) < FOOT_ON_GROUND * length;
  const rests = findRests(arm, frames.grid.step);
  const held = rests.filter((rest) => {
    const moved = extentOf(arm.hip, rest);
    const stays = extentOf(arm.ball, rest) < HAND_STAYS * moved;
    return moved > SHOULDER_MOVES * length && stays && isBelowShoulder(rest, arm) && !isOnLegs(rest, arm, frames);
  });
  const known = [...levels, ...held.map(({ level }) => level)];
  return rests.flatMap((rest) => {
    if (rest.level > SUNK * length && rest.level < FOOT_ON_GROUND * length) return [{ ...rest, level: 0 }];
    const isSeat = seats.some((seat) => seat.from <= rest.to && seat.to >= rest.from && isNear(seat.level, rest.level));
    const isKnown = known.some((level) => Math.abs(level - rest.level) < SAME_FLOOR * length);
    return isSeat || held.includes(rest) || (isKnown && isBelowShoulder(rest, arm) && !isOnLegs(rest, arm, frames))
      ? [rest]
      : [];
  });
}

export function bearingRests(frames: CharacterFrames): Rest[] {
  return restsOf(frames, findSeats(frames)).flatMap(({ bearing }) => [...bearing]);
}

/**
 * Finds the floors below the feet of a motion. A foot that rests above or below the ground and bears the body stands on something; a foot that is only held up does not.
 *
 * @returns Heights per foot, and of seats; null where all feet rest on the ground, nobody sits above it, and no hand rests on anything.
 */
export function findFloors(frames: CharacterFrames): Floors | null {
  const {
    grid: { count, step },
    legs,
    arms,
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
  const standing = [...(isFlat ? [] : levels), ...seats.map(({ level }) => level)].filter((level) => level !== 0);
  const [leftHand, rightHand] = SIDES.map((side): HandFloors | null => {
    const arm = arms[side];
    const rests = arm === null ? [] : findHandRests(frames, arm, seats, standing);
    return arm === null || rests.length === 0 ? null : { rests, heights: heightsOf(rests, arm, step) };
  });
  const hands = { left: leftHand, right: rightHand };
  if (isFlat && seats.length === 0 && leftHand === null && rightHand === null) return null;
  const flat = new Float64Array(count);
  const heights = (side: Side): Float64Array =>
    legs[side] === null || isFlat ? flat : heightsOf(found[side], legs[side], step);
  return {
    left: heights('left'),
    right: heights('right'),
    trunk: isFlat ? flat : bearingHeights([...found.left, ...found.right], count),
    seat: seatHeights(seats, frames),
    hands,
  };
}

/**
 * Measures feet, and hands that rest somewhere, from the floors below them instead of the ground. `scale`: scale of the heights of the floors: 1
 * for the motion itself, k for a character that follows it.
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
  const above = (leg: LegFrames | null, floor: Float64Array | undefined): LegFrames | null => {
    if (leg === null || floor === undefined) return null;
    const heights = resample(floor);
    return {
      ...leg,
      floors: leg.floors.map((ground, frame) => ground + heights[frame]),
      clearance: leg.clearance.map((clearance, frame) => clearance - heights[frame]),
    };
  };
  const [left, right] = SIDES.map((side) => above(frames.legs[side], floors[side]));
  const [leftArm, rightArm] = SIDES.map((side) => above(frames.arms[side], floors.hands[side]?.heights));
  const [trunk, seat] = [resample(floors.trunk), resample(floors.seat)];
  const seated = Uint8Array.from(seat, (height) => (Number.isNaN(height) ? 0 : 1));
  const heights = trunk.map((height, frame) => (seated[frame] === 1 ? seat[frame] : height));
  const clearance = heights.map((height, frame) => {
    return (seated[frame] === 1 ? frames.pelvis[frame] : frames.clearance[frame]) - height;
  });
  return {
    ...frames,
    legs: { left, right },
    arms: { left: leftArm, right: rightArm },
    floors: heights,
    clearance,
    seated,
  };
}
