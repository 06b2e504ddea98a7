/**
 * Plans the Models of a new FBX file: which nodes become joints, below which parent, and with which local transform.
 *
 * All joints are below one root bone at scale 1. Rest scales are removed: a joint's frame `W(n) · D(n)`, with a constant
 * diagonal matrix D, has scale 1 at rest, so that nothing in the file depends on scales that programs treat differently.
 * The joint then moves as before, because D is constant and diagonal matrices commute with the scale of the node.
 */
import type { Floats } from '../../../../core/math/floats.ts';
import * as mat4 from '../../../../core/math/mat4.ts';
import * as quat from '../../../../core/math/quat.ts';
import * as vec3 from '../../../../core/math/vec3.ts';
import type { SpaceChange } from '../../../../core/skeleton/change-space.ts';
import { modelMatrices } from '../../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../../../../core/skeleton/skeleton.ts';
import { uniqueName } from '../../../../core/text/unique-name.ts';

/** A transform without shear: `p ↦ translation + factor · rotation · p`. The factor is negative for a reflection. */
interface SignedSimilarity {
  /** xyz. */
  readonly translation: Float64Array;
  /** Unit quaternion xyzw. */
  readonly rotation: Float64Array;
  /** Scale, not 0. */
  readonly factor: number;
}

export interface PlannedJoint {
  readonly name: string;
  /** Node of the skeleton; −1 for an added root bone. */
  readonly node: number;
  /** Index of the parent joint; −1 for the root. */
  readonly parent: number;
  /** Transform from the space of the node's parent in the skeleton to the frame of the parent joint. */
  readonly fromParent: SignedSimilarity;
  /** Factors of the node's scale: those that make the rest scale 1 and positive. */
  readonly scaleFactors: Float64Array;
  /** Diagonal of D: the frame of the joint is that of the node times D. */
  readonly frame: Float64Array;
  /** Local rest transform, {@link POSE_STRIDE} floats. */
  readonly rest: Float64Array;
}

/** The joints of a file, parents first; empty for a scene without joints. */
export interface JointPlan {
  readonly joints: readonly PlannedJoint[];
  /** Joint of each node, −1 for nodes that are no joint. */
  readonly jointOf: Int32Array;
  /** Names of joints that were changed to be unique: former and new name. */
  readonly renamed: readonly (readonly [from: string, to: string])[];
  readonly uneven: readonly string[];
}

interface JointCandidates {
  /** 1 for nodes that must be joints: joints of skins, bones, animated nodes. */
  readonly required: Uint8Array;
  /** 1 for nodes that hold a mesh. */
  readonly hasMesh: Uint8Array;
  /** Node of the hips, which are never the root bone; −1 without. */
  readonly hips: number;
  /** Whether a single topmost joint is the root bone wherever it is; false by default. */
  readonly keepsTop?: boolean;
}

/** Name of an added root bone, and of joints without a usable name. */
const ROOT_NAME = 'root';
/** Unreal drops a node with this name, which is that of Blender's armatures. */
const DROPPED_NAME = /^armature$/i;
/** Distance of a root bone from the origin, as a fraction of the size of the skeleton: rounding, and feet that are not exactly on the ground. */
const AT_ORIGIN = 0.01;
/** Relative difference of the axes, and their skew, up to which a static scale is folded into the nodes below: float32 rounding. */
const FOLDED_SCALE = 1e-6;
/** Relative difference of the axes of a joint's scale that is not worth a word. The file has it in any case. */
const SAME_SCALE = 1e-3;

/** Closes the set of joints: nodes between joints, nodes below them that hold no mesh, and nodes above them whose uneven scales remain. */
function closeJoints(
  { parents, rest }: Pick<Skeleton, 'parents' | 'rest'>,
  worlds: Float64Array,
  { required, hasMesh }: JointCandidates,
): Uint8Array {
  const count = parents.length;
  const isJoint = required.slice();
  const hasJointBelow = new Uint8Array(count);
  // Whether the nodes above a joint skew it together; uneven scales that cancel each other do not.
  const isSkewedBelow = new Uint8Array(count);
  for (let node = count - 1; node >= 0; node--) {
    const parent = parents[node];
    if (parent < 0) continue;
    if (isJoint[node] === 1 || hasJointBelow[node] === 1) hasJointBelow[parent] = 1;
    if (isSkewedBelow[node] === 1 || (isJoint[node] === 1 && !isSimilarity(worlds, MATRIX_STRIDE * parent)))
      isSkewedBelow[parent] = 1;
  }
  const isBelowJoint = new Uint8Array(count);
  for (let node = 0; node < count; node++) {
    const parent = parents[node];
    if (parent >= 0 && (isJoint[parent] === 1 || isBelowJoint[parent] === 1)) isBelowJoint[node] = 1;
    if (isBelowJoint[node] === 1 && (hasJointBelow[node] === 1 || hasMesh[node] === 0)) isJoint[node] = 1;
    // A static node whose uneven scale remains cannot be folded into the nodes below it.
    if (isSkewedBelow[node] === 1 && !isEven(rest, POSE_STRIDE * node + PATH_OFFSET.scale, FOLDED_SCALE))
      isJoint[node] = 1;
  }
  return isJoint;
}

/** Checks whether a matrix is without uneven scale and skew: its columns are as long as each other and at right angles. */
function isSimilarity(m: Float64Array, i: number): boolean {
  const [x, y, z] = [0, 4, 8].map((column) => m.subarray(i + column, i + column + 3));
  const lengths = Float64Array.of(Math.hypot(...x), Math.hypot(...y), Math.hypot(...z));
  const limit = FOLDED_SCALE * Math.max(...lengths) ** 2;
  const isSquare = [vec3.dot(x, 0, y, 0), vec3.dot(y, 0, z, 0), vec3.dot(z, 0, x, 0)].every(
    (dot) => Math.abs(dot) <= limit,
  );
  return isSquare && isEven(lengths, 0, FOLDED_SCALE);
}

function isEven(scale: Floats, i: number, tolerance: number): boolean {
  const x = Math.abs(scale[i]);
  const y = Math.abs(scale[i + 1]);
  const z = Math.abs(scale[i + 2]);
  const most = Math.max(x, y, z);
  return most > 0 && most - Math.min(x, y, z) <= tolerance * most;
}

/** Signs of a scale as a reflection (−1 or 1) times a rotation by 180° about an axis, or none: diagonal 1 and −1. */
function signsOf(scale: Floats, i: number): { reflection: 1 | -1; turn: [number, number, number] } {
  const sign = (c: number): 1 | -1 => (scale[i + c] < 0 ? -1 : 1);
  const reflection = (sign(0) * sign(1) * sign(2)) as 1 | -1;
  return { reflection, turn: [reflection * sign(0), reflection * sign(1), reflection * sign(2)] };
}

/** Writes the rotation whose matrix is a diagonal of 1 and two or no −1. */
function turnRotation(out: Float64Array, [x, y, z]: readonly [number, number, number]): void {
  if (x > 0 && y > 0 && z > 0) quat.identity(out, 0);
  else quat.set(out, 0, x > 0 ? 1 : 0, y > 0 ? 1 : 0, z > 0 ? 1 : 0, 0);
}

/** Multiplies a similarity by a matrix without uneven scale and skew. */
function timesMatrix(
  { translation, rotation, factor }: SignedSimilarity,
  m: Float64Array,
  i: number,
): SignedSimilarity {
  const own = Math.cbrt(mat4.determinant(m, i));
  const unit = m.slice(i, i + MATRIX_STRIDE);
  for (let column = 0; column < 3; column++) vec3.scale(unit, 4 * column, unit, 4 * column, 1 / own);
  const local = new Float64Array(POSE_STRIDE);
  mat4.decompose(local, 0, unit, 0);
  const moved = new Float64Array(3);
  vec3.rotate(moved, 0, rotation, 0, local, 0);
  vec3.addScaled(moved, 0, translation, 0, moved, 0, factor);
  const turned = new Float64Array(4);
  quat.multiply(turned, 0, rotation, 0, local, PATH_OFFSET.rotation);
  return { translation: moved, rotation: turned, factor: factor * own };
}

/** The inverse of the diagonal frame of a joint that has children: a rotation by 180° or none, and a factor. */
function inverseFrame(frame: Float64Array): SignedSimilarity {
  const { reflection, turn } = signsOf(frame, 0);
  const rotation = new Float64Array(4);
  turnRotation(rotation, turn);
  return { translation: new Float64Array(3), rotation, factor: reflection / Math.abs(frame[0]) };
}

/** Maps a local transform of a node to that of its joint. */
function jointTransform(
  out: Floats,
  o: number,
  { fromParent, scaleFactors }: Pick<PlannedJoint, 'fromParent' | 'scaleFactors'>,
  local: Floats,
  i: number,
): void {
  const { translation, rotation, factor } = fromParent;
  vec3.rotate(out, o, rotation, 0, local, i);
  vec3.addScaled(out, o, translation, 0, out, o, factor);
  quat.multiply(out, o + PATH_OFFSET.rotation, rotation, 0, local, i + PATH_OFFSET.rotation);
  for (let c = 0; c < 3; c++) {
    out[o + PATH_OFFSET.scale + c] = scaleFactors[c] * local[i + PATH_OFFSET.scale + c];
  }
}

/** Chooses the frame of a node: the diagonal that makes its rest scale 1, or positive where it is uneven and joints are below. */
function chooseFrame(
  { factor }: SignedSimilarity,
  rest: Floats,
  node: number,
  isLeaf: boolean,
): Pick<PlannedJoint, 'frame' | 'scaleFactors'> & { readonly isUneven: boolean } {
  const at = POSE_STRIDE * node + PATH_OFFSET.scale;
  const even = isEven(rest, at, SAME_SCALE);
  const isUneven = !even && !isLeaf;
  const frame = new Float64Array(3);
  for (let c = 0; c < 3; c++) {
    const size = isUneven ? 1 : Math.abs(rest[at + (even ? 0 : c)]) || 1;
    frame[c] = (rest[at + c] < 0 ? -1 : 1) / (factor * size);
  }
  return { frame, scaleFactors: frame.map((value) => value * factor), isUneven };
}

/** A change of space as the transform of what is at the top of the scene. */
function topTransform({ rotation, scale }: SpaceChange): SignedSimilarity {
  return { translation: new Float64Array(3), rotation: Float64Array.from(rotation), factor: scale };
}

function isAtOrigin(worlds: Float64Array, node: number): boolean {
  let size = 0;
  for (let at = 12; at < worlds.length; at += MATRIX_STRIDE)
    size = Math.max(size, Math.hypot(...worlds.subarray(at, at + 3)));
  return Math.hypot(...worlds.subarray(MATRIX_STRIDE * node + 12, MATRIX_STRIDE * node + 15)) <= AT_ORIGIN * size;
}

/** Makes names unique among all Models of a file and usable in Unreal. */
export function createNamer(): (name: string, fallback: string) => string {
  const taken = new Set<string>();
  return (name, fallback) => {
    // Binary files separate name and class by these.
    const plain = name.replaceAll('\0', '').replaceAll('\x01', '').trim();
    const wanted = plain === '' || DROPPED_NAME.test(plain) ? fallback : plain;
    const unique = uniqueName(wanted, (one) => taken.has(one.toLowerCase()), '_', 1);
    taken.add(unique.toLowerCase());
    return unique;
  };
}

/** A root bone at the origin of the file. */
const ADDED_ROOT: PlannedJoint = {
  name: ROOT_NAME,
  node: -1,
  parent: -1,
  fromParent: { translation: new Float64Array(3), rotation: Float64Array.of(0, 0, 0, 1), factor: 1 },
  scaleFactors: Float64Array.of(1, 1, 1),
  frame: Float64Array.of(1, 1, 1),
  rest: Float64Array.of(0, 0, 0, 0, 0, 0, 1, 1, 1, 1),
};

/**
 * Plans the joints of a file. A single topmost joint at the origin that is not the hips is the root bone; otherwise one is added. Static nodes above
 * the joints are folded into them. `rest` is the local rest pose to write. `change` leads from the space of the source to centimeters, +Y up.
 */
export function planJoints(
  { names, parents }: Pick<Skeleton, 'names' | 'parents'>,
  rest: Floats,
  change: SpaceChange,
  candidates: JointCandidates,
  nameOf: (name: string, fallback: string) => string,
): JointPlan {
  const count = parents.length;
  const jointOf = new Int32Array(count).fill(-1);
  const worlds = modelMatrices(parents, rest);
  const isJoint = closeJoints({ parents, rest }, worlds, candidates);
  const above = new Int32Array(count).fill(-1);
  const hasChildren = new Uint8Array(count);
  for (let node = 0; node < count; node++) {
    const parent = parents[node];
    if (parent >= 0) above[node] = isJoint[parent] === 1 ? parent : above[parent];
    if (isJoint[node] === 1 && above[node] >= 0) hasChildren[above[node]] = 1;
  }
  const tops = Array.from(isJoint.keys()).filter((node) => isJoint[node] === 1 && above[node] < 0);
  if (tops.length === 0) return { joints: [], jointOf, renamed: [], uneven: [] };
  const joints: PlannedJoint[] = [];
  const renamed: [string, string][] = [];
  const uneven: string[] = [];
  const isRoot = candidates.keepsTop === true || (tops[0] !== candidates.hips && isAtOrigin(worlds, tops[0]));
  if (tops.length > 1 || !isRoot) joints.push(ADDED_ROOT);
  for (let node = 0; node < count; node++) {
    if (isJoint[node] === 0) continue;
    const parent = above[node] < 0 ? -1 : jointOf[above[node]];
    let fromParent = parent < 0 ? topTransform(change) : inverseFrame(joints[parent].frame);
    // Nodes between joints are joints, so that only those above the topmost ones are folded.
    if (parent < 0 && parents[node] >= 0) fromParent = timesMatrix(fromParent, worlds, MATRIX_STRIDE * parents[node]);
    const chosen = chooseFrame(fromParent, rest, node, hasChildren[node] === 0);
    const former = names[node];
    const name = nameOf(former, joints.length === 0 ? ROOT_NAME : 'joint');
    if (name !== former) renamed.push([former, name]);
    if (chosen.isUneven) uneven.push(name);
    const { frame, scaleFactors } = chosen;
    const local = new Float64Array(POSE_STRIDE);
    jointTransform(local, 0, { fromParent, scaleFactors }, rest, POSE_STRIDE * node);
    jointOf[node] = joints.length;
    // Joints without a joint above are below the added root, which is first.
    const index = parent < 0 && joints.length > 0 ? 0 : parent;
    joints.push({ name, node, parent: index, fromParent, scaleFactors, frame, rest: local });
  }
  // Joints of the source keep their names.
  if (joints[0].node < 0) joints[0] = { ...ADDED_ROOT, name: nameOf(ROOT_NAME, ROOT_NAME) };
  return { joints, jointOf, renamed, uneven };
}
