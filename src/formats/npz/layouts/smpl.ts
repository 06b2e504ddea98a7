/** Poses of SMPL, SMPL-H and SMPL-X: of AMASS, Meshcapade, GVHMR, GLAMR, AIST++ and programs that write arrays with the same names. */
import * as quat from '../../../core/math/quat.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { countOf, type NumpyArray, parseElementType, readNumbers } from '../container/numpy-array.ts';
import { type NumpyValues, namedItems } from '../container/parse-numpy.ts';
import { describeValues, firstArray, formatShape, layoutError, numberAt, numericArray } from './arrays.ts';
import { findFrameRate } from './frame-rate.ts';
import { standTakes } from './ground.ts';
import {
  clipOf,
  makeContinuous,
  type NpzMotion,
  type NpzOptions,
  rotationToY,
  type Take,
  type UpAxis,
} from './motion.ts';
import { jointsOf, type Rotations, readRotations, rotationsOfJoint } from './rotations.ts';
import { BODY_JOINTS, PELVIS_OF_MODEL, SMPLX_JOINTS, smplSkeleton } from './smpl-body.ts';
import { measureUp } from './up-axis.ts';

/** Joints of a whole pose: of the body alone, SMPL, SMPL-H and SMPL-X. */
const WHOLE = [55, 52, 24, 22];
/** Joints of the body without the root: without and with the palms of SMPL, which are not read. */
const BODY = [21, 23];
const HAND = 15;

/** Names of arrays. What is relative to the world comes before what is relative to a camera. */
const KEYS = {
  whole: ['pose_world', 'poses', 'smpl_poses', 'pose', 'fullpose', 'full_pose', 'smpl_thetas', 'thetas', ''],
  root: ['smpl_orient_world', 'global_orient', 'root_orient', 'poses_root', 'root_pose'],
  body: ['body_pose', 'pose_body', 'poses_body', 'smpl_pose', 'bodyPose'],
  translation: [
    'trans_world',
    'root_trans_world',
    'trans',
    'transl',
    'smpl_trans',
    'bodyTranslation',
    'translation',
    'root_trans',
  ],
} as const;

/** Joints of hands and face, by the names of their arrays: the first of the joints in {@link SMPLX_JOINTS}, and how many. */
const PARTS: readonly (readonly [keys: readonly string[], first: number, count: number])[] = [
  [['pose_jaw', 'jaw_pose', 'poses_jaw'], 22, 1],
  [['pose_eye', 'eye_pose'], 23, 2],
  [['leye_pose', 'left_eye_pose'], 23, 1],
  [['reye_pose', 'right_eye_pose'], 24, 1],
  [['headPose'], 22, 3],
  [['pose_hand', 'hand_pose'], 25, 2 * HAND],
  [['left_hand_pose', 'leftHandPose'], 25, HAND],
  [['right_hand_pose', 'rightHandPose'], 25 + HAND, HAND],
];

/** Versions of `.smpl` whose poses are those of SMPL, SMPL-H and SMPL-X. */
const SMPL_VERSIONS = [0, 1, 2];
const OTHER_MODELS: Readonly<Record<number, string>> = { 3: 'SUPR', 4: 'SMPL++', 5: 'SKEL' };

/** Dicts that hold poses relative to a camera beside others that are relative to the world. */
const CAMERA = /incam|(?:^|_)cam(?:era)?(?:_|$)/i;
/** Depth of dicts in which people are looked for: a person of a file of several, and the body among other data. */
const MOST_DEPTH = 3;
/** People of a file that are read. */
const MOST_PEOPLE = 100;

/** Rotations of a joint of the body, and where they are from. */
type JointRotations = Map<string, { readonly rotations: Rotations; readonly index: number }>;

interface Person {
  readonly name: string;
  readonly values: NumpyValues;
  readonly joints: JointRotations;
  readonly frames: number;
  /** Translation of the model, xyz per frame, in the axes of the file; null without. */
  readonly translation: Float64Array | null;
  readonly model: keyof typeof PELVIS_OF_MODEL;
  readonly skipped: readonly string[];
}

function add(joints: JointRotations, names: readonly string[], rotations: Rotations): void {
  for (const [k, name] of names.entries()) joints.set(name, { rotations, index: k });
}

function wholeNames(count: number): readonly string[] {
  // SMPL-H has no jaw and no eyes, SMPL has two palms instead of fingers, which no rig has.
  if (count === 52) return [...SMPLX_JOINTS.slice(0, BODY_JOINTS), ...SMPLX_JOINTS.slice(25)];
  return SMPLX_JOINTS.slice(0, count === 24 ? BODY_JOINTS : count);
}

function isPerson(values: NumpyValues): boolean {
  const { whole, root, body } = KEYS;
  const poses = firstArray(values, whole);
  if (poses !== null && jointsOf(poses.array, WHOLE) > 0) return true;
  return values.has('smplVersion') || (firstArray(values, root) !== null && firstArray(values, body) !== null);
}

/** Adds hands and face. Hands as principal components need the model. */
function addParts(values: NumpyValues, joints: JointRotations): string[] {
  const skipped: string[] = [];
  for (const [keys, first, count] of PARTS) {
    const found = firstArray(values, keys);
    if (found === null || countOf(found.array.shape) === 0) continue;
    const { key, array } = found;
    if (jointsOf(array, [count]) > 0) {
      add(joints, SMPLX_JOINTS.slice(first, first + count), readRotations(array, key, [count]));
      continue;
    }
    // The palms of SMPL are one joint.
    if (count !== HAND || jointsOf(array, [1]) === 0) skipped.push(`${key} ${formatShape(array.shape)}`);
  }
  return skipped;
}

/** Refuses files of other models, and those with a shape and no pose. */
function checkSmplFile(values: NumpyValues): void {
  const version = numberAt(values, ['smplVersion']);
  if (version === null) return;
  const pose = numericArray(values, 'bodyPose');
  if (pose === null || countOf(pose.shape) === 0) {
    const message = `The .smpl file has the shape of a body and no pose (${describeValues(values)}); export the animation, or the pose, and not the avatar alone`;
    throw layoutError(message);
  }
  const isModel = SMPL_VERSIONS.includes(version) && jointsOf(pose, [BODY_JOINTS]) > 0;
  // An avatar is one frame in which nothing is rotated.
  const isAvatar = pose.shape[0] === 1 && isModel && readNumbers(pose).every((angle) => angle === 0);
  if (isModel && !isAvatar) return;
  if (isAvatar) {
    const message =
      'The .smpl file has the shape of a body in its T-pose and no motion; export the animation, or the pose, and not the avatar alone';
    throw layoutError(message);
  }
  const model = OTHER_MODELS[version] ?? `version ${version}`;
  const message = `The .smpl file is for the body model ${model}, with ${formatShape(pose.shape)} numbers that are no rotations of joints; anyrig reads SMPL, SMPL-H and SMPL-X (versions 0 to 2): export it as SMPL-X, or as FBX or GLB`;
  throw layoutError(message);
}

function addBody(values: NumpyValues, joints: JointRotations): void {
  const body = firstArray(values, KEYS.body);
  if (body === null) throw layoutError(`No pose of a body was found among ${describeValues(values)}`);
  if (jointsOf(body.array, [BODY_JOINTS]) > 0 && values.has('smplVersion')) {
    add(joints, SMPLX_JOINTS.slice(0, BODY_JOINTS), readRotations(body.array, body.key, [BODY_JOINTS]));
    return;
  }
  const root = firstArray(values, KEYS.root);
  if (root !== null) add(joints, [SMPLX_JOINTS[0]], readRotations(root.array, root.key, [1]));
  const rotations = readRotations(body.array, body.key, BODY);
  add(joints, SMPLX_JOINTS.slice(1, BODY_JOINTS), rotations);
}

function readTranslation(values: NumpyValues, frames: number): Float64Array | null {
  const found = firstArray(values, KEYS.translation);
  if (found === null || countOf(found.array.shape) === 0) return null;
  const { key, array } = found;
  const count = countOf(array.shape) / 3;
  if (array.shape.at(-1) !== 3 || (count !== frames && count !== 1)) {
    const message = `${key} has the shape ${formatShape(array.shape)}, expected a place per frame, (${frames}, 3); the program that wrote the file mixed up its arrays`;
    throw layoutError(message);
  }
  const numbers = readNumbers(array);
  // AIST++ has lengths in units of which `smpl_scaling` are a meter.
  const scaling = numberAt(values, ['smpl_scaling']) ?? 1;
  const unit = scaling > 0 ? 1 / scaling : 1;
  return Float64Array.from({ length: 3 * frames }, (_, k) => unit * numbers[count === 1 ? k % 3 : k]);
}

function readPerson(name: string, values: NumpyValues): Person {
  checkSmplFile(values);
  const joints: JointRotations = new Map();
  const whole = firstArray(values, KEYS.whole);
  const count = whole === null ? 0 : jointsOf(whole.array, WHOLE);
  if (whole !== null && count > 0) add(joints, wholeNames(count), readRotations(whole.array, whole.key, [count]));
  else addBody(values, joints);
  const skipped = count > BODY_JOINTS ? [] : addParts(values, joints);
  let frames = 1;
  for (const { rotations } of joints.values()) frames = Math.max(frames, rotations.frames);
  for (const [joint, { rotations }] of joints) {
    if (rotations.frames === frames || rotations.frames === 1) continue;
    const message = `The rotations of ${joint} have ${rotations.frames} frames, those of other joints ${frames}; the arrays are of different motions`;
    throw layoutError(message);
  }
  const isSmplx = joints.has('jaw') || (joints.has('left_index1') && !values.has('dmpls') && count !== 52);
  const version = numberAt(values, ['smplVersion']);
  // GVHMR and others that have 21 joints of the body write those of SMPL-X.
  const hasBodyOnly = joints.size === BODY_JOINTS && count === 0;
  const model = version === null ? (isSmplx || hasBodyOnly ? 'smplx' : 'smpl') : version === 2 ? 'smplx' : 'smpl';
  return { name, values, joints, frames, translation: readTranslation(values, frames), model, skipped };
}

function rowOf(array: NumpyArray, row: number): NumpyArray {
  const numbers = readNumbers(array);
  const width = numbers.length / array.shape[0];
  const bytes = new Uint8Array(numbers.slice(row * width, (row + 1) * width).buffer);
  const type = parseElementType('<f8');
  return { kind: 'array', type, shape: [1, ...array.shape.slice(1)], isFortran: false, bytes: () => bytes };
}

/** Splits the people that ROMP found in one image: its arrays have a row per person, and not per frame. */
function peopleOfImage(values: NumpyValues): NumpyValues[] | null {
  const poses = numericArray(values, 'smpl_thetas');
  if (poses === null || !values.has('cam_trans') || jointsOf(poses, WHOLE) === 0 || poses.shape.length < 2) return null;
  const people = Math.min(poses.shape[0], MOST_PEOPLE);
  return Array.from({ length: people }, (_, row) => new Map([['smpl_thetas', rowOf(poses, row)]]));
}

/** Finds the people of a file: its own arrays, or dicts in it. */
function findPeople(name: string, values: NumpyValues, depth = 0): Person[] {
  const inImage = peopleOfImage(values);
  if (inImage !== null) return inImage.map((person, k) => readPerson(String(k), person));
  if (isPerson(values)) return [readPerson(name, values)];
  if (depth === MOST_DEPTH) return [];
  const dicts = [...values].filter((entry): entry is [string, Map<unknown, unknown>] => entry[1] instanceof Map);
  const inWorld = dicts.filter(([key]) => !CAMERA.test(key));
  const people: Person[] = [];
  for (const [key, dict] of inWorld.length > 0 ? inWorld : dicts) {
    if (people.length < MOST_PEOPLE) people.push(...findPeople(key, namedItems(dict), depth + 1));
  }
  return people;
}

/** What the producers of files say about their axes; null where they say nothing. */
function declaredUp(values: NumpyValues): UpAxis | null {
  if (values.has('mocap_framerate') || values.has('mocap_frame_rate') || values.has('smpl_orient_world')) return 'z';
  if (values.has('global_orient_incam') || values.has('smplVersion') || values.has('smpl_scaling')) return 'y';
  return null;
}

/** Frame rates that programs use without writing them: AIST++ has 60, video 30. */
function usualRate(values: NumpyValues): number {
  return values.has('smpl_scaling') || values.has('smpl_loss') ? 60 : 30;
}

/** Converts a person into a take on the skeleton: +Y up, meters. */
function takeOf({ name, joints, frames, translation, model }: Person, names: readonly string[], up: UpAxis): Take {
  const toY = rotationToY(up);
  const rotations = new Map<number, Float32Array>();
  for (const [joint, { rotations: all, index }] of joints) {
    const values = rotationsOfJoint(all, index, frames);
    if (joint === names[0]) for (let at = 0; at < values.length; at += 4) quat.multiply(values, at, toY, 0, values, at);
    rotations.set(names.indexOf(joint), makeContinuous(values));
  }
  if (translation === null) return { name, frames, rotations, root: null };
  const root = new Float32Array(3 * frames);
  const place = new Float64Array(3);
  for (let at = 0; at < root.length; at += 3) {
    // The pelvis turns about itself; where it is at translation 0 does not turn with the body.
    for (let axis = 0; axis < 3; axis++) place[axis] = translation[at + axis] + PELVIS_OF_MODEL[model][axis];
    vec3.rotate(root, at, toY, 0, place, 0);
  }
  return { name, frames, rotations, root };
}

function bodyIssues(people: readonly Person[]): Issue[] {
  const message =
    'The file has no lengths of bones: its body model is not part of it. The body of an average adult was used; steps may be a little long or short for its legs';
  const skipped = [...new Set(people.flatMap((person) => person.skipped))];
  return [
    issue('NPZ_BODY', message),
    ...(skipped.length === 0
      ? []
      : [
          issue(
            'NPZ_SKIPPED',
            `${skipped.join(', ')} was left out: hands as principal components need the body model; save them as 45 numbers per hand`,
          ),
        ]),
  ];
}

/**
 * Reads poses of SMPL models. Returns the motion; null for other arrays. Throws FormatError `NPZ_LAYOUT` for arrays that contradict each other, and
 * for other body models.
 */
export function readSmpl(values: NumpyValues, options: NpzOptions): NpzMotion | null {
  const people = findPeople('', values);
  if (people.length === 0) return null;
  const present = new Set(people.flatMap(({ joints }) => [...joints.keys()]));
  const names = SMPLX_JOINTS.filter((name, k) => k < BODY_JOINTS || present.has(name));
  const skeleton = smplSkeleton(names);
  const [first] = people;
  const roots = people.map(({ joints, frames }) => {
    const root = joints.get(SMPLX_JOINTS[0]);
    return root === undefined ? new Float32Array(0) : rotationsOfJoint(root.rotations, root.index, frames);
  });
  const up = measureUp(roots, options.up ?? null, declaredUp(first.values));
  const rate = findFrameRate(
    first.values,
    usualRate(first.values),
    Math.max(...people.map(({ frames }) => frames)),
    options,
  );
  const takes = people.map((person) =>
    takeOf({ ...person, name: people.length > 1 ? person.name : '' }, names, up.axis),
  );
  const isFloorKnown = up.axis !== '-y' && !first.values.has('smpl_scaling');
  const stood = standTakes(skeleton, takes, isFloorKnown);
  return {
    skeleton,
    up: [0, 1, 0],
    declared: null,
    clips: stood.takes.map((take) => clipOf(take, rate.frameRate)),
    issues: [...bodyIssues(people), ...up.issues, ...stood.issues, ...rate.issues],
  };
}
