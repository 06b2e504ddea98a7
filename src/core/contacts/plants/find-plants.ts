/** Finds when a foot is planted: low and slow, with hysteresis. All thresholds are relative to the length of the leg and in seconds. */
import type { ClipPlant } from '../../animation/clip.ts';
import type { Side } from '../../humanoid/bones.ts';
import { ENTER_HEIGHT, ENTER_SPEED, LEAVE_HEIGHT, LEAVE_SPEED } from '../constants.ts';
import type { FrameGrid, LegFrames } from '../frames/character-frames.ts';

/** Shortest plant, and longest gap that is closed, seconds. */
const SHORTEST_PLANT = 0.1;
const LONGEST_GAP = 0.05;
/** Seconds over which speeds are measured, so that the noise of a sensor is no speed. */
const SPEED_WINDOW = 0.05;

/** Frames in which a point of a foot is planted, the last one included. */
export interface Plant {
  readonly from: number;
  readonly to: number;
}

export interface FootPlants {
  readonly ball: readonly Plant[];
  /** Plants of the heel while the ball is not planted. */
  readonly heel: readonly Plant[];
}

/** Horizontal speed of a point around a frame, meters per second. */
function speedAt(points: Float64Array, frame: number, count: number, reach: number, step: number): number {
  const a = Math.max(0, frame - reach);
  const b = Math.min(count - 1, frame + reach);
  if (a === b) return 0;
  return (
    Math.sqrt((points[3 * b] - points[3 * a]) ** 2 + (points[3 * b + 2] - points[3 * a + 2]) ** 2) / ((b - a) * step)
  );
}

/**
 * Finds the plants of one point. `points`: its path: xyz per frame, canonical frame, meters. `floors`: height of the floor below the point, meters
 * per frame. `ground`: height of the point above the floor when the foot is flat on it, meters.
 */
export function findPointPlants(
  points: Float64Array,
  floors: Float64Array,
  ground: number,
  legLength: number,
  step: number,
): Plant[] {
  const count = points.length / 3;
  const reach = Math.max(1, Math.round(SPEED_WINDOW / 2 / step));
  const plants: Plant[] = [];
  let start = -1;
  const close = (to: number): void => {
    if (start < 0) return;
    const last = plants.at(-1);
    if (last !== undefined && (start - last.to) * step <= LONGEST_GAP)
      plants[plants.length - 1] = { from: last.from, to };
    else plants.push({ from: start, to });
    start = -1;
  };
  for (let frame = 0; frame < count; frame++) {
    const speed = speedAt(points, frame, count, reach, step) / legLength;
    const height = (points[3 * frame + 1] - floors[frame] - ground) / legLength;
    if (start < 0 && speed < ENTER_SPEED && height < ENTER_HEIGHT) start = frame;
    else if (start >= 0 && (speed > LEAVE_SPEED || height > LEAVE_HEIGHT)) close(frame - 1);
  }
  close(count - 1);
  return plants.filter(({ from, to }) => (to - from) * step >= SHORTEST_PLANT || count * step <= SHORTEST_PLANT);
}

/** Removes the frames of other plants from plants, both in the order of time; returns the remaining parts that are long enough, in frames. */
function without(plants: readonly Plant[], others: readonly Plant[], shortest: number): Plant[] {
  const parts: Plant[] = [];
  let next = 0;
  for (const { from, to } of plants) {
    while (next < others.length && others[next].to < from) next++;
    let start = from;
    for (let k = next; k < others.length && others[k].from <= to; k++) {
      if (others[k].from - 1 - start >= shortest) parts.push({ from: start, to: others[k].from - 1 });
      start = others[k].to + 1;
    }
    if (to - start >= shortest) parts.push({ from: start, to });
  }
  return parts;
}

export function findFootPlants(frames: LegFrames, step: number): FootPlants {
  const { leg, ball, heel, floors } = frames;
  const ofBall = findPointPlants(ball, floors, leg.sole.ballHeight, leg.length, step);
  const ofHeel = findPointPlants(heel, floors, 0, leg.length, step);
  return { ball: ofBall, heel: without(ofHeel, ofBall, SHORTEST_PLANT / step) };
}

/** Returns the plants of a foot that a file declares, in frames. */
export function declaredPlants(
  plants: readonly ClipPlant[],
  side: Side,
  { start, step, count }: FrameGrid,
): FootPlants {
  const of = (part: ClipPlant['part']): Plant[] =>
    plants
      .filter((plant) => plant.side === side && plant.part === part)
      .map(({ from, to }) => ({
        from: Math.max(0, Math.ceil((from - start) / step - 0.5)),
        to: Math.min(count - 1, Math.floor((to - start) / step + 0.5)),
      }))
      .filter(({ from, to }) => from <= to)
      .sort((a, b) => a.from - b.from);
  const ball = of('ball');
  return { ball, heel: without(of('heel'), ball, SHORTEST_PLANT / step) };
}

/** Marks the frames in which a foot is planted. Returns 1 where ball or heel are planted, 0 elsewhere, per frame. */
export function plantedFrames({ ball, heel }: FootPlants, count: number): Uint8Array {
  const out = new Uint8Array(count);
  for (const plants of [ball, heel]) {
    for (const { from, to } of plants) out.fill(1, from, to + 1);
  }
  return out;
}
