/**
 * Converts the tracks of nodes to curves of `Lcl Translation`, `Lcl Rotation` and `Lcl Scaling`: the inverse of
 * `localPose` and `compensateScale`.
 */
import { TRACK_PATHS, type Track, type TrackPath } from '../../../../core/animation/clip.ts';
import { startTimes, unionTimes } from '../../../../core/animation/resample.ts';
import { RELATIVE_TOLERANCE, ROTATION_TOLERANCE } from '../../../../core/animation/resample-tolerance.ts';
import { sampleTrack } from '../../../../core/animation/sample.ts';
import { planAxisAngles, toAxisAngles } from '../../../../core/math/axis-angles.ts';
import { DEGREE, DEGREES_PER_RADIAN, fromAxisAngles } from '../../../../core/math/euler.ts';
import type { Floats } from '../../../../core/math/floats.ts';
import * as quat from '../../../../core/math/quat.ts';
import * as vec3 from '../../../../core/math/vec3.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../../../core/skeleton/skeleton.ts';
import { SEGMENT } from '../../animation/fbx-curve.ts';
import { type FbxTransform, restoreParentScale } from '../../nodes/node-transform.ts';
import type { ModelForest } from '../../nodes/read-models.ts';
import { type CurveFunction, type FittedCurves, fitCurves } from './fit-curves.ts';

export type NodeTracks = Readonly<Record<TrackPath, Track | null>>;

interface WrittenNode {
  readonly transform: FbxTransform;
  readonly tracks: NodeTracks;
  readonly rest: Floats;
  /** The parent, if its scaling is excluded from the node; null otherwise. */
  readonly compensated: WrittenNode | null;
  /** The tracks that `Lcl Scaling` depends on. */
  readonly scaleTracks: readonly Track[];
}

/** What the accuracy of the curves of a node depends on. */
export interface ModelScale {
  /** Size of the skeleton in the unit of the translations of the node. */
  readonly size: number;
  /** Longest path from the node to one below it, relative to the size. */
  readonly reach: number;
}

/** Curves of a property of a node, in the unit of the property: degrees for `Lcl Rotation`. */
export interface NodeCurves {
  readonly path: TrackPath;
  readonly curves: FittedCurves;
  /** Whether they stay at the value that the node has without them. */
  readonly isAtRest: boolean;
}

/**
 * Parts of the tolerances of world rotations and positions that one joint may use: errors add up along a chain, most of them with different signs. Without
 * contacts, joints of 14 motions are within 1e-5 of the height (one within 1.8e-5) and 0.005° at any time; with the whole tolerance for each joint, within 1e-4 and 0.013°.
 */
const ROTATION_PART = 0.5;
const POSITION_PART = 0.4;

const NO_TRACKS: NodeTracks = { translation: null, rotation: null, scale: null };

/** Prepares all Models of a file. `tracks`: tracks by index of the Model. */
export function writtenNodes(forest: ModelForest, tracks: ReadonlyMap<number, NodeTracks>): WrittenNode[] {
  const nodes: WrittenNode[] = [];
  for (const [model, transform] of forest.transforms.entries()) {
    const parent = forest.parents[model];
    const node = {
      transform,
      tracks: tracks.get(model) ?? NO_TRACKS,
      rest: forest.rest.subarray(model * POSE_STRIDE, (model + 1) * POSE_STRIDE),
      compensated: transform.inheritType === 'Rrs' && parent >= 0 ? nodes[parent] : null,
    };
    nodes.push({ ...node, scaleTracks: turnTracks(node, 'scale') });
  }
  return nodes;
}

/** Difference from the value of a node that counts as none, as where files are read: relative to the size for translations, radians for rotations. */
const REST_TOLERANCE = 1e-6;

function isAtRest(
  { values, width, segments }: FittedCurves,
  path: TrackPath,
  { transform }: WrittenNode,
  size: number,
) {
  const tolerance = REST_TOLERANCE * { translation: size, rotation: DEGREES_PER_RADIAN, scale: 1 }[path];
  const rest = transform[path];
  return (
    !segments.includes(SEGMENT.CUBIC) && values.every((value, k) => Math.abs(value - rest[k % width]) <= tolerance)
  );
}

/**
 * Returns the curves of a node; none if neither it nor a parent whose scaling it excludes is animated. `keyTimes`: times of the source, seconds in
 * float32, at which tracks with more keys get theirs first; null if unknown.
 */
export function nodeCurves(
  node: WrittenNode,
  { size, reach }: ModelScale,
  keyTimes: ReadonlySet<number> | null,
): NodeCurves[] {
  return TRACK_PATHS.flatMap((path) => {
    const sources = tracksOf(node, path);
    if (sources.length === 0) return [];
    const source = path === 'rotation' ? rotationFunction(node, reach) : vectorFunction(node, path, size);
    const curves = sources.every(({ interpolation }) => interpolation === 'STEP')
      ? constantCurves(source, unionTimes(sources.map(({ times }) => times)))
      : fitTracks(source, sources, keyTimes);
    const own = path === 'rotation' ? inDegrees(curves, node.transform) : curves;
    return [{ path, curves: own, isAtRest: isAtRest(own, path, node, size) }];
  });
}

const isEven = (v: ArrayLike<number>): boolean => v[0] === v[1] && v[0] === v[2];
const isZero = (v: ArrayLike<number>): boolean => v[0] === 0 && v[1] === 0 && v[2] === 0;

function hasLever({ scalingPivot, rotationPivot, scalingOffset }: FbxTransform): boolean {
  return !isZero(scalingPivot) || !isZero(rotationPivot) || !isZero(scalingOffset);
}

/** Lists the tracks that a property depends on. With pivots, the translation depends on rotation and scale. */
function tracksOf(node: WrittenNode, path: TrackPath): readonly Track[] {
  const { transform, tracks, scaleTracks } = node;
  if (path !== 'translation') return path === 'scale' ? scaleTracks : turnTracks(node, 'rotation');
  const scaleHasLever = !isZero(transform.scalingPivot);
  return [
    ...(tracks.translation === null ? [] : [tracks.translation]),
    ...(hasLever(transform) ? turnTracks(node, 'rotation') : []),
    ...(scaleHasLever ? scaleTracks : []),
  ];
}

/** Lists the tracks that `Lcl Rotation` or `Lcl Scaling` depends on: an uneven parent scale mixes them. */
function turnTracks(
  { tracks, compensated }: Pick<WrittenNode, 'tracks' | 'compensated'>,
  path: 'rotation' | 'scale',
): Track[] {
  const parentScale = compensated?.scaleTracks ?? [];
  const isMixed = compensated !== null && (parentScale.length > 0 || !isEven(compensated.transform.scale));
  const other = tracks[path === 'rotation' ? 'scale' : 'rotation'];
  return [tracks[path], isMixed ? other : null, ...parentScale].filter((track) => track !== null);
}

/** Writes the value of a path at a time: that of the track, else that of the rest pose. */
function localValue({ tracks, rest }: WrittenNode, path: TrackPath, time: number, out: Floats, o: number): void {
  const track = tracks[path];
  const start = PATH_OFFSET[path];
  const width = path === 'rotation' ? 4 : 3;
  if (track === null) for (let c = 0; c < width; c++) out[o + c] = rest[start + c];
  else sampleTrack(track, time, out, o);
}

/**
 * Returns rotation and scale without scale compensation, as `localPose` makes them: {@link POSE_STRIDE} floats, whose translation is that of the
 * local pose. `only` is the path that is needed; without parents to exclude, the others stay 0.
 */
function uncompensated(node: WrittenNode, time: number, only: TrackPath | null = null): Float64Array {
  if (node.compensated === null) {
    const own = new Float64Array(POSE_STRIDE);
    for (const path of only === null ? TRACK_PATHS : [only]) localValue(node, path, time, own, PATH_OFFSET[path]);
    return own;
  }
  /** The node and its parents up to one whose scaling is known, which is last. */
  const chain = [node];
  for (
    let at: WrittenNode | null = node.compensated;
    at !== null;
    at = at.scaleTracks.length > 0 ? at.compensated : null
  )
    chain.push(at);
  const pose = new Float64Array(POSE_STRIDE);
  let parentScale: readonly number[] = [1, 1, 1];
  for (const at of chain.reverse()) {
    if (at !== node && at.scaleTracks.length === 0) {
      parentScale = at.transform.scale;
      continue;
    }
    for (const path of TRACK_PATHS) localValue(at, path, time, pose, PATH_OFFSET[path]);
    if (at.compensated !== null) restoreParentScale(pose, 0, parentScale, 0);
    parentScale = [...pose.subarray(PATH_OFFSET.scale, POSE_STRIDE)];
  }
  return pose;
}

function lclScale(node: WrittenNode, time: number): ArrayLike<number> {
  if (node.scaleTracks.length === 0) return node.transform.scale;
  return uncompensated(node, time, 'scale').subarray(PATH_OFFSET.scale, POSE_STRIDE);
}

function lclTranslation(node: WrittenNode, time: number, out: Floats): void {
  const { rotationOffset, rotationPivot, scalingOffset, scalingPivot } = node.transform;
  const pose = uncompensated(node, time, hasLever(node.transform) ? null : 'translation');
  const scale = lclScale(node, time);
  const lever = new Float64Array(3);
  for (let c = 0; c < 3; c++)
    lever[c] = scalingPivot[c] - scale[c] * scalingPivot[c] + scalingOffset[c] - rotationPivot[c];
  vec3.rotate(lever, 0, pose, PATH_OFFSET.rotation, lever, 0);
  for (let c = 0; c < 3; c++) out[c] = pose[c] - rotationOffset[c] - rotationPivot[c] - lever[c];
}

function distance(a: Floats, b: Floats): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function vectorFunction(node: WrittenNode, path: 'translation' | 'scale', size: number): CurveFunction {
  const { transform } = node;
  return {
    width: 3,
    exactWidth: 3,
    evaluate: (time, exact) => {
      if (path === 'translation') lclTranslation(node, time, exact);
      else exact.set(lclScale(node, time));
    },
    follow: (numbers, exact) => numbers.set(exact),
    miss: distance,
    kinkTolerance: RELATIVE_TOLERANCE * (path === 'scale' ? 1 : size),
    tolerance: POSITION_PART * RELATIVE_TOLERANCE * (path === 'scale' ? 1 : size),
    fileUnit: 1,
    start: transform[path],
  };
}

/** The axes of a rotation order as its matrices are multiplied: 0 x, 1 y, 2 z. */
function axesOf({ order }: FbxTransform): number[] {
  return [...order].map((axis) => 'XYZ'.indexOf(axis));
}

/** The angles of `Lcl Rotation` in the order of the axes, radians. */
function rotationFunction(node: WrittenNode, reach: number): CurveFunction {
  const { transform } = node;
  const axes = axesOf(transform);
  const plan = planAxisAngles(axes);
  const before = new Float64Array(4);
  const after = new Float64Array(4);
  const turned = new Float64Array(4);
  quat.conjugate(before, 0, transform.preRotation, 0);
  quat.conjugate(after, 0, transform.postRotationInverse, 0);
  return {
    width: 3,
    exactWidth: 4,
    evaluate: (time, exact) => {
      quat.multiply(exact, 0, before, 0, uncompensated(node, time, 'rotation'), PATH_OFFSET.rotation);
      quat.multiply(exact, 0, exact, 0, after, 0);
      quat.normalize(exact, 0, exact, 0);
    },
    follow: (numbers, exact) => toAxisAngles(numbers, 0, plan, exact, 0),
    miss: (numbers, exact) => {
      fromAxisAngles(turned, 0, axes, numbers);
      return quat.angleBetween(turned, 0, exact, 0);
    },
    kinkTolerance: ROTATION_TOLERANCE,
    tolerance: Math.min(ROTATION_PART * ROTATION_TOLERANCE, (POSITION_PART * RELATIVE_TOLERANCE) / reach),
    fileUnit: DEGREES_PER_RADIAN,
    start: axes.map((axis) => transform.rotation[axis] * DEGREE),
  };
}

/** Converts angles in the order of the axes to degrees about x, y and z. */
function inDegrees({ times, width, values, segments, slopes }: FittedCurves, transform: FbxTransform): FittedCurves {
  const axes = axesOf(transform);
  const places = [0, 1, 2].map((axis) => axes.indexOf(axis));
  const perCurve = (make: (k: number) => readonly number[]): number[] =>
    times.flatMap((_, key) => places.flatMap((place) => make(key * width + place)));
  return {
    times,
    width,
    values: perCurve((k) => [values[k] * DEGREES_PER_RADIAN]),
    segments: perCurve((k) => [segments[k]]),
    slopes: perCurve((k) => [slopes[2 * k] * DEGREES_PER_RADIAN, slopes[2 * k + 1] * DEGREES_PER_RADIAN]),
  };
}

/** Keys that keep their value until the next one. */
function constantCurves({ width, exactWidth, evaluate, follow, start }: CurveFunction, times: Floats): FittedCurves {
  const exact = new Float64Array(exactWidth);
  const numbers = Float64Array.from({ length: width }, (_, k) => start[k]);
  const values = Array.from(times, (time) => {
    evaluate(time, exact);
    follow(numbers, exact);
    return [...numbers];
  });
  return {
    times: [...times],
    width,
    values: values.flat(),
    segments: new Array<number>(times.length * width).fill(SEGMENT.CONSTANT),
    slopes: new Array<number>(2 * times.length * width).fill(0),
  };
}

function fitTracks(
  given: CurveFunction,
  sources: readonly Track[],
  keyTimes: ReadonlySet<number> | null,
): FittedCurves {
  const smooth = sources.filter(({ interpolation }) => interpolation !== 'STEP').map(({ times }) => times);
  const steps = sources.filter(({ interpolation }) => interpolation === 'STEP').map(({ times }) => times);
  const all = unionTimes(smooth);
  const chosen = chooseKeyTimes(all, keyTimes);
  // LINEAR tracks with keys between those of the source are mostly those of contacts, which miss their paths by more than the tolerance.
  const isSpline = sources.some(({ interpolation }) => interpolation === 'CUBICSPLINE');
  const source = isSpline ? { ...given, kinkTolerance: given.tolerance } : given;
  const { width, evaluate, tolerance, exactWidth } = source;
  if (steps.length === 0) return fitCurves(source, chosen, chosen === all ? [] : all);
  const scratch = new Float64Array(exactWidth);
  const starts = startTimes({
    width: exactWidth,
    isRotation: exactWidth > width,
    keyTimes: chosen,
    stepTimes: unionTimes(steps),
    evaluate: (time, out, o) => {
      evaluate(time, scratch);
      for (let c = 0; c < exactWidth; c++) out[o + c] = scratch[c];
    },
    tolerance,
  });
  return fitCurves(source, starts, chosen === all ? [] : all);
}

/** Returns the times that get a key first: those that the source has too. A reader added the others to follow curves that cubics may follow without them. */
function chooseKeyTimes(times: Float64Array, keyTimes: ReadonlySet<number> | null): Float64Array {
  if (keyTimes === null || times.length < 3) return times;
  const [first, last] = [times[0], times[times.length - 1]];
  return times.filter((time) => time === first || time === last || keyTimes.has(Math.fround(time)));
}
