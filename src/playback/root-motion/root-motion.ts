/**
 * Root motion: how a character moves over the ground in a clip, apart from its pose. It is a rigid motion about the vertical,
 * `p ↦ rotation(heading) · p + translation`, that starts at the identity. Model space.
 */
import type { Floats } from '../../core/math/floats.ts';
import * as quat from '../../core/math/quat.ts';
import * as vec3 from '../../core/math/vec3.ts';
import { type FrameGrid, locateFrame } from '../compiled-clip.ts';

/** Floats per motion in a buffer: translation xyz, heading in radians. */
export const ROOT_MOTION_STRIDE = 4;
const HEADING = 3;

/** The root motion of a clip. Frame k is at k / `frameRate` seconds, the last one at `duration`. */
export interface RootMotion extends FrameGrid {
  /** Node of the hips. */
  readonly hips: number;
  /** The vertical: unit vector, model space. */
  readonly up: Float64Array;
  /** 4 floats per frame: translation xyz (units of the file) and heading (radians, continuous) since the start of the clip. */
  readonly samples: Float64Array;
}

const rotation = new Float64Array(4);
const vector = new Float64Array(3);

/** Rotates 3 floats of `v` about the vertical by the heading of a motion, or back. */
function rotateByHeading(v: Float64Array, motion: Floats, sign: 1 | -1, up: Float64Array): void {
  const half = (sign * motion[HEADING]) / 2;
  const sine = Math.sin(half);
  for (let c = 0; c < 3; c++) rotation[c] = up[c] * sine;
  rotation[3] = Math.cos(half);
  vec3.rotate(v, 0, rotation, 0, v, 0);
}

/** Computes the product of two motions, `b`, then `a`; `out` may be one of them. */
function composeMotions(out: Float64Array, a: Floats, b: Floats, up: Float64Array): void {
  for (let c = 0; c < 3; c++) vector[c] = b[c];
  rotateByHeading(vector, a, 1, up);
  for (let c = 0; c < 3; c++) out[c] = a[c] + vector[c];
  out[HEADING] = a[HEADING] + b[HEADING];
}

/** Computes the inverse of a motion; `out` may be the motion. */
export function invertMotion(out: Float64Array, a: Floats, up: Float64Array): void {
  for (let c = 0; c < 3; c++) vector[c] = -a[c];
  rotateByHeading(vector, a, -1, up);
  out[HEADING] = -a[HEADING];
  for (let c = 0; c < 3; c++) out[c] = vector[c];
}

const located = new Float64Array(2);

/**
 * Samples root motion since the start of the clip at a time, seconds, which is clamped to the clip. The time is in a buffer, so that no number is
 * boxed.
 */
export function sampleRootMotion(out: Float64Array, motion: RootMotion, times: Float64Array, at: number): void {
  const { samples, frameCount } = motion;
  locateFrame(located, 0, motion, times[at]);
  const t = located[1];
  const i = located[0] * ROOT_MOTION_STRIDE;
  const j = frameCount > 1 ? i + ROOT_MOTION_STRIDE : i;
  for (let c = 0; c < ROOT_MOTION_STRIDE; c++) out[c] = samples[i + c] * (1 - t) + samples[j + c] * t;
}

/** A span of playing time of a looping clip. */
export interface MotionSpan {
  /** Seconds in the clip: where the span starts and ends. */
  readonly times: Float64Array;
  /** How often the clip wrapped from its end to its start within the span; negative backwards. */
  loops: number;
}

const start = new Float64Array(ROOT_MOTION_STRIDE);
const cycle = new Float64Array(ROOT_MOTION_STRIDE);

/**
 * Measures the root motion of a span, in the frame of the character at its start: translation xyz and heading. Every wrap adds the motion of a
 * whole clip.
 */
export function measureRootMotion(out: Float64Array, motion: RootMotion, span: MotionSpan): void {
  const { up, samples } = motion;
  sampleRootMotion(out, motion, span.times, 1);
  if (span.loops !== 0) {
    for (let c = 0; c < ROOT_MOTION_STRIDE; c++) cycle[c] = samples[samples.length - ROOT_MOTION_STRIDE + c];
    if (span.loops < 0) invertMotion(cycle, cycle, up);
    // Powers by squaring: they commute.
    for (let left = Math.abs(span.loops); left > 0; left = Math.floor(left / 2)) {
      if (left % 2 === 1) composeMotions(out, cycle, out, up);
      composeMotions(cycle, cycle, cycle, up);
    }
  }
  sampleRootMotion(start, motion, span.times, 0);
  invertMotion(start, start, up);
  composeMotions(out, start, out, up);
}

/**
 * Moves a character by root motion that is relative to its own transform.
 *
 * @param position Position of the character, 3 floats; changed.
 * @param orientation Rotation of the character, xyzw; changed.
 * @param motion 4 floats: translation xyz and heading, as measured.
 * @param up The vertical: unit vector.
 */
export function applyRootMotion(position: Floats, orientation: Floats, motion: Floats, up: Float64Array): void {
  for (let c = 0; c < 3; c++) vector[c] = motion[c];
  vec3.rotate(vector, 0, orientation, 0, vector, 0);
  vec3.add(position, 0, position, 0, vector, 0);
  const half = motion[HEADING] / 2;
  for (let c = 0; c < 3; c++) rotation[c] = up[c] * Math.sin(half);
  rotation[3] = Math.cos(half);
  quat.multiply(orientation, 0, orientation, 0, rotation, 0);
  quat.normalize(orientation, 0, orientation, 0);
}
