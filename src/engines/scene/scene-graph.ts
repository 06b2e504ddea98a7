/** Represents the scene graph of an engine as arrays, and finds the skeletons in it. */
import { type Clip, lastKeyTime, type Track } from '../../core/animation/clip.ts';
import type { AssetSkeleton } from '../../core/asset/asset.ts';
import * as vec3 from '../../core/math/vec3.ts';
import type { Issue } from '../../core/report/issue.ts';
import { modelMatrices, modelPositions } from '../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, PATH_OFFSET, type Skeleton } from '../../core/skeleton/skeleton.ts';
import type { FileHumanoid } from '../../formats/gltf/extensions/human-bones.ts';
import type { NodeForest } from '../../formats/gltf/read/read-nodes.ts';
import { readSkeletons } from '../../formats/gltf/read/read-skeletons.ts';
import type { FileSkin } from '../../formats/gltf/read/read-skins.ts';

/** A skin of a scene: joints and inverse bind matrices, as in glTF. */
export interface SceneSkin {
  /** Name of the skin. */
  readonly name: string;
  /** Indices of nodes, without duplicates. */
  readonly joints: Int32Array;
  /** 16 floats per joint, column-major: from vertex space to the bind space of the joint. */
  readonly inverseBind: Float64Array;
  /** Nodes whose mesh it deforms, at their bind transform; empty when the engine does not keep it. */
  readonly meshes: readonly number[];
}

/** Nodes of an engine, depth first, so that parents come before children. */
export interface SceneGraph<Node> {
  /** The nodes of the engine. */
  readonly nodes: readonly Node[];
  /** Names, one per node. */
  readonly names: readonly string[];
  /** Parent index per node; −1 for a root. */
  readonly parents: Int32Array;
  /** Current local transforms, 10 floats per node. */
  readonly rest: Float64Array;
  /** Skins of the graph. */
  readonly skins: readonly SceneSkin[];
}

interface Xyz {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Writes the local transform of a node of an engine to the 10 numbers at `o`. */
export function writeTransform(
  out: Float64Array,
  o: number,
  translation: Xyz,
  rotation: Xyz & { readonly w: number },
  scale: Xyz,
): void {
  vec3.set(out, o + PATH_OFFSET.translation, translation.x, translation.y, translation.z);
  vec3.set(out, o + PATH_OFFSET.rotation, rotation.x, rotation.y, rotation.z);
  out[o + PATH_OFFSET.rotation + 3] = rotation.w;
  vec3.set(out, o + PATH_OFFSET.scale, scale.x, scale.y, scale.z);
}

/** Returns the end of the subtree of each node: the index after its last descendant. */
function subtreeEnds(parents: Int32Array): Int32Array {
  const ends = Int32Array.from(parents.keys(), (node) => node + 1);
  for (let node = parents.length - 1; node >= 0; node--) {
    const parent = parents[node];
    if (parent >= 0) ends[parent] = Math.max(ends[parent], ends[node]);
  }
  return ends;
}

/** A larger distance between bind and rest pose, relative to the size of the skeleton, is not caused by an animation. */
const MAX_BIND_OFFSET = 0.25;

/**
 * Moves the bind pose to the rest pose by the offset of the topmost joint. Without the bind transforms of the meshes, the position of the bind pose
 * is unknown, and it can be as far away as the character is tall.
 */
function alignBindToRest(skeleton: Skeleton): Skeleton {
  const { parents, rest, joints } = skeleton;
  const top = joints.indexOf(1);
  if (skeleton.bind === null || top < 0) return skeleton;
  const worlds = modelMatrices(parents, rest);
  const offset = new Float64Array(3);
  vec3.subtract(offset, 0, worlds, top * MATRIX_STRIDE + 12, skeleton.bind, top * MATRIX_STRIDE + 12);
  const positions = new Float64Array(3 * parents.length);
  modelPositions(positions, worlds);
  if (!(vec3.length(offset, 0) > MAX_BIND_OFFSET * extentOf(positions, joints))) return skeleton;
  const bind = skeleton.bind.slice();
  for (let at = 12; at < bind.length; at += MATRIX_STRIDE) vec3.add(bind, at, bind, at, offset, 0);
  return { ...skeleton, bind };
}

function extentOf(positions: Float64Array, joints: Uint8Array): number {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  joints.forEach((isJoint, node) => {
    for (let axis = 0; isJoint === 1 && axis < 3; axis++) {
      low[axis] = Math.min(low[axis], positions[3 * node + axis]);
      high[axis] = Math.max(high[axis], positions[3 * node + axis]);
    }
  });
  return Math.hypot(...high.map((value, axis) => value - low[axis]));
}

/** What the BVH loaders of engines name all End Sites, which have no joint. */
const END_SITE = /^end ?site$/i;

/** Names End Sites `<parent>_end`, as the BVH reader does. */
function namesWithEnds(names: readonly string[], parents: Int32Array, ends: Int32Array): readonly string[] {
  return names.map((name, node) => {
    const isEnd = ends[node] === node + 1 && parents[node] >= 0 && END_SITE.test(name);
    return isEnd ? `${names[parents[node]]}_end` : name;
  });
}

/**
 * Finds the skeletons of a scene graph by the rules for glTF files: the joints of a skin form one skeleton, with their ancestors and descendants;
 * without skins each node tree is one. The nodes of a declared humanoid also form one skeleton. `declared`: humanoid that the file declares, as
 * indices of the graph; null without one.
 */
export function readSceneSkeletons<Node>(
  graph: SceneGraph<Node>,
  declared: FileHumanoid | null,
): {
  readonly skeletons: readonly AssetSkeleton[];
  readonly issues: readonly Issue[];
} {
  const { parents, rest } = graph;
  const ends = subtreeEnds(parents);
  const names = namesWithEnds(graph.names, parents, ends);
  const indices = Int32Array.from(parents.keys());
  const forest: NodeForest = {
    sourceNodes: indices,
    nodesBySource: indices,
    parents,
    ends,
    names,
    rest,
  };
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
  const hasBindTransforms = graph.skins.some(({ meshes }) => meshes.length > 0);
  return {
    skeletons: hasBindTransforms
      ? skeletons
      : skeletons.map((one) => ({ ...one, skeleton: alignBindToRest(one.skeleton) })),
    // A scene has no file that locations could point into.
    issues: issues.map((one) => ({ ...one, where: {} })),
  };
}

export function clipForSkeleton(clip: Clip, sourceNodes: Int32Array): Clip {
  const indexOf = new Map<number, number>();
  sourceNodes.forEach((node, index) => {
    indexOf.set(node, index);
  });
  const tracks: Track[] = [];
  for (const track of clip.tracks) {
    const target = indexOf.get(track.target);
    if (target !== undefined) tracks.push({ ...track, target });
  }
  return { name: clip.name, duration: lastKeyTime(tracks), tracks };
}
