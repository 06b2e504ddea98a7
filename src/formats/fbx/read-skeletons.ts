/** Which skeletons an FBX file has. */
import type { AssetSkeleton } from '../../core/asset/asset.ts';
import type { Issue } from '../../core/report/issue.ts';
import { localToModelMatrices } from '../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import { type FbxBind, readBind } from './read-bind.ts';
import type { ModelForest } from './read-models.ts';
import type { FbxObject, FbxScene } from './scene.ts';

/** A skeleton and where its nodes are in the file. */
export interface FbxSkeleton extends AssetSkeleton {
  /** Place in the forest of every node. */
  readonly places: Int32Array;
}

/** Types of Models that are bones. */
const LIMB_TYPES = new Set(['LimbNode', 'Limb', 'Root']);
/** Types of Models that are things seen, or handles of a control rig, and left out of skeletons where no bone hangs on them. */
const SEEN_TYPES = new Set([
  'Mesh',
  'Nurb',
  'NurbsCurve',
  'NurbsSurface',
  'TrimNurbsSurface',
  'Patch',
  'Line',
  'Shape',
  'Boundary',
  'Camera',
  'CameraStereo',
  'CameraSwitcher',
  'Light',
  'Marker',
  'OpticalReference',
  'OpticalMarker',
  'FKEffector',
  'IKEffector',
]);

/**
 * The skeletons of a file: every tree of Models with a bone (a LimbNode, Limb or Root, or the node of a skin cluster)
 * from its root down, without the meshes, cameras, lights and effectors that hold no bone. In a file without any bone,
 * every tree of more than one Model. Joints are the bones. Bind pose null where the file binds none of the nodes.
 * `sourceNodes` are places in the section `Objects`.
 */
export function readSkeletons(scene: FbxScene, forest: ModelForest, issues: Issue[]): FbxSkeleton[] {
  const { models, parents, ends, rest } = forest;
  const worlds = new Float64Array(models.length * MATRIX_STRIDE);
  localToModelMatrices(worlds, parents, rest);
  const bind = readBind(scene, forest, worlds, issues);
  const isJoint = Uint8Array.from(models, ({ type }, place) =>
    LIMB_TYPES.has(type) || bind.linked[place] === 1 ? 1 : 0,
  );
  const hasJoints = isJoint.includes(1);
  const isKept = hasJoints ? keptPlaces(forest, isJoint) : new Uint8Array(models.length).fill(1);
  const skeletons: FbxSkeleton[] = [];
  for (let root = 0; root < models.length; root = ends[root]) {
    const isOne = hasJoints ? isJoint.subarray(root, ends[root]).includes(1) : ends[root] - root > 1;
    if (!isOne) continue;
    const places: number[] = [];
    for (let place = root; place < ends[root]; place++) if (isKept[place] === 1) places.push(place);
    skeletons.push(cutSkeleton(forest, Int32Array.from(places), isJoint, bind));
  }
  return skeletons;
}

/** 1 for all but the things seen that hold nothing else. */
function keptPlaces({ models, parents }: ModelForest, isJoint: Uint8Array): Uint8Array {
  const isKept = Uint8Array.from(models, ({ type }, place) => (isJoint[place] === 1 || !SEEN_TYPES.has(type) ? 1 : 0));
  for (let place = models.length - 1; place >= 0; place--) {
    if (isKept[place] === 1 && parents[place] >= 0) isKept[parents[place]] = 1;
  }
  return isKept;
}

function cutSkeleton(
  { models, parents, rest }: ModelForest,
  places: Int32Array,
  isJoint: Uint8Array,
  { matrices, bound }: FbxBind,
): FbxSkeleton {
  const nodeOf = new Map<number, number>();
  const count = places.length;
  const nodeRest = new Float64Array(count * POSE_STRIDE);
  const nodeBind = places.some((place) => bound[place] === 1) ? new Float64Array(count * MATRIX_STRIDE) : null;
  for (const [node, place] of places.entries()) {
    nodeOf.set(place, node);
    nodeRest.set(rest.subarray(place * POSE_STRIDE, (place + 1) * POSE_STRIDE), node * POSE_STRIDE);
    nodeBind?.set(matrices.subarray(place * MATRIX_STRIDE, (place + 1) * MATRIX_STRIDE), node * MATRIX_STRIDE);
  }
  const modelAt = (place: number): FbxObject => models[place];
  return {
    skeleton: {
      name: modelAt(places[0]).name || 'skeleton',
      names: Array.from(places, (place) => modelAt(place).name),
      parents: places.map((place) => nodeOf.get(parents[place]) ?? -1),
      rest: nodeRest,
      bind: nodeBind,
      joints: Uint8Array.from(places, (place) => isJoint[place]),
    },
    sourceNodes: places.map((place) => modelAt(place).index),
    declared: null,
    places,
  };
}
