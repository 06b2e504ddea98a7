import type { Humanoid } from '../../humanoid/humanoid.ts';
import { mapNodesToBones } from '../../humanoid/node-bones.ts';
import { restModelPose } from '../../humanoid/t-pose/model-pose.ts';
import * as vec3 from '../../math/vec3.ts';
import { modelMatrices } from '../../skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE, type Skeleton } from '../../skeleton/skeleton.ts';
import { helperNames } from '../helper-names.ts';
import { AT_ORIGIN, bindOrBasePose, SAME_POSITION } from './find-detached-joints.ts';

/** A skeleton of a file or a scene. */
interface SkeletonPart {
  readonly skeleton: Skeleton;
  /** Index in the file for every node of the skeleton; −1 for nodes that are not in the file. */
  readonly sourceNodes: Int32Array;
}

interface JoinedOutfits extends SkeletonPart {
  /** The character; its skeleton has the nodes of the outfits after its own. */
  readonly humanoid: Humanoid;
  readonly worn: readonly number[];
  /** Indices of the skeletons with skin joints that are no part of it. */
  readonly apart: readonly number[];
}

function bindMatrices({ parents, rest, bind }: Skeleton): Float64Array {
  return bind === null ? modelMatrices(parents, rest) : Float64Array.from(bind);
}

/** Appends the nodes of a skeleton that another one of the same file lacks. */
function appendNodes(part: SkeletonPart, added: SkeletonPart): SkeletonPart {
  const { skeleton, sourceNodes } = part;
  const indexOf = new Map(Array.from(sourceNodes, (source, node) => [source, node]));
  const nodes = Array.from(added.sourceNodes.keys()).filter((node) => !indexOf.has(added.sourceNodes[node]));
  for (const [k, node] of nodes.entries()) indexOf.set(added.sourceNodes[node], sourceNodes.length + k);
  const { parents, names, rest, joints } = added.skeleton;
  const parentOf = (node: number): number =>
    parents[node] < 0 ? -1 : (indexOf.get(added.sourceNodes[parents[node]]) as number);
  const slices = (values: ArrayLike<number>, stride: number): number[] =>
    nodes.flatMap((node) => Array.from({ length: stride }, (_, k) => values[stride * node + k]));
  const hasBind = skeleton.bind !== null || added.skeleton.bind !== null;
  return {
    skeleton: {
      ...skeleton,
      names: [...skeleton.names, ...nodes.map((node) => names[node])],
      parents: Int32Array.from([...skeleton.parents, ...nodes.map(parentOf)]),
      rest: Float64Array.from([...skeleton.rest, ...slices(rest, POSE_STRIDE)]),
      bind: hasBind
        ? Float64Array.from([...bindMatrices(skeleton), ...slices(bindMatrices(added.skeleton), MATRIX_STRIDE)])
        : null,
      joints: Uint8Array.from([...skeleton.joints, ...nodes.map((node) => joints[node])]),
    },
    sourceNodes: Int32Array.from([...sourceNodes, ...nodes.map((node) => added.sourceNodes[node])]),
  };
}

/** Gives a humanoid a skeleton with more nodes. They keep their rest pose in its base pose. */
function onSkeleton(humanoid: Humanoid, skeleton: Skeleton): Humanoid {
  const { basePose } = humanoid;
  if (basePose === null) return { ...humanoid, skeleton };
  const longer = Float64Array.from(skeleton.rest);
  longer.set(basePose);
  return { ...humanoid, skeleton, basePose: longer };
}

/**
 * Tells whether the joints of an appended skeleton coincide with bones in the bind pose: at least one does, and not fewer than have the name of a bone that is
 * elsewhere, as those of a second character do.
 */
function coincides(joined: Humanoid, ownNodes: number): boolean {
  const { skeleton, map } = joined;
  const { positions } = skeleton.bind === null ? restModelPose(skeleton) : bindOrBasePose(joined);
  const { namesakes } = helperNames(skeleton);
  const boneOfNode = mapNodesToBones(map.nodes, skeleton.parents.length);
  const height = joined.height / joined.metersPerUnit;
  const bones = map.nodes.filter((node) => node >= 0);
  const isNear = (a: number, b: number): boolean =>
    vec3.distance(positions, 3 * a, positions, 3 * b) <= SAME_POSITION * height;
  let [same, elsewhere] = [0, 0];
  for (let node = ownNodes; node < skeleton.parents.length; node++) {
    if (skeleton.joints[node] === 0 || vec3.length(positions, 3 * node) <= AT_ORIGIN * height) continue;
    if (bones.some((bone) => isNear(node, bone))) same++;
    else if (namesakes(node).some((other) => boneOfNode[other] >= 0)) elsewhere++;
  }
  return same > 0 && same >= elsewhere;
}

/**
 * Joins the skeletons that a character wears with its own: clothes, hair and body parts are often exported with a copy of the skeleton, or of a part of it,
 * whose joints are where the bones are. {@link planRetarget} then constrains these joints to the bones.
 */
export function joinOutfits(humanoid: Humanoid, own: SkeletonPart, others: readonly SkeletonPart[]): JoinedOutfits {
  let joined = { humanoid, skeleton: own.skeleton, sourceNodes: own.sourceNodes };
  const worn: number[] = [];
  const apart: number[] = [];
  for (const [index, other] of others.entries()) {
    const known = new Set(joined.sourceNodes);
    const isNew = other.skeleton.joints.some((joint, node) => joint === 1 && !known.has(other.sourceNodes[node]));
    if (!isNew) continue;
    const longer = appendNodes(joined, other);
    const dressed = onSkeleton(humanoid, longer.skeleton);
    if (coincides(dressed, joined.sourceNodes.length)) {
      joined = { humanoid: dressed, ...longer };
      worn.push(index);
    } else apart.push(index);
  }
  return { ...joined, worn, apart };
}

/** Chooses between humanoids that coincide, as a body and clothes with copies of the whole skeleton do. */
export function mainOfCoincident(
  candidates: readonly { readonly humanoid: Humanoid; readonly part: SkeletonPart }[],
): number {
  if (candidates.length <= 1) return candidates.length - 1;
  const counts = candidates.map(({ humanoid }) => humanoid.map.nodes.filter((node) => node >= 0).length);
  const main = counts.indexOf(Math.max(...counts));
  const others = candidates.filter((_, k) => k !== main).map(({ part }) => part);
  const { humanoid, part } = candidates[main];
  return joinOutfits(humanoid, part, others).worn.length === others.length ? main : -1;
}
