/** Positions of joints: HumanML3D, MDM, JDM, lifting to the joints of Human3.6M, SAM 3D Body. */

import { medianOf } from '../../../core/math/median.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import { dropZeros } from '../../../core/points/drop-zeros.ts';
import { arePlaces, findJointSet, KNOWN_COUNTS, LEGS, measureLegs } from '../../../core/points/find-joint-set.ts';
import { JOINT_SETS, type JointSet, parentsOf } from '../../../core/points/joint-sets.ts';
import { motionsFromPoints } from '../../../core/points/motion-from-points.ts';
import { findPointRoles } from '../../../core/points/name-roles.ts';
import {
  type BodyMeasures,
  findCameraUp,
  findUnit,
  MEDIAPIPE_UP,
  measureBody,
} from '../../../core/points/orient-points.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { countOf, type NumpyArray, readNumbers } from '../container/numpy-array.ts';
import type { NumpyValues } from '../container/parse-numpy.ts';
import { describeValues, formatShape, layoutError, numericArray, textAt } from './arrays.ts';
import { findFrameRate } from './frame-rate.ts';
import { standClip } from './ground.ts';
import { isVectors, positionsOfVectors, VECTOR_WIDTH } from './humanml-vectors.ts';
import { AXES, type NpzMotion, type NpzOptions, rotationToY, type UpAxis } from './motion.ts';
import { chooseUp, type FoundUp } from './up-axis.ts';

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

/** Joint lists of detectors, which lose points. The pelvis of models can begin at the origin. */
const DETECTED: ReadonlySet<JointSet> = new Set(['coco17', 'halpe26', 'body25', 'mediapipe33']);

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

/** Reads motions with the axes sample, joint, coordinate, frame, as MDM writes them, or one without the first axis. The rest of each is padding. Null for other numbers. */
function readSamples(values: NumpyValues, array: NumpyArray): Positions | null {
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
  const [first] = takes;
  const set = findJointSet(joints, first.numbers) as JointSet;
  if (!isBody(set, first.numbers)) return null;
  // Rotation matrices with a column for translations have as many axes; models have the size of a person.
  const { length } = measureBody([{ positions: first.numbers }], rolesOf(set, first.numbers));
  return findUnit(length).name === null ? null : { set, takes, up: 'y', rate: 20 };
}

function isSamples({ shape }: NumpyArray): boolean {
  const [joints, axes, frames] = shape.slice(-3);
  return (shape.length === 3 || shape.length === 4) && axes === 3 && KNOWN_COUNTS.includes(joints) && frames > 3;
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

/** Tells whether numbers that may as well be rotations are places: those of legs, with a trunk of such a length. */
function isBody(set: JointSet, numbers: Float64Array): boolean {
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
  const ratio = medianOf(trunks.filter(Number.isFinite)) / legs;
  return ratio > TRUNK[0] && ratio < TRUNK[1];
}

function findPositions(values: NumpyValues): Positions | null {
  for (const key of KEYS) {
    const array = numericArray(values, key);
    if (array === null || countOf(array.shape) === 0) continue;
    const samples = isSamples(array) ? readSamples(values, array) : null;
    if (samples !== null) return samples;
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
    const set = findJointSet(joints, numbers) as JointSet;
    if (DETECTED.has(set)) dropZeros(numbers, rolesOf(set, numbers));
    if (!(areRows ? isBody : arePlaces)(set, numbers)) continue;
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

/** Names of units in messages. */
const UNIT_NAMES: Readonly<Record<string, string>> = { cm: 'centimeters', mm: 'millimeters', in: 'inches' };

function unitIssues(length: number): Issue[] {
  const { meters, name } = findUnit(length);
  if (meters === 1) return [];
  const why =
    name === null
      ? 'in no unit that is known; the body was scaled to that of an adult'
      : `so the unit of length is ${UNIT_NAMES[name]}`;
  return [issue('UNIT_GUESSED', `Trunk and legs are ${length.toPrecision(3)} units long, ${why}`)];
}

/** Finds the up axis of landmarks of MediaPipe. */
function findLandmarksUp(body: BodyMeasures): FoundUp {
  const [axis, sign] = findCameraUp(body, MEDIAPIPE_UP);
  const name = 'xyz'[axis] as UpAxis;
  if (sign < 0) return { axis: `-${name}` as UpAxis, issues: [] };
  const message = `Landmarks of MediaPipe usually have −Y up, but the person stands along +${name.toUpperCase()}, which was used. If the person lies or stands on the hands, give the up axis`;
  return { axis: name, issues: [issue('NPZ_AXES', message)] };
}

const LEFT_HANDED: Issue = issue(
  'NPZ_AXES',
  'Feet or noses would point backward, so the axes of the file are left-handed; the positions were mirrored. Save right-handed positions if left and right are exchanged now',
);

/** The role of each joint of a list. */
function rolesOf(set: JointSet, numbers: Float64Array): Int16Array {
  const names = JOINT_SETS[set];
  return findPointRoles(names, parentsOf(set), numbers.subarray(0, 3 * names.length));
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
  const body = measureBody(
    takes.map(({ numbers }) => ({ positions: numbers })),
    rolesOf(set, takes[0].numbers),
  );
  const up =
    set === 'mediapipe33' && found.up === null && options.up === undefined
      ? findLandmarksUp(body)
      : chooseUp(body.up, options.up ?? null, found.up);
  const { meters } = findUnit(body.length);
  const rate = findFrameRate(
    values,
    found.rate,
    Math.max(...takes.map(({ numbers }) => numbers.length / (3 * joints))),
    options,
  );
  const toY = rotationToY(up.axis);
  const motions = takes.map(({ name, numbers }) => {
    const positions = new Float32Array(numbers.length);
    const place = new Float64Array(3);
    for (let at = 0; at < numbers.length; at += 3) {
      vec3.rotate(place, 0, toY, 0, numbers, at);
      vec3.scale(positions, at, place, 0, meters);
      if (body.isLeftHanded) positions[at] *= -1;
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
      issues: [
        ...unitIssues(body.length),
        ...up.issues,
        ...(body.isLeftHanded ? [LEFT_HANDED] : []),
        ...rate.issues,
        ...issues,
      ],
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw layoutError(`The positions are those of no body: ${error.message}`);
  }
}
