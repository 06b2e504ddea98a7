/** The poses of a clip at uniform frames, as far as contacts need them. */
import type { Clip } from '../../animation/clip.ts';
import { sampleClip } from '../../animation/sample.ts';
import { SIDES, type Side } from '../surface/body-surface.ts';
import {
  bodyClearance,
  footClearance,
  hingeDirection,
  type Leg,
  nodePosition,
  type PosedBody,
  pointPosition,
  poseBody,
} from './posed-body.ts';

/** Uniform frames of a clip. */
export interface FrameGrid {
  /** Number of frames, at least 1. */
  readonly count: number;
  /** Seconds between two frames; 1/60 for a single frame. */
  readonly step: number;
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
  /** Height of the lowest point of the foot above the ground, per frame. */
  readonly clearance: Float64Array;
}

/** A character in all frames of a clip. */
export interface BodyFrames {
  /** The frames. */
  readonly grid: FrameGrid;
  /** Its complete legs. */
  readonly legs: Readonly<Record<Side, LegFrames | null>>;
  /** Height of the lowest point of the body without its feet above the ground, per frame. */
  readonly clearance: Float64Array;
}

function allocateLeg(leg: Leg, count: number): LegFrames {
  const points = (): Float64Array => new Float64Array(3 * count);
  return {
    leg,
    hip: points(),
    knee: points(),
    ankle: points(),
    ball: points(),
    heel: points(),
    hinge: points(),
    clearance: new Float64Array(count),
  };
}

/**
 * Samples the contact points of a clip.
 *
 * @param body The character; its buffers are overwritten.
 * @param clip A clip of its nodes.
 * @param grid The frames.
 * @returns Joints of the legs and heights above the ground.
 */
export function sampleBodyFrames(body: PosedBody, clip: Clip, grid: FrameGrid): BodyFrames {
  const { count, step } = grid;
  const [left, right] = SIDES.map((side) => {
    const leg = body.legs[side];
    return leg === null ? null : allocateLeg(leg, count);
  });
  const clearance = new Float64Array(count);
  const cursors = new Int32Array(clip.tracks.length);
  body.local.set(body.humanoid.skeleton.rest);
  for (let frame = 0; frame < count; frame++) {
    sampleClip(clip, frame * step, body.local, cursors);
    poseBody(body);
    clearance[frame] = bodyClearance(body);
    for (const frames of [left, right]) {
      if (frames === null) continue;
      const { leg } = frames;
      const at = 3 * frame;
      nodePosition(frames.hip, at, body, leg.thigh);
      nodePosition(frames.knee, at, body, leg.shin);
      nodePosition(frames.ankle, at, body, leg.foot);
      pointPosition(frames.ball, at, body, leg.foot, leg.sole.ball);
      pointPosition(frames.heel, at, body, leg.foot, leg.sole.heel);
      hingeDirection(frames.hinge, at, body, leg);
      frames.clearance[frame] = footClearance(body, leg);
    }
  }
  return { grid, legs: { left, right }, clearance };
}
