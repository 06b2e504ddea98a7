/** Finds when feet touch the ground in a clip, for footsteps, dust and sounds. */
import type { Clip } from '../../animation/clip.ts';
import type { MotionEvent, MotionEvents } from '../../animation/motion-events.ts';
import { SIDES } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import { sampleCharacterFrames, timeOf } from '../frames/character-frames.ts';
import { frameGridOf } from '../frames/frame-grid.ts';
import { createPosedCharacter } from '../frames/posed-character.ts';
import type { ContactSurface } from '../surface/contact-surface.ts';
import { findFloors, standOnFloors } from './find-floors.ts';
import { findFootPlants, plantedFrames } from './find-plants.ts';

/** Shortest time in which a foot is off the ground, seconds: a shorter one is where it rolls from heel to ball. */
const SHORTEST_SWING = 0.15;
/** Seconds between the positions that speeds are measured from: the sway of a step is no speed. */
const SPEED_STEP = 0.25;

/** Computes the length of a path over the ground, meters. */
function lengthOverGround(path: Float64Array, stride: number): number {
  const last = path.length / 3 - 1;
  let length = 0;
  for (let frame = 0; frame < last; frame += stride) {
    const next = Math.min(last, frame + stride);
    length += Math.hypot(path[3 * next] - path[3 * frame], path[3 * next + 2] - path[3 * frame + 2]);
  }
  return length;
}

/** Closes gaps between plants that are too short for a swing, in place. */
function closeGaps(planted: Uint8Array, longest: number): void {
  let last = -1;
  for (let frame = 0; frame < planted.length; frame++) {
    if (planted[frame] === 0) continue;
    if (last >= 0 && frame - last - 1 <= longest) planted.fill(1, last, frame);
    last = frame;
  }
}

/**
 * Finds the events of a clip: when each foot is put down and lifted, on the ground, stairs, boxes or slopes. A foot that stands at the start of the
 * clip is put down at 0. `humanoid`: the character that the clip moves. `surface`: what of it touches the ground, from `describeContactSurface`.
 */
export function findMotionEvents(humanoid: Humanoid, surface: ContactSurface, clip: Clip): MotionEvents {
  const grid = frameGridOf(clip, humanoid);
  const raw = sampleCharacterFrames(createPosedCharacter(humanoid, surface), clip, grid);
  const { legs } = standOnFloors(raw, findFloors(raw), 1);
  const events: MotionEvent[] = [];
  for (const side of SIDES) {
    const leg = legs[side];
    if (leg === null) continue;
    const planted = plantedFrames(findFootPlants(leg, grid.step), grid.count);
    closeGaps(planted, SHORTEST_SWING / grid.step);
    for (let frame = 0; frame < grid.count; frame++) {
      if (planted[frame] === (planted[frame - 1] ?? 0)) continue;
      const time = frame === 0 ? 0 : Math.min(timeOf(grid, frame), clip.duration);
      events.push({ time, name: `${side}Foot${planted[frame] === 1 ? 'Down' : 'Up'}` });
    }
  }
  const hip = SIDES.map((side) => legs[side]?.hip).find((path) => path !== undefined);
  const length = hip === undefined ? 0 : lengthOverGround(hip, Math.max(1, Math.round(SPEED_STEP / grid.step)));
  return {
    events: events.sort((a, b) => a.time - b.time),
    speed: length / Math.max((grid.count - 1) * grid.step, grid.step),
    ground: surface.floor,
  };
}
