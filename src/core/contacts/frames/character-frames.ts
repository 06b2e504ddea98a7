/** The poses of a clip at uniform frames, as far as contacts need them. */
import type { Clip } from '../../animation/clip.ts';
import { clipWithoutReflections } from '../../animation/reflect-clip.ts';
import { sampleClip } from '../../animation/sample.ts';
import { SIDES, type Side } from '../../humanoid/bones.ts';
import { clipOfNodes, nodesOfLegs, poseNodes } from './pose-nodes.ts';
import {
  footClearance,
  hingeDirection,
  type Leg,
  nodePosition,
  type PosedCharacter,
  pelvisClearance,
  pointPosition,
  trunkClearance,
} from './posed-character.ts';

/** Uniform frames of a clip. */
export interface FrameGrid {
  /** Time of the first frame, seconds. */
  readonly start: number;
  /** Number of frames, at least 1. */
  readonly count: number;
  /** Seconds between two frames; 1/60 for a single frame. */
  readonly step: number;
}

/** Returns the time of a frame, seconds. */
export function timeOf({ start, step }: FrameGrid, frame: number): number {
  return start + frame * step;
}

/** One leg in all frames. Positions are xyz per frame, canonical frame, meters. */
export interface LegFrames {
  /** The leg. */
  readonly leg: Leg;
  /** Hip joint. */
  readonly hip: Float64Array;
  /** Knee joint. */
  readonly knee: Float64Array;
  /** Ankle joint. */
  readonly ankle: Float64Array;
  /** Toe joint, or the corresponding point of a foot without toes. */
  readonly ball: Float64Array;
  /** Point of the heel below the ankle. */
  readonly heel: Float64Array;
  /** Axis of the knee, unit. */
  readonly hinge: Float64Array;
  /** Height of the floor below the foot, per frame. */
  readonly floors: Float64Array;
  /** Height of the lowest point of the foot above that floor, per frame. */
  readonly clearance: Float64Array;
}

/** A character in all frames of a clip. */
export interface CharacterFrames {
  /** The frames. */
  readonly grid: FrameGrid;
  /** Its complete legs. */
  readonly legs: Readonly<Record<Side, LegFrames | null>>;
  /** Its complete arms, as legs; null where they are not sampled. */
  readonly arms: Readonly<Record<Side, LegFrames | null>>;
  /** Height of the floor, or the seat, below the trunk above the ground, per frame. */
  readonly floors: Float64Array;
  /** Height of the lowest point of the trunk above that floor, or of the pelvis above the seat, per frame. */
  readonly clearance: Float64Array;
  /** Height of the lowest point of the pelvis above the ground, per frame. */
  readonly pelvis: Float64Array;
  /** 1 where there is a seat below the pelvis, else 0, per frame. */
  readonly seated: Uint8Array;
}

/** Greatest difference between the two ends of a loop, relative to the leg. */
const LOOP_TOLERANCE = 0.01;

/**
 * Tells whether a clip is a loop: at its end both legs are in the same pose relative to the hips, and at the same height, as at its start. It may
 * have moved on over the ground.
 */
export function isLoop({ grid, legs }: CharacterFrames): boolean {
  const last = 3 * (grid.count - 1);
  const present = SIDES.flatMap((side) => legs[side] ?? []);
  return (
    grid.count > 2 &&
    present.length > 0 &&
    present.every(({ leg, hip, knee, ankle, ball, clearance }) => {
      const differs = (path: Float64Array): boolean => {
        const difference = [0, 1, 2].map((c) => path[last + c] - hip[last + c] - (path[c] - hip[c]));
        return Math.hypot(...difference) > LOOP_TOLERANCE * leg.length;
      };
      const sinks = Math.abs(clearance[grid.count - 1] - clearance[0]) > LOOP_TOLERANCE * leg.length;
      return !sinks && !differs(knee) && !differs(ankle) && !differs(ball);
    })
  );
}

function allocateLeg(leg: Leg, count: number, floor: number): LegFrames {
  const points = (): Float64Array => new Float64Array(3 * count);
  return {
    leg,
    hip: points(),
    knee: points(),
    ankle: points(),
    ball: points(),
    heel: points(),
    hinge: points(),
    floors: new Float64Array(count).fill(floor),
    clearance: new Float64Array(count),
  };
}

function limbsOf({ legs, arms }: CharacterFrames): LegFrames[] {
  return [legs, arms].flatMap((limbs) => SIDES.flatMap((side) => limbs[side] ?? []));
}

/** Returns the frames of a leg, or of an arm, that corresponds to one of another character. */
export function framesOf({ legs, arms }: CharacterFrames, { side, isArm }: Leg): LegFrames | null {
  return (isArm ? arms : legs)[side];
}

/** Fields of a leg with xyz per frame. */
const POINTS = ['hip', 'knee', 'ankle', 'ball', 'heel', 'hinge'] as const;

/** Copies frames to every second frame. */
function copyToEvenFrames(out: CharacterFrames, known: CharacterFrames): void {
  for (const to of limbsOf(out)) {
    const from = framesOf(known, to.leg);
    if (from === null) continue;
    for (const name of POINTS) {
      for (let k = 0; k < known.grid.count; k++) {
        for (let c = 0; c < 3; c++) to[name][6 * k + c] = from[name][3 * k + c];
      }
    }
    for (let k = 0; k < known.grid.count; k++) to.clearance[2 * k] = from.clearance[k];
  }
}

/** Samples every `stride`-th frame from `first` on. */
function sampleFrames(
  out: CharacterFrames,
  character: PosedCharacter,
  clip: Clip,
  heights: 'all' | 'feet' | 'none',
  first: number,
  stride: number,
): void {
  const { grid, clearance, pelvis } = out;
  const limbs = limbsOf(out);
  const nodes = nodesOfLegs(
    character,
    heights,
    limbs.some(({ leg }) => leg.isArm),
  );
  const { skeleton } = character.humanoid;
  const sampled = clipWithoutReflections(clipOfNodes(clip, nodes), character.signs, skeleton.rest);
  const cursors = new Int32Array(sampled.tracks.length);
  character.local.set(skeleton.rest);
  for (let frame = first; frame < grid.count; frame += stride) {
    sampleClip(sampled, timeOf(grid, frame), character.local, cursors);
    poseNodes(character, nodes);
    if (heights === 'all') {
      clearance[frame] = trunkClearance(character);
      pelvis[frame] = pelvisClearance(character);
    }
    for (let k = 0; k < limbs.length; k++) {
      const frames = limbs[k];
      const { leg } = frames;
      const at = 3 * frame;
      nodePosition(frames.hip, at, character, leg.thigh);
      nodePosition(frames.knee, at, character, leg.shin);
      nodePosition(frames.ankle, at, character, leg.foot);
      pointPosition(frames.ball, at, character, leg.foot, leg.sole.ball);
      pointPosition(frames.heel, at, character, leg.foot, leg.sole.heel);
      hingeDirection(frames.hinge, at, character, leg);
      if (heights !== 'none') frames.clearance[frame] = footClearance(character, leg);
    }
  }
}

function allocateFrames({ legs, arms, surface }: PosedCharacter, grid: FrameGrid, hasArms: boolean): CharacterFrames {
  const [left, right, leftArm, rightArm] = [legs, arms].flatMap((limbs) =>
    SIDES.map((side) => {
      const leg = limbs[side];
      return leg === null || (leg.isArm && !hasArms) ? null : allocateLeg(leg, grid.count, surface.floor);
    }),
  );
  const heights = (): Float64Array => new Float64Array(grid.count);
  const trunk = { floors: heights(), clearance: heights(), pelvis: heights(), seated: new Uint8Array(grid.count) };
  return { grid, legs: { left, right }, arms: { left: leftArm, right: rightArm }, ...trunk };
}

/**
 * Samples the contact points of a clip. `known`: samples of the same clip with half as many frames per second and the heights of the feet: those
 * frames are copied. `hasArms`: whether arms are sampled, too.
 */
export function sampleCharacterFrames(
  character: PosedCharacter,
  clip: Clip,
  grid: FrameGrid,
  heights: 'all' | 'feet' = 'all',
  known: CharacterFrames | null = null,
  hasArms = false,
): CharacterFrames {
  const out = allocateFrames(character, grid, hasArms);
  if (known !== null) copyToEvenFrames(out, known);
  sampleFrames(out, character, clip, heights, known === null ? 0 : 1, known === null ? 1 : 2);
  return out;
}

/** Samples the joints of the legs, and of arms, in every second frame: those halfway between the frames of a grid with half as many. */
export function sampleMiddles(
  character: PosedCharacter,
  clip: Clip,
  grid: FrameGrid,
  hasArms: boolean,
): CharacterFrames {
  const out = allocateFrames(character, grid, hasArms);
  sampleFrames(out, character, clip, 'none', 1, 2);
  return out;
}
