/** Skeletons of a file as they are drawn: humanoids in their canonical frame, all others as plain joints. */
import type { ContactSurface } from '../core/contacts/surface/contact-surface.ts';
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

/** Two virtual joints of the head, which follow all nodes in the drawn joints. Local space of the head's node, meters. */
interface Face {
  /** Node of the head. */
  readonly node: number;
  /** Top of the head, xyz. */
  readonly crown: Float64Array;
  /** Tip of the nose, xyz. */
  readonly nose: Float64Array;
}

/** A skeleton of a file and how it is drawn. */
export interface DrawnSkeleton extends SheetSkeleton {
  /** The skeleton. */
  readonly skeleton: Skeleton;
  /** Index in the file of every node of the skeleton, as bone maps use it. */
  readonly sourceNodes: Int32Array;
  /** Index among the skeletons of the file. */
  readonly index: number;
  /** The humanoid; null for non-humanoid skeletons. */
  readonly humanoid: Humanoid | null;
  /** Why the skeleton is not humanoid; null for humanoids. */
  readonly reason: string | null;
  /** Nodes of the skeleton that are drawn; `parents` and `bones` are indices into this list. */
  readonly nodes: Int32Array;
  /** Virtual joints of the head; null without a head. */
  readonly face: Face | null;
  /** Rotation from the axes of the file to up = +Y, with humanoids facing +Z; unit quaternion xyzw. */
  readonly frame: Float64Array;
  /** Meters per unit of the file. */
  readonly metersPerUnit: number;
  /** Surface of the humanoid, drawn with every pose; none is drawn where it is missing. */
  readonly surface?: ContactSurface;
}

/** Greatest number of drawn joints of a non-humanoid skeleton. */
const MOST_JOINTS = 5000;
/** Height in meters below which a skeleton has none: the scale that enlarges it could be infinite. */
const LEAST_HEIGHT = 1e-12;
/** Least height of a non-humanoid skeleton relative to its longest horizontal side; snakes and trains are flatter. */
const FLATTEST = 0.4;
/** A file without a declared up axis is Z-up if the skeleton is this many times higher along Z than along Y. */
const Z_UP_RATIO = 3;

/** Writes crown and nose as the last two joints; `rotation` is the model-space rotation of the head. */
function writeFace(out: Float64Array, { node, crown, nose }: Face, rotation: Float64Array): void {
  [crown, nose].forEach((point, k) => {
    const o = out.length - 6 + 3 * k;
    vec3.rotate(out, o, rotation, 0, point, 0);
    vec3.add(out, o, out, o, out, 3 * node);
  });
}

/**
 * Computes the positions of the drawn joints in a pose; the crown and nose of a humanoid, which follow its head, are last. `local`: local pose, 10
 * floats per node, unit of the file. Returns positions, xyz, in the frame of the skeleton, meters.
 */
export function drawnPositions(drawn: Omit<DrawnSkeleton, 'ground' | 'height'>, local: Float64Array): Float64Array {
  const { skeleton, nodes, frame, face, metersPerUnit } = drawn;
  const { positions, rotations } = toModelPose('', skeleton.parents, local);
  const out = new Float64Array(3 * drawn.parents.length);
  nodes.forEach((node, k) => {
    vec3.rotate(out, 3 * k, frame, 0, positions, 3 * node);
    vec3.scale(out, 3 * k, out, 3 * k, metersPerUnit);
  });
  if (face === null) return out;
  const rotation = new Float64Array(4);
  quat.multiply(rotation, 0, frame, 0, rotations, 4 * face.node);
  writeFace(out, face, rotation);
  return out;
}

/** Computes the positions of the drawn joints in the reference pose. Returns them as {@link drawnPositions} does; null for non-humanoid skeletons. */
export function drawnReference({ humanoid, parents, face }: DrawnSkeleton): Float64Array | null {
  if (humanoid === null) return null;
  const out = new Float64Array(3 * parents.length);
  out.set(computeNodeReference(humanoid).positions);
  if (face !== null) writeFace(out, face, humanoid.reference.rotations.subarray(4 * BONE.head));
  return out;
}

/** Derives size and direction of the head from the reference pose; the head is rigid in all other poses. */
function faceOf({ skeleton, map, reference }: Humanoid, positions: Float64Array, height: number): Face | null {
  const node = map.nodes[BONE.head];
  const { head } = stickFigure({ parents: skeleton.parents, bones: map.nodes, height }, positions);
  if (node < 0 || head === null) return null;
  const inverse = quat.conjugated(reference.rotations, 4 * BONE.head);
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

function drawnHumanoid(humanoid: Humanoid, sourceNodes: Int32Array, index: number): DrawnSkeleton {
  const { skeleton, map, ground, frame, metersPerUnit } = humanoid;
  const height = humanoid.height > LEAST_HEIGHT ? humanoid.height : 1;
  const count = skeleton.parents.length;
  const nodes = Int32Array.from(skeleton.parents, (_, node) => node);
  const { positions } = computeNodeReference(humanoid);
  const tips = footTips({ parents: skeleton.parents, bones: map.nodes, height }, positions);
  const face = faceOf(humanoid, positions, height);
  const parents = face === null ? skeleton.parents : Int32Array.from([...skeleton.parents, face.node, face.node]);
  const head = face === null ? null : { crown: count, nose: count + 1 };
  const tree = {
    skeleton,
    sourceNodes,
    index,
    humanoid,
    reason: null,
    nodes,
    parents,
    bones: map.nodes,
    tips,
    face,
    head,
  };
  return { ...tree, frame, metersPerUnit, ground, height };
}

/** Lists the skin joints with the nearest skin joint above each; all nodes if there is no skin. */
function plainJoints({ parents, joints, bind }: Skeleton): { nodes: Int32Array; above: Int32Array } {
  const isDrawn = bind !== null && joints.includes(1) ? joints : new Uint8Array(parents.length).fill(1);
  const nodes: number[] = [];
  const above: number[] = [];
  // Index among the drawn joints of the nearest one at or above each node.
  const nearest = new Int32Array(parents.length).fill(-1);
  for (let node = 0; node < parents.length; node++) {
    const parent = parents[node] < 0 ? -1 : nearest[parents[node]];
    nearest[node] = parent;
    if (isDrawn[node] === 0 || nodes.length >= MOST_JOINTS) continue;
    nearest[node] = nodes.length;
    nodes.push(node);
    above.push(parent);
  }
  return { nodes: Int32Array.from(nodes), above: Int32Array.from(above) };
}

/** Finds the least and greatest value of a coordinate; 0 without joints. */
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

function drawnPlain({ asset }: OpenFile, index: number, reason: string | null): DrawnSkeleton {
  const { skeleton, sourceNodes } = asset.skeletons[index];
  const { nodes, above } = plainJoints(skeleton);
  const frame = new Float64Array([0, 0, 0, 1]);
  const metersPerUnit = asset.metersPerUnit ?? 1;
  const tree = { skeleton, sourceNodes, index, humanoid: null, reason, nodes, parents: above, bones: null, face: null };
  const drawn = { ...tree, frame, metersPerUnit };
  const rest = Float64Array.from(skeleton.rest);
  const asInFile = drawnPositions(drawn, rest);
  const isOnZ = length(range(asInFile, 2)) > Z_UP_RATIO * length(range(asInFile, 1));
  const up = asset.up ?? (isOnZ ? [0, 0, 1] : [0, 1, 0]);
  quat.fromTo(frame, 0, up, 0, [0, 1, 0], 0);
  const positions = drawnPositions(drawn, rest);
  const [x, y, z] = [0, 1, 2].map((axis) => range(positions, axis));
  const height = Math.max(length(y), FLATTEST * Math.max(length(x), length(z)));
  return { ...drawn, ground: y[0], height: height > LEAST_HEIGHT && Number.isFinite(height) ? height : 1 };
}

/**
 * Lists the skeletons of a file that are drawn: all humanoids, or without any the skeleton with most joints.
 *
 * @returns The skeletons; empty for a file without a skeleton.
 */
export function drawnSkeletons(file: OpenFile): DrawnSkeleton[] {
  const { skeletons } = file.asset;
  const descriptions = skeletons.map((_, index) => describeFileHumanoid(file, index));
  const humanoids = descriptions.flatMap(({ humanoid }, index) => {
    return humanoid === null ? [] : [drawnHumanoid(humanoid, skeletons[index].sourceNodes, index)];
  });
  if (humanoids.length > 0 || skeletons.length === 0) return humanoids;
  const sizes = skeletons.map(({ skeleton: { joints, names } }) => {
    return joints.reduce((sum, joint) => sum + joint, 0) * 1e7 + names.length;
  });
  const index = sizes.indexOf(Math.max(...sizes));
  return [drawnPlain(file, index, descriptions[index].reason)];
}
