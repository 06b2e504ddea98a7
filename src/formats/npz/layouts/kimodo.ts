import type { ClipPlant } from '../../../core/animation/clip.ts';
import { SIDES } from '../../../core/humanoid/bones.ts';
import * as quat from '../../../core/math/quat.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import { JOINT_SETS, parentsOf } from '../../../core/points/joint-sets.ts';
import { issue } from '../../../core/report/issue.ts';
import { type NumpyArray, readNumbers } from '../container/numpy-array.ts';
import type { NumpyValues } from '../container/parse-numpy.ts';
import { formatShape, layoutError, numericArray } from './arrays.ts';
import { findFrameRate } from './frame-rate.ts';
import { lowShare } from './ground.ts';
import { AXES, clipOf, makeContinuous, type NpzMotion, type NpzOptions, skeletonOf } from './motion.ts';
import { readRotations } from './rotations.ts';

/** Frames that lengths of bones are measured in. */
const MEASURED_FRAMES = 500;
/** Most height of the lowest joint above the ground where feet stand: joints of toes are 3 cm above their soles. */
const HIGHEST_TOE = 0.06;

interface Rig {
  readonly name: string;
  readonly names: readonly string[];
  readonly parents: Int32Array;
  /** Joints of the file with the place and with the rotation of each joint; null where the joints are those of the file. */
  readonly joints: readonly (readonly [place: number, rotation: number])[] | null;
}

/** Number of joints of the robot Unitree G1. */
const G1_COUNT = 34;
/**
 * The joints of the robot as those of a person, under the names of SMPL. Its hips, shoulders, ankles and wrists are several hinges in a row: a joint is at the
 * middle one and has the rotation of the last.
 */
const G1_JOINTS: readonly (readonly [name: string, parent: number, place: number, rotation: number])[] = [
  ['pelvis', -1, 0, 0],
  ['spine1', 0, 15, 17],
  ...['left', 'right'].flatMap((side, k): [string, number, number, number][] => {
    const leg = 7 * k;
    const arm = 8 * k;
    const at = 2 + 7 * k;
    return [
      [`${side}_hip`, 0, leg + 2, leg + 3],
      [`${side}_knee`, at, leg + 4, leg + 4],
      [`${side}_ankle`, at + 1, leg + 5, leg + 6],
      [`${side}_foot`, at + 2, leg + 7, leg + 7],
      [`${side}_shoulder`, 1, arm + 19, arm + 20],
      [`${side}_elbow`, at + 4, arm + 21, arm + 21],
      [`${side}_wrist`, at + 5, arm + 24, arm + 24],
    ];
  }),
];
const G1: Rig = {
  name: 'Unitree G1',
  names: G1_JOINTS.map(([name]) => name),
  parents: Int32Array.from(G1_JOINTS, ([, parent]) => parent),
  joints: G1_JOINTS.map(([, , place, rotation]) => [place, rotation]),
};

function rigOf(joints: number): Rig | null {
  if (joints === G1_COUNT) return G1;
  const set = joints === 30 ? 'soma30' : joints === 77 ? 'soma77' : null;
  return set === null
    ? null
    : { name: 'SOMA', names: JOINT_SETS[set], parents: parentsOf(set) as Int32Array, joints: null };
}

/** Reads rotations of all joints in the world: as they are, or from those relative to the parents. */
function readWorldRotations(values: NumpyValues, count: number, { parents, joints }: Rig): Float64Array | null {
  const world = numericArray(values, 'global_rot_mats');
  if (world !== null) return readRotations(world, 'global_rot_mats', [count]).values;
  const local = numericArray(values, 'local_rot_mats');
  if (local === null || joints !== null) return null;
  const { values: out, frames } = readRotations(local, 'local_rot_mats', [count]);
  for (let at = 0; at < frames * count; at++) {
    const parent = parents[at % count];
    if (parent >= 0) quat.multiply(out, 4 * at, out, 4 * (at - (at % count) + parent), out, 4 * at);
  }
  return out;
}

/** Takes numbers of some joints of every frame. */
function pick(numbers: Float64Array, count: number, width: number, joints: readonly number[]): Float64Array {
  const frames = numbers.length / (count * width);
  const out = new Float64Array(frames * joints.length * width);
  for (let frame = 0; frame < frames; frame++) {
    for (const [k, joint] of joints.entries()) {
      const from = (frame * count + joint) * width;
      out.set(numbers.subarray(from, from + width), (frame * joints.length + k) * width);
    }
  }
  return out;
}

/** Measures where joints are in the axes of their parents: the mean over the frames. */
function measureOffsets({ parents }: Rig, positions: Float64Array, rotations: Float64Array): Float64Array {
  const count = parents.length;
  const frames = positions.length / (3 * count);
  const stride = Math.max(1, Math.floor(frames / MEASURED_FRAMES));
  const offsets = new Float64Array(3 * count);
  const way = new Float64Array(3);
  for (let joint = 1; joint < count; joint++) {
    let measured = 0;
    for (let frame = 0; frame < frames; frame += stride) {
      const at = frame * count;
      const parent = at + parents[joint];
      vec3.subtract(way, 0, positions, 3 * (at + joint), positions, 3 * parent);
      vec3.rotateBack(way, 0, rotations, 4 * parent, way, 0);
      if (!Number.isFinite(way[0] + way[1] + way[2])) continue;
      vec3.add(offsets, 3 * joint, offsets, 3 * joint, way, 0);
      measured++;
    }
    vec3.scale(offsets, 3 * joint, offsets, 3 * joint, 1 / Math.max(1, measured));
  }
  return offsets;
}

/** Places the root at rest so that the lowest joint is as high as where it stands in the motion. */
function restRoot({ parents }: Rig, offsets: Float64Array, positions: Float64Array): void {
  const count = parents.length;
  const heights = new Float64Array(count);
  for (let joint = 1; joint < count; joint++) heights[joint] = heights[parents[joint]] + offsets[3 * joint + 1];
  const lowest = Float64Array.from({ length: positions.length / (3 * count) }, (_, frame) => {
    let least = Infinity;
    for (let joint = 0; joint < count; joint++) least = Math.min(least, positions[3 * (frame * count + joint) + 1]);
    return least;
  });
  const standing = Math.min(HIGHEST_TOE, Math.max(0, lowShare(lowest)));
  offsets[1] = standing - Math.min(...heights);
}

function readPositions(array: NumpyArray, joints: number): Float64Array {
  const { shape } = array;
  if (shape.length === 3 && shape[1] === joints && shape[2] === 3 && shape[0] > 0) return readNumbers(array);
  throw layoutError(`posed_joints has the shape ${formatShape(shape)}, expected (frames, ${joints}, 3)`);
}

/** Parts of the feet in columns of contacts: of four, and of six with the ends of the toes. */
const CONTACT_PARTS: Readonly<Record<number, readonly ClipPlant['part'][]>> = {
  4: ['heel', 'ball'],
  6: ['heel', 'ball', 'ball'],
};

/** Reads when heels and toes stand, left before right; none for other shapes. */
function readPlants(values: NumpyValues, frames: number, frameRate: number): ClipPlant[] {
  const array = numericArray(values, 'foot_contacts');
  const [rows, columns] = array?.shape ?? [];
  const parts = CONTACT_PARTS[columns];
  if (array === null || array.shape.length !== 2 || rows !== frames || parts === undefined) return [];
  const contacts = readNumbers(array);
  const plants: ClipPlant[] = [];
  for (const [foot, side] of SIDES.entries()) {
    for (const part of new Set(parts)) {
      const own = parts.flatMap((one, k) => (one === part ? [foot * parts.length + k] : []));
      let start = -1;
      for (let frame = 0; frame <= frames; frame++) {
        const stands = frame < frames && own.some((column) => contacts[frame * columns + column] > 0.5);
        if (stands && start < 0) start = frame;
        if (stands || start < 0) continue;
        plants.push({ side, part, from: start / frameRate, to: (frame - 1) / frameRate });
        start = -1;
      }
    }
  }
  return plants;
}

/** Reads motions of Kimodo. Returns the motion; null for other arrays. Throws FormatError `NPZ_LAYOUT` for arrays that contradict each other. */
export function readKimodo(values: NumpyValues, options: NpzOptions): NpzMotion | null {
  const posed = numericArray(values, 'posed_joints');
  if (posed === null) return null;
  const [frames, stored] = posed.shape;
  const rig = rigOf(stored);
  const world = rig === null ? null : readWorldRotations(values, stored, rig);
  if (rig === null || world === null) return null;
  const places = readPositions(posed, stored);
  if (world.length !== 4 * frames * stored) {
    const message = `posed_joints has ${frames} frames, the rotations have ${world.length / (4 * stored)}; the arrays are of different motions`;
    throw layoutError(message);
  }
  const { names, parents, joints } = rig;
  const positions =
    joints === null
      ? places
      : pick(
          places,
          stored,
          3,
          joints.map(([place]) => place),
        );
  const rotations =
    joints === null
      ? world
      : pick(
          world,
          stored,
          4,
          joints.map(([, rotation]) => rotation),
        );
  const count = names.length;
  const offsets = measureOffsets(rig, positions, rotations);
  restRoot(rig, offsets, positions);
  const tracks = new Map<number, Float32Array>();
  const toParent = new Float64Array(4);
  for (let joint = 0; joint < count; joint++) {
    const own = new Float32Array(4 * frames);
    for (let frame = 0; frame < frames; frame++) {
      const at = frame * count;
      if (joint === 0) quat.copy(own, 4 * frame, rotations, 4 * at);
      else {
        quat.conjugate(toParent, 0, rotations, 4 * (at + parents[joint]));
        quat.multiply(own, 4 * frame, toParent, 0, rotations, 4 * (at + joint));
      }
    }
    tracks.set(joint, makeContinuous(own));
  }
  const root = new Float32Array(3 * frames);
  for (let frame = 0; frame < frames; frame++) vec3.copy(root, 3 * frame, positions, 3 * frame * count);
  const rate = findFrameRate(values, 30, frames, options);
  const plants = readPlants(values, frames, rate.frameRate);
  const robot =
    'The motion is that of the robot Unitree G1, which has no head, no neck and no shoulder blades, and other proportions than people; its limbs move those of the character';
  return {
    skeleton: skeletonOf(rig.name, names, parents, offsets),
    declared: null,
    up: AXES[options.up ?? 'y'],
    clips: [
      {
        ...clipOf({ name: '', frames, rotations: tracks, root }, rate.frameRate),
        ...(plants.length === 0 ? {} : { plants }),
      },
    ],
    issues: [...(rig === G1 ? [issue('NPZ_BODY', robot)] : []), ...rate.issues],
  };
}
