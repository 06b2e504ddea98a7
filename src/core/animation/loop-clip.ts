/**
 * Making the last pose of a motion meet its first one. Every joint is closed against its parent, but for the travel: a walk ends
 * further on than it began, and shall.
 */
import type { Floats } from '../math/floats.ts';
import * as mat4 from '../math/mat4.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { MATRIX_STRIDE, POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';
import { type Clip, lastKeyTime, PATH_OFFSET, PATH_WIDTH, type Track } from './clip.ts';
import { sampleClip } from './sample.ts';
import { spreadGap } from './spread-gap.ts';

/** Who travels: what a loop asks of a body. */
export interface Traveller {
  /** The node that carries the body; it travels, or nodes above it do. */
  readonly hips: number;
  /** The direction up, unit length, axes of the file. */
  readonly up: Floats;
  /** Height of the hips above the ground, units of the file. */
  readonly hipsHeight: number;
}

/** Horizontal way from the first to the last moment, by the height of the hips, from which on a motion travels. */
const LEAST_WAY = 0.25;
/** Turn about the vertical, radians, from which on it turns: 15°. */
const LEAST_TURN = Math.PI / 12;
/** What is closed to a few roundings is left as it is. */
const CLOSED = 1e-9;

/** What has become of the space at the end: p ↦ turn · p + move, upright. */
interface Shift {
  readonly turn: Float64Array;
  readonly move: Float64Array;
}

/**
 * The clip with the last pose equal to the first, the difference spread evenly over the whole clip (see {@link spreadGap}): in model
 * space, with the travel left out, the seam is closed to float32 rounding. With a traveller, the hips and the nodes above keep
 *
 * - their horizontal way, when it is a quarter of the height of the hips or more, and
 * - their turn about the vertical, when it is 15° or more;
 *
 * what is less is drift, and closed like everything else; so are height and tilt, always. Each of these nodes is judged by its own
 * track, so the travel stays on the node that had it. Without a traveller everything is closed. Tracks that are closed stay as they are;
 * keys and interpolation of the others too, but for keys at both ends and rotation splines (LINEAR then, within 0.005°). Clips that last
 * no time come back as they are.
 */
export function loopClip(skeleton: Skeleton, clip: Clip, traveller?: Traveller): Clip {
  if (!(clip.duration > 0)) return clip;
  const first = Float64Array.from(skeleton.rest);
  sampleClip(clip, 0, first);
  const last = Float64Array.from(skeleton.rest);
  sampleClip(clip, clip.duration, last);
  const wanted = first.slice();
  if (traveller !== undefined) keepTravel(wanted, first, last, skeleton, clip, traveller);
  const tracks = clip.tracks.map((track) => closedTrack(track, last, wanted, clip.duration));
  // New keys are float32: the last one may be a rounding after the end.
  return { ...clip, duration: Math.max(clip.duration, lastKeyTime(tracks)), tracks };
}

function closedTrack(track: Track, last: Float64Array, wanted: Float64Array, duration: number): Track {
  const at = track.target * POSE_STRIDE + PATH_OFFSET[track.path];
  const width = PATH_WIDTH[track.path];
  if (track.times.length === 0 || isClosed(last, wanted, at, width)) return track;
  return spreadGap(track, wanted.subarray(at, at + width), duration);
}

function isClosed(a: Float64Array, b: Float64Array, at: number, width: number): boolean {
  if (width === 4) return quat.angleBetween(a, at, b, at) <= CLOSED;
  return vec3.distance(a, at, b, at) <= CLOSED * vec3.length(b, at);
}

/** Puts the travel into the wanted last pose, from the root down to the hips. */
function keepTravel(
  wanted: Float64Array,
  first: Float64Array,
  last: Float64Array,
  { parents }: Skeleton,
  clip: Clip,
  { hips, up, hipsHeight }: Traveller,
): void {
  const chain: number[] = [];
  for (let node = hips; node >= 0; node = parents[node]) chain.push(node);
  const tracks = new Set(clip.tracks.map(({ target, path }) => `${target} ${path}`));
  const before: Place = { rotation: new Float64Array([0, 0, 0, 1]), matrix: identity() };
  const after: Place = { rotation: new Float64Array([0, 0, 0, 1]), matrix: identity() };
  let shift: Shift = { turn: new Float64Array([0, 0, 0, 1]), move: new Float64Array(3) };
  for (const node of chain.reverse()) {
    const at = node * POSE_STRIDE;
    const turn = tracks.has(`${node} rotation`) ? ownTurn(last, first, at, after, before, shift, up) : null;
    descend(before, first, at);
    const way = tracks.has(`${node} translation`)
      ? ownWay(last, at, after, before, shift, up, LEAST_WAY * hipsHeight)
      : null;
    if (turn !== null || way !== null) {
      const total: Shift = { turn: shift.turn.slice(), move: new Float64Array(3) };
      if (turn !== null) quat.multiply(total.turn, 0, turn, 0, total.turn, 0);
      const point = shifted(before, shift);
      if (way !== null) vec3.add(point, 0, point, 0, way, 0);
      if (turn !== null) {
        quat.multiply(wanted, at + 3, total.turn, 0, before.rotation, 0);
        turnBack(wanted, at + 3, after.rotation);
      }
      if (way !== null && mat4.invertAffine(scratch, 0, after.matrix, 0)) {
        mat4.transformPoint(wanted, at, scratch, 0, point, 0);
      }
      const turned = new Float64Array(3);
      vec3.rotate(turned, 0, total.turn, 0, before.matrix, 12);
      vec3.subtract(total.move, 0, point, 0, turned, 0);
      shift = total;
    }
    descend(after, wanted, at);
  }
}

/** Where a node is in model space. */
interface Place {
  /** Product of the local rotations. */
  readonly rotation: Float64Array;
  readonly matrix: Float64Array;
}

const scratch = new Float64Array(MATRIX_STRIDE);

function identity(): Float64Array {
  const matrix = new Float64Array(MATRIX_STRIDE);
  mat4.identity(matrix, 0);
  return matrix;
}

/** From a node to its child with the local pose at `at`. */
function descend({ rotation, matrix }: Place, local: Float64Array, at: number): void {
  quat.multiply(rotation, 0, rotation, 0, local, at + 3);
  quat.normalize(rotation, 0, rotation, 0);
  mat4.compose(scratch, 0, local, at);
  mat4.multiply(matrix, 0, matrix, 0, scratch, 0);
}

/** Model space to local: turned by the inverse of the parent's rotation. */
function turnBack(out: Float64Array, o: number, parentRotation: Float64Array): void {
  const inverse = new Float64Array(4);
  quat.conjugate(inverse, 0, parentRotation, 0);
  quat.multiply(out, o, inverse, 0, out, o);
}

/** Where the shift takes the place of a node at the beginning. */
function shifted({ matrix }: Place, { turn, move }: Shift): Float64Array {
  const point = new Float64Array(3);
  vec3.rotate(point, 0, turn, 0, matrix, 12);
  vec3.add(point, 0, point, 0, move, 0);
  return point;
}

/** The turn about the vertical that a node's own rotation makes from the first to the last moment; null when it is drift. */
function ownTurn(
  last: Float64Array,
  first: Float64Array,
  at: number,
  after: Place,
  before: Place,
  { turn }: Shift,
  up: Floats,
): Float64Array | null {
  const end = new Float64Array(4);
  quat.multiply(end, 0, after.rotation, 0, last, at + 3);
  const start = new Float64Array(4);
  quat.multiply(start, 0, before.rotation, 0, first, at + 3);
  quat.multiply(start, 0, turn, 0, start, 0);
  quat.conjugate(start, 0, start, 0);
  quat.multiply(end, 0, end, 0, start, 0);
  const swing = new Float64Array(4);
  const twist = new Float64Array(4);
  quat.swingTwist(swing, 0, twist, 0, end, 0, up, 0);
  return 2 * Math.acos(Math.min(1, twist[3])) >= LEAST_TURN ? twist : null;
}

/** The horizontal way that a node's own translation makes; null when it is drift. `before` is the node's own place. */
function ownWay(
  last: Float64Array,
  at: number,
  after: Place,
  before: Place,
  shift: Shift,
  up: Floats,
  least: number,
): Float64Array | null {
  const way = new Float64Array(3);
  mat4.transformPoint(way, 0, after.matrix, 0, last, at);
  vec3.subtract(way, 0, way, 0, shifted(before, shift), 0);
  vec3.addScaled(way, 0, way, 0, up, 0, -vec3.dot(way, 0, up, 0));
  return vec3.length(way, 0) >= least ? way : null;
}
