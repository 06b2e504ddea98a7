/** The scene graph of an engine as arrays, and the skeletons in it. */
import { type Clip, lastKeyTime, type Track } from '../../core/animation/clip.ts';
import type { AssetSkeleton } from '../../core/asset/asset.ts';
import * as vec3 from '../../core/math/vec3.ts';
import type { Issue } from '../../core/report/issue.ts';
import { localToModelMatrices, modelPositions } from '../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, type Skeleton } from '../../core/skeleton/skeleton.ts';
import type { FileHumanoid } from '../../formats/gltf/extensions/human-bones.ts';
import type { NodeForest } from '../../formats/gltf/read/read-nodes.ts';
import { readSkeletons } from '../../formats/gltf/read/read-skeletons.ts';
import type { FileSkin } from '../../formats/gltf/read/read-skins.ts';

/** A skin of a scene: joints and inverse bind matrices, as glTF has them. */
export interface SceneSkin {
  readonly name: string;
  /** Indices of nodes, each once. */
  readonly joints: Int32Array;
  /** 16 floats a joint, column-major: bind space of the joint from the space of the vertices. */
  readonly inverseBind: Float64Array;
  /** Nodes whose mesh it deforms, where they were when the mesh was bound; none where the engine does not tell. */
  readonly meshes: readonly number[];
}

/** Nodes of an engine, depth first, so that parents come before children. */
export interface SceneGraph<Node> {
  readonly nodes: readonly Node[];
  readonly names: readonly string[];
  /** −1 for a root. */
  readonly parents: Int32Array;
  /** Local transforms as they are at the moment, 10 floats a node. */
  readonly rest: Float64Array;
  readonly skins: readonly SceneSkin[];
}

/** The end of the subtree of every node: the first node behind it. */
function endsOf(parents: Int32Array): Int32Array {
  const ends = Int32Array.from(parents.keys(), (node) => node + 1);
  for (let node = parents.length - 1; node >= 0; node--) {
    const parent = parents[node];
    if (parent >= 0) ends[parent] = Math.max(ends[parent], ends[node]);
  }
  return ends;
}

/** A bind pose this far from the rest pose, relative to its size, was not moved there by an animation. */
const FAR = 0.25;

/**
 * Puts a bind pose where the skeleton rests, by its topmost joint: where nothing tells from where meshes were bound, it is known only but for
 * its place, and may be a body's length away.
 */
function settleBind(skeleton: Skeleton): Skeleton {
  const { parents, rest, joints } = skeleton;
  const top = joints.indexOf(1);
  if (skeleton.bind === null || top < 0) return skeleton;
  const worlds = new Float64Array(parents.length * MATRIX_STRIDE);
  localToModelMatrices(worlds, parents, rest);
  const offset = new Float64Array(3);
  vec3.subtract(offset, 0, worlds, top * MATRIX_STRIDE + 12, skeleton.bind, top * MATRIX_STRIDE + 12);
  const places = new Float64Array(3 * parents.length);
  modelPositions(places, worlds);
  if (!(vec3.length(offset, 0) > FAR * extentOf(places, joints))) return skeleton;
  const bind = skeleton.bind.slice();
  for (let at = 12; at < bind.length; at += MATRIX_STRIDE) vec3.add(bind, at, bind, at, offset, 0);
  return { ...skeleton, bind };
}

/** Diagonal of the box around joints. */
function extentOf(places: Float64Array, joints: Uint8Array): number {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  joints.forEach((isJoint, node) => {
    for (let axis = 0; isJoint === 1 && axis < 3; axis++) {
      low[axis] = Math.min(low[axis], places[3 * node + axis]);
      high[axis] = Math.max(high[axis], places[3 * node + axis]);
    }
  });
  return Math.hypot(...high.map((value, axis) => value - low[axis]));
}

/**
 * The skeletons of a scene graph by the rules for glTF files: joints of one skin belong together, with all above and below them;
 * without skins every tree is one. `sourceNodes` are indices of the graph's nodes. Nodes of a declared humanoid belong together too.
 */
export function skeletonsOf<Node>(
  graph: SceneGraph<Node>,
  declared: FileHumanoid | null,
): {
  readonly skeletons: readonly AssetSkeleton[];
  readonly issues: readonly Issue[];
} {
  const { names, parents, rest } = graph;
  const places = Int32Array.from(parents.keys());
  const forest: NodeForest = { sourceNodes: places, nodesBySource: places, parents, ends: endsOf(parents), names, rest };
  const skins = graph.skins.map(
    ({ name, joints, inverseBind, meshes }, index): FileSkin => ({
      index,
      name,
      joints,
      inverseBind,
      meshNodes: meshes,
    }),
  );
  const issues: Issue[] = [];
  const skeletons = readSkeletons(forest, skins, declared === null ? [] : [declared], issues);
  const isPlaced = graph.skins.some(({ meshes }) => meshes.length > 0);
  return {
    skeletons: isPlaced ? skeletons : skeletons.map((one) => ({ ...one, skeleton: settleBind(one.skeleton) })),
    // There is no file that a place could point into.
    issues: issues.map((one) => ({ ...one, where: {} })),
  };
}

/** What a clip on all nodes of a graph does to one of its skeletons. */
export function clipOfSkeleton(clip: Clip, sourceNodes: Int32Array): Clip {
  const places = new Map<number, number>();
  sourceNodes.forEach((node, place) => {
    places.set(node, place);
  });
  const tracks: Track[] = [];
  for (const track of clip.tracks) {
    const target = places.get(track.target);
    if (target !== undefined) tracks.push({ ...track, target });
  }
  return { name: clip.name, duration: lastKeyTime(tracks), tracks };
}
