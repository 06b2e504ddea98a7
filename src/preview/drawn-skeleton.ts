/** Bodies of a file as they are drawn: humanoids in their canonical frame, everything else as its plain joints. */
import { BONE } from '../core/humanoid/bones.ts';
import type { Humanoid } from '../core/humanoid/humanoid.ts';
import { toModelPose } from '../core/humanoid/t-pose/model-pose.ts';
import { computeNodeReference } from '../core/humanoid/t-pose/node-reference.ts';
import * as quat from '../core/math/quat.ts';
import * as vec3 from '../core/math/vec3.ts';
import type { Skeleton } from '../core/skeleton/skeleton.ts';
import { describeFileHumanoid } from '../files/humanoid/describe-file-humanoid.ts';
import type { OpenFile } from '../files/open.ts';
import type { SheetSkeleton } from './cell.ts';
import { footTips, stickFigure } from './stick-figure.ts';

/** Points of a head: the two joints that are drawn after all nodes. In the local space of the head's node, meters. */
export interface Face {
  readonly node: number;
  readonly crown: Float64Array;
  readonly nose: Float64Array;
}

/** A skeleton of a file and how it is drawn. */
export interface DrawnSkeleton extends SheetSkeleton {
  readonly skeleton: Skeleton;
  /** Index among the skeletons of the file. */
  readonly index: number;
  /** Null when it is none. */
  readonly humanoid: Humanoid | null;
  /** Why it is no humanoid; null when it is one. */
  readonly reason: string | null;
  /** Nodes of the skeleton that are drawn; `parents` and `bones` are indices into these. */
  readonly nodes: Int32Array;
  /** How the head stands to its joint; null without a head. */
  readonly face: Face | null;
  /** Turns directions of the file's axes so that up is +Y and a humanoid faces +Z; unit quaternion xyzw. */
  readonly frame: Float64Array;
  readonly metersPerUnit: number;
}

/** Joints of what is no humanoid that are drawn at most. */
const MOST_JOINTS = 5000;
/** What is no humanoid is taken as this high at least, relative to its longest side: snakes, trains. */
const FLATTEST = 0.4;
/** Without a word about it, up is Z where a body is so many times higher along Z than along Y. */
const STANDS_ON_Z = 3;

/** Puts crown and nose at the end, of a head that is turned by `rotation` (model space of the frame). */
function placeFace(out: Float64Array, { node, crown, nose }: Face, rotation: Float64Array): void {
  [crown, nose].forEach((point, k) => {
    const o = out.length - 6 + 3 * k;
    vec3.rotate(out, o, rotation, 0, point, 0);
    vec3.add(out, o, out, o, out, 3 * node);
  });
}

/**
 * Positions of the drawn joints of a local pose (10 floats a node), xyz, in the frame of the body, meters; those of a
 * humanoid's crown and nose, which turn with its head, at the end.
 */
export function drawnPositions(body: Omit<DrawnSkeleton, 'ground' | 'height'>, local: Float64Array): Float64Array {
  const { skeleton, nodes, frame, face, metersPerUnit } = body;
  const { positions, rotations } = toModelPose('', skeleton.parents, local);
  const out = new Float64Array(3 * body.parents.length);
  nodes.forEach((node, k) => {
    vec3.rotate(out, 3 * k, frame, 0, positions, 3 * node);
    vec3.scale(out, 3 * k, out, 3 * k, metersPerUnit);
  });
  if (face === null) return out;
  const rotation = new Float64Array(4);
  quat.multiply(rotation, 0, frame, 0, rotations, 4 * face.node);
  placeFace(out, face, rotation);
  return out;
}

/** The same of the reference pose; null for what is no humanoid. */
export function drawnReference({ humanoid, parents, face }: DrawnSkeleton): Float64Array | null {
  if (humanoid === null) return null;
  const out = new Float64Array(3 * parents.length);
  out.set(computeNodeReference(humanoid).positions);
  if (face !== null) placeFace(out, face, humanoid.reference.rotations.subarray(4 * BONE.head));
  return out;
}

/** Size and bearing of the head, told by the reference pose: from there on it turns as one piece. */
function faceOf({ skeleton, map, reference }: Humanoid, positions: Float64Array, height: number): Face | null {
  const node = map.nodes[BONE.head];
  const { head } = stickFigure({ parents: skeleton.parents, bones: map.nodes, height }, positions);
  if (node < 0 || head === null) return null;
  const inverse = new Float64Array(4);
  quat.conjugate(inverse, 0, reference.rotations, 4 * BONE.head);
  const inHead = (point: ArrayLike<number>): Float64Array => {
    const out = new Float64Array(3);
    vec3.subtract(out, 0, point, 0, positions, 3 * node);
    vec3.rotate(out, 0, inverse, 0, out, 0);
    return out;
  };
  const crown = inHead(head.center);
  vec3.scale(crown, 0, crown, 0, 2);
  return { node, crown, nose: inHead(head.nose) };
}

function humanoidBody(humanoid: Humanoid, index: number): DrawnSkeleton {
  const { skeleton, map, ground, frame, metersPerUnit } = humanoid;
  const height = humanoid.height > 0 ? humanoid.height : 1;
  const count = skeleton.parents.length;
  const nodes = Int32Array.from(skeleton.parents, (_, node) => node);
  const { positions } = computeNodeReference(humanoid);
  const tips = footTips({ parents: skeleton.parents, bones: map.nodes, height }, positions);
  const face = faceOf(humanoid, positions, height);
  const parents = face === null ? skeleton.parents : Int32Array.from([...skeleton.parents, face.node, face.node]);
  const head = face === null ? null : { crown: count, nose: count + 1 };
  const tree = { skeleton, index, humanoid, reason: null, nodes, parents, bones: map.nodes, tips, face, head };
  return { ...tree, frame, metersPerUnit, ground, height };
}

/** The joints that are bound to a mesh and the nearest one above each; where nothing is bound, all nodes. */
function plainJoints({ parents, joints, bind }: Skeleton): { nodes: Int32Array; above: Int32Array } {
  const isDrawn = bind !== null && joints.includes(1) ? joints : new Uint8Array(parents.length).fill(1);
  const nodes: number[] = [];
  const above: number[] = [];
  /** Place among the drawn joints of the nearest one at or above a node. */
  const places = new Int32Array(parents.length).fill(-1);
  for (let node = 0; node < parents.length; node++) {
    const parent = parents[node] < 0 ? -1 : places[parents[node]];
    places[node] = parent;
    if (isDrawn[node] === 0 || nodes.length >= MOST_JOINTS) continue;
    places[node] = nodes.length;
    nodes.push(node);
    above.push(parent);
  }
  return { nodes: Int32Array.from(nodes), above: Int32Array.from(above) };
}

/** Least and greatest value of a coordinate. */
function range(positions: Float64Array, axis: number): [number, number] {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let at = axis; at < positions.length; at += 3) {
    least = Math.min(least, positions[at]);
    most = Math.max(most, positions[at]);
  }
  return least <= most ? [least, most] : [0, 0];
}

function length([least, most]: readonly [number, number]): number {
  return most - least;
}

function plainBody({ asset }: OpenFile, skeleton: Skeleton, index: number, reason: string | null): DrawnSkeleton {
  const { nodes, above } = plainJoints(skeleton);
  const frame = new Float64Array([0, 0, 0, 1]);
  const metersPerUnit = asset.metersPerUnit ?? 1;
  const tree = { skeleton, index, humanoid: null, reason, nodes, parents: above, bones: null, face: null };
  const body = { ...tree, frame, metersPerUnit };
  const rest = Float64Array.from(skeleton.rest);
  const asInFile = drawnPositions(body, rest);
  const isOnZ = length(range(asInFile, 2)) > STANDS_ON_Z * length(range(asInFile, 1));
  const up = asset.up ?? (isOnZ ? [0, 0, 1] : [0, 1, 0]);
  quat.fromTo(frame, 0, up, 0, [0, 1, 0], 0);
  const positions = drawnPositions(body, rest);
  const [x, y, z] = [0, 1, 2].map((axis) => range(positions, axis));
  const height = Math.max(length(y), FLATTEST * Math.max(length(x), length(z)));
  return { ...body, ground: y[0], height: height > 0 && Number.isFinite(height) ? height : 1 };
}

/**
 * The bodies of a file: all that are humanoid; without any, the skeleton with most joints. Empty for a file without a skeleton.
 */
export function drawnSkeletons(file: OpenFile): DrawnSkeleton[] {
  const { skeletons } = file.asset;
  const descriptions = skeletons.map((_, index) => describeFileHumanoid(file, index));
  const humanoids = descriptions.flatMap(({ humanoid }, index) => {
    return humanoid === null ? [] : [humanoidBody(humanoid, index)];
  });
  if (humanoids.length > 0 || skeletons.length === 0) return humanoids;
  const sizes = skeletons.map(({ skeleton: { joints, names } }) => {
    return joints.reduce((sum, joint) => sum + joint, 0) * 1e7 + names.length;
  });
  const index = sizes.indexOf(Math.max(...sizes));
  return [plainBody(file, skeletons[index].skeleton, index, descriptions[index].reason)];
}
