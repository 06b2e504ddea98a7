/** Positions of joints: HumanML3D, MDM, JDM, lifting to the joints of Human3.6M, SAM 3D Body. */
import * as vec3 from '../../../core/math/vec3.ts';
import { JOINT_SETS, type JointSet, jointSetOf, KNOWN_COUNTS, parentsOf } from '../../../core/points/joint-sets.ts';
import { motionsFromPoints } from '../../../core/points/motion-from-points.ts';
import { findPointRoles } from '../../../core/points/name-roles.ts';
import { orientPoints } from '../../../core/points/orient-points.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { countOf, type NumpyArray, readNumbers } from '../container/numpy-array.ts';
import type { NumpyValues } from '../container/parse-numpy.ts';
import { describeValues, formatShape, layoutError, numericArray, textAt } from './arrays.ts';
import { findFrameRate } from './frame-rate.ts';
import { standClip } from './ground.ts';
import { isVectors, positionsOfVectors, VECTOR_WIDTH } from './humanml-vectors.ts';
import { AXES, type NpzMotion, type NpzOptions, rotationToY, type UpAxis } from './motion.ts';
import { chooseUp } from './up-axis.ts';

/** Names of arrays with positions; '' is an array alone. */
const KEYS = [
  ...['', 'motion', 'joints', 'joints3d', 'joints_3d', 'joints_xyz', 'xyz', 'positions', 'posed_joints', 'keypoints3d'],
  ...['keypoints_3d', 'pose_3d', 'poses_3d', 'data', 'pred_joint_coords', 'pred_xyz', 'new_joints'],
];

/** The joints of MHR, which SAM 3D Body has, that the body of SMPL has too, in its order. MHR has 127 joints, with helpers for twist. */
const MHR_JOINTS = 127;
const MHR_BODY = [1, 2, 18, 34, 3, 19, 35, 4, 20, 37, 8, 24, 110, 74, 38, 113, 75, 39, 76, 40, 78, 42];

/** Frame rates that are published with data sets. */
const RATES: Partial<Record<JointSet, number>> = { smpl22: 20 };

/** Length of thigh and shin of an adult, meters, and units of length that files have. */
const LEG_LENGTH = 0.82;
const UNITS: readonly (readonly [meters: number, name: string])[] = [
  [1, 'meters'],
  [0.01, 'centimeters'],
  [0.001, 'millimeters'],
  [0.0254, 'inches'],
];
/** Factor between a leg and that of an adult which is still a person: children, and rounding of units. */
const MOST_LEG_FACTOR = 2;

/** Takes of a file, before they are turned upright. */
interface Positions {
  readonly set: JointSet;
  readonly takes: readonly { readonly name: string; readonly numbers: Float64Array }[];
  /** The up axis of such files; null where they differ. */
  readonly up: UpAxis | null;
  readonly rate: number;
}

function pickJoints(numbers: Float64Array, count: number, joints: readonly number[]): Float64Array {
  const frames = numbers.length / (3 * count);
  const out = new Float64Array(3 * frames * joints.length);
  for (let frame = 0; frame < frames; frame++) {
    for (const [k, joint] of joints.entries())
      vec3.copy(out, 3 * (frame * joints.length + k), numbers, 3 * (frame * count + joint));
  }
  return out;
}

/** Reads motions with the axes sample, joint, coordinate, frame, as MDM writes them, or one without the first axis. The rest of each is padding. */
function readSamples(values: NumpyValues, array: NumpyArray): Positions {
  const [joints, , frames] = array.shape.slice(-3);
  const samples = array.shape.length === 4 ? array.shape[0] : 1;
  const lengths = numericArray(values, 'lengths') ?? numericArray(values, 'length');
  const counts = lengths === null ? new Float64Array(0) : readNumbers(lengths);
  const texts = values.get('text');
  const numbers = readNumbers(array);
  const takes = Array.from({ length: samples }, (_, sample) => {
    const length = counts[sample] >= 1 && counts[sample] <= frames ? Math.floor(counts[sample]) : frames;
    const own = new Float64Array(3 * joints * length);
    for (let k = 0; k < 3 * joints; k++) {
      for (let frame = 0; frame < length; frame++)
        own[3 * joints * frame + k] = numbers[(sample * 3 * joints + k) * frames + frame];
    }
    const text: unknown = Array.isArray(texts) ? texts[sample] : null;
    const label = typeof text === 'string' ? `${sample} ${text.slice(0, 80)}` : String(sample);
    return { name: array.shape.length === 4 ? label : '', numbers: own };
  });
  return { set: jointSetOf(joints, takes[0].numbers) as JointSet, takes, up: 'y', rate: 20 };
}

function isSamples({ shape }: NumpyArray): boolean {
  const [joints, axes, frames] = shape.slice(-3);
  return (shape.length === 3 || shape.length === 4) && axes === 3 && KNOWN_COUNTS.includes(joints) && frames > 3;
}

/** Bones whose lengths tell whether numbers are places of joints: hip, knee and ankle of each side. */
const LEGS: Readonly<Partial<Record<JointSet, readonly (readonly [number, number, number])[]>>> = Object.fromEntries(
  Object.entries(JOINT_SETS).map(([set, names]: [string, readonly string[]]) => {
    const at = (...words: string[]): number => names.findIndex((name) => words.includes(name));
    const legs = [
      [
        at('left_hip', 'LHip', 'LeftLeg'),
        at('left_knee', 'LKnee', 'LeftShin'),
        at('left_ankle', 'LFoot', 'LAnkle', 'LeftFoot'),
      ],
      [
        at('right_hip', 'RHip', 'RightLeg'),
        at('right_knee', 'RKnee', 'RightShin'),
        at('right_ankle', 'RFoot', 'RAnkle', 'RightFoot'),
      ],
    ];
    return [set, legs];
  }),
);

function medianOf(values: number[]): number {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  return sorted.length === 0 ? Number.NaN : sorted[Math.floor(sorted.length / 2)];
}

/** Frames in which bodies are measured. */
const MEASURED_FRAMES = 300;

/** Measures thigh and shin of both sides: their median lengths, and how much they differ between frames relative to them. */
function measureLegs(set: JointSet, numbers: Float64Array): { lengths: number[]; spread: number } {
  const count = JOINT_SETS[set].length;
  const frames = numbers.length / (3 * count);
  const stride = Math.max(1, Math.floor(frames / MEASURED_FRAMES));
  const lengths: number[] = [];
  let spread = 0;
  for (const [hip, knee, ankle] of LEGS[set] ?? []) {
    for (const [a, b] of [
      [hip, knee],
      [knee, ankle],
    ]) {
      const all: number[] = [];
      for (let frame = 0; frame < frames; frame += stride)
        all.push(vec3.distance(numbers, 3 * (frame * count + a), numbers, 3 * (frame * count + b)));
      const median = medianOf(all);
      lengths.push(median);
      spread = Math.max(spread, medianOf(all.map((length) => Math.abs(length - median))) / median);
    }
  }
  return { lengths, spread };
}

function isAlike(a: number, b: number): boolean {
  return a / b > 0.6 && a / b < 1.7;
}

/** Tells whether numbers are places of joints: those of legs keep their distances, on both sides. Rotations of as many joints do not. */
function arePlaces(set: JointSet, numbers: Float64Array): boolean {
  const { lengths, spread } = measureLegs(set, numbers);
  const [leftThigh, leftShin, rightThigh, rightShin] = lengths;
  return (
    spread < 0.25 && isAlike(leftThigh, rightThigh) && isAlike(leftShin, rightShin) && isAlike(leftThigh, leftShin)
  );
}

/**
 * Least and greatest length of a trunk from hips to shoulders relative to the legs: 0.50 to 0.71 in real files. Rotations, those of both sides being mirror
 * images, have 0.11 to 0.24.
 */
const TRUNK = [0.35, 1.1];

function shouldersOf(set: JointSet): number[] {
  return JOINT_SETS[set].flatMap((name, k) =>
    /^(?:(?:left|right)_shoulder|[LR]Shoulder|(?:Left|Right)Arm)$/.test(name) ? [k] : [],
  );
}

/** Tells whether rows of numbers, which are mostly rotations, are places: those of legs, with a trunk of such a length. */
function areRowsOfPlaces(set: JointSet, numbers: Float64Array): boolean {
  if (!arePlaces(set, numbers)) return false;
  const row = 3 * JOINT_SETS[set].length;
  const trunk = new Float64Array(3);
  const trunks: number[] = [];
  for (let at = 0; at < numbers.length; at += row) {
    trunk.fill(0);
    for (const shoulder of shouldersOf(set)) vec3.addScaled(trunk, 0, trunk, 0, numbers, at + 3 * shoulder, 0.5);
    for (const [hip] of LEGS[set] ?? []) vec3.addScaled(trunk, 0, trunk, 0, numbers, at + 3 * hip, -0.5);
    trunks.push(vec3.length(trunk, 0));
  }
  const legs = measureLegs(set, numbers).lengths.reduce((sum, length) => sum + length / 2, 0);
  const ratio = medianOf(trunks) / legs;
  return ratio > TRUNK[0] && ratio < TRUNK[1];
}

function findPositions(values: NumpyValues): Positions | null {
  for (const key of KEYS) {
    const array = numericArray(values, key);
    if (array === null || countOf(array.shape) === 0) continue;
    if (isSamples(array)) return readSamples(values, array);
    const { shape } = array;
    const areRows = shape.length === 2 && shape[1] > 3;
    const joints = areRows ? shape[1] / 3 : (shape.at(-2) ?? 0);
    if ((!areRows && shape.at(-1) !== 3) || shape.length < 2 || shape.length > 4) continue;
    if (joints === MHR_JOINTS && shape.length < 4) {
      const numbers = pickJoints(readNumbers(array), MHR_JOINTS, MHR_BODY);
      return { set: 'smpl22', takes: [{ name: '', numbers }], up: '-y', rate: 30 };
    }
    if (!KNOWN_COUNTS.includes(joints)) continue;
    const numbers = readNumbers(array);
    const set = jointSetOf(joints, numbers) as JointSet;
    if (!(areRows ? areRowsOfPlaces : arePlaces)(set, numbers)) continue;
    const size = shape.length === 4 ? numbers.length / shape[0] : numbers.length;
    const label = textAt(values, 'label');
    const takes = Array.from({ length: numbers.length / size }, (_, k) => {
      const name = shape.length === 4 && shape[0] > 1 ? String(k) : (label ?? '');
      return { name, numbers: numbers.subarray(k * size, (k + 1) * size) };
    });
    return { set, takes, up: null, rate: RATES[set] ?? 30 };
  }
  return null;
}

/** Refuses arrays of which it is known what they are, and what is missing. */
function refuseKnown(values: NumpyValues): void {
  const motion = numericArray(values, 'motion') ?? numericArray(values, '');
  if (motion?.shape.includes(VECTOR_WIDTH) === true) {
    const message = `The array ${formatShape(motion.shape)} has vectors of HumanML3D that are normalized, or in another order; multiply them by Std.npy and add Mean.npy of the data set, save them with the shape (frames, ${VECTOR_WIDTH}), or save the joints, (frames, 22, 3)`;
    throw layoutError(message);
  }
  const keypoints = numericArray(values, 'keypoints3d');
  const isHumanData = values.has('image_path') || values.has('__data_len__') || values.has('bbox_xywh');
  if (isHumanData || keypoints?.shape.at(-1) === 4) {
    const message = `The file is a HumanData of mmhuman3d: bodies in images, and not a motion (${describeValues(values)}); save the SMPL poses of one person in order, as "poses" and "trans"`;
    throw layoutError(message);
  }
}

/** Places that tell which direction is up: the middle of ankles, of hips, and the neck or the middle of shoulders. */
function bodyUp(set: JointSet, takes: Positions['takes']): Float64Array {
  const names: readonly string[] = JOINT_SETS[set];
  const [left, right] = LEGS[set] as readonly (readonly [number, number, number])[];
  const shoulders = shouldersOf(set);
  const mean = new Float64Array(3);
  const up = new Float64Array(3);
  let total = 0;
  for (const { numbers } of takes) {
    for (let at = 0; at < numbers.length; at += 3 * names.length) {
      up.fill(0);
      for (const shoulder of shoulders) vec3.addScaled(up, 0, up, 0, numbers, at + 3 * shoulder, 1);
      for (const leg of [left, right]) vec3.addScaled(up, 0, up, 0, numbers, at + 3 * leg[2], -1);
      vec3.normalize(up, 0, up, 0);
      if (!Number.isFinite(up[0] + up[1] + up[2])) continue;
      vec3.add(mean, 0, mean, 0, up, 0);
      total++;
    }
  }
  vec3.scale(mean, 0, mean, 0, 1 / Math.max(1, total));
  return mean;
}

/** Finds the unit of length by the legs: meters per unit, and what to tell. */
function findUnit(set: JointSet, numbers: Float64Array): { meters: number; issues: Issue[] } {
  const { lengths } = measureLegs(set, numbers);
  const leg = lengths.reduce((sum, length) => sum + length, 0) / 2;
  const ratio = (meters: number): number => Math.abs(Math.log((leg * meters) / LEG_LENGTH));
  const [meters, name] = UNITS.reduce((best, unit) => (ratio(unit[0]) < ratio(best[0]) ? unit : best));
  if (meters === 1 && ratio(1) < Math.log(MOST_LEG_FACTOR)) return { meters, issues: [] };
  if (ratio(meters) < Math.log(MOST_LEG_FACTOR)) {
    const message = `Legs are ${leg.toPrecision(3)} units long, so the unit of length is ${name}`;
    return { meters, issues: [issue('UNIT_GUESSED', message)] };
  }
  const scale = leg > 0 && Number.isFinite(leg) ? LEG_LENGTH / leg : 1;
  const message = `Legs are ${leg.toPrecision(3)} units long, in no unit that is known; the body was scaled to that of an adult`;
  return { meters: scale, issues: [issue('UNIT_GUESSED', message)] };
}

const LEFT_HANDED: Issue = issue(
  'NPZ_AXES',
  'Feet or noses would point backward, so the axes of the file are left-handed; the positions were mirrored. Save right-handed positions if left and right are exchanged now',
);

/** Tells whether feet or noses would point backward, as in left-handed axes. */
function isLeftHanded(set: JointSet, takes: Positions['takes']): boolean {
  const names = JOINT_SETS[set];
  const roles = findPointRoles(names, parentsOf(set), takes[0].numbers.subarray(0, 3 * names.length));
  const positions = takes.map(({ numbers }) => ({ positions: numbers }));
  return orientPoints(positions, roles, { metersPerUnit: 1, usualUp: null }).isMirrored;
}

/** Moves hips that never move to the origin, so that it shows that the file does not say where the body goes. */
function centerFixedHips(positions: Float32Array, joints: number): void {
  const [x, y, z] = positions;
  for (let at = 0; at < positions.length; at += 3 * joints)
    if (positions[at] !== x || positions[at + 1] !== y || positions[at + 2] !== z) return;
  for (let at = 0; at < positions.length; at += 3) {
    positions[at] -= x;
    positions[at + 1] -= y;
    positions[at + 2] -= z;
  }
}

/**
 * Reads positions of joints as motions. Returns the motion; null for other arrays. Throws FormatError `NPZ_LAYOUT` for arrays that are known not to
 * be a motion, or that have no body.
 */
export function readPoints(values: NumpyValues, options: NpzOptions): NpzMotion | null {
  const vectors = numericArray(values, 'motion') ?? numericArray(values, '');
  const found: Positions | null =
    vectors !== null && isVectors(vectors)
      ? { set: 'smpl22', takes: [{ name: '', numbers: positionsOfVectors(vectors) }], up: 'y', rate: 20 }
      : findPositions(values);
  if (found === null) {
    refuseKnown(values);
    return null;
  }
  const { set, takes } = found;
  const joints = JOINT_SETS[set].length;
  const up = chooseUp(bodyUp(set, takes), options.up ?? null, found.up);
  const unit = findUnit(set, takes[0].numbers);
  const rate = findFrameRate(
    values,
    found.rate,
    Math.max(...takes.map(({ numbers }) => numbers.length / (3 * joints))),
    options,
  );
  const toY = rotationToY(up.axis);
  const isMirrored = isLeftHanded(set, takes);
  const motions = takes.map(({ name, numbers }) => {
    const positions = new Float32Array(numbers.length);
    const place = new Float64Array(3);
    for (let at = 0; at < numbers.length; at += 3) {
      vec3.rotate(place, 0, toY, 0, numbers, at);
      vec3.scale(positions, at, place, 0, unit.meters);
      if (isMirrored) positions[at] *= -1;
    }
    centerFixedHips(positions, joints);
    return { name, joints: set, positions, frameRate: rate.frameRate };
  });
  try {
    const { skeleton, declared, clips, issues } = motionsFromPoints(motions);
    const isCentered = issues.some(({ code }) => code === 'POINTS_CENTERED');
    const placed = isCentered ? clips.map((clip) => standClip(skeleton, clip)) : clips;
    return {
      skeleton,
      declared,
      up: AXES.y,
      clips: placed,
      issues: [...unit.issues, ...up.issues, ...(isMirrored ? [LEFT_HANDED] : []), ...rate.issues, ...issues],
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw layoutError(`The positions are those of no body: ${error.message}`);
  }
}
