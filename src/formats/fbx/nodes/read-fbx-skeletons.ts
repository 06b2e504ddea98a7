import type { AssetSkeleton } from '../../../core/asset/asset.ts';
import { FLOAT32_MAX } from '../../../core/math/floats.ts';
import type { Issue } from '../../../core/report/issue.ts';
import { localToModelMatrices } from '../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { FbxObject, FbxScene } from './fbx-scene.ts';
import { localPose } from './node-transform.ts';
import { type FbxBindPose, readBindPose } from './read-fbx-bind-pose.ts';
import type { ModelForest } from './read-models.ts';

export interface FbxSkeleton extends AssetSkeleton {
  readonly modelIndices: Int32Array;
}

export const LIMB_TYPES: ReadonlySet<string> = new Set(['LimbNode', 'Limb', 'Root']);
/** Types of visible Models and of control rig handles. Skeletons omit them unless a bone is parented to them. */
const NON_BONE_TYPES = new Set([
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
 * Finds the skeletons of a file. Each tree of Models with a bone (a LimbNode, Limb or Root, or the node of a skin
 * cluster) becomes a skeleton from its root down, without meshes, cameras, lights and effectors that have no bone below
 * them. In a file without any bone, each tree of more than one Model does. The joints are the bones.
 *
 * @param issues Receives the issues of {@link readBindPose}.
 * @returns The skeletons. `bind` is null if the file binds none of the nodes; `sourceNodes` are indices in the section
 *   `Objects`.
 */
export function readSkeletons(scene: FbxScene, forest: ModelForest, issues: Issue[]): FbxSkeleton[] {
  const { models, parents, ends, rest } = forest;
  const worlds = new Float64Array(models.length * MATRIX_STRIDE);
  localToModelMatrices(worlds, parents, rest);
  const bind = readBindPose(scene, forest, worlds, issues);
  const isJoint = Uint8Array.from(models, ({ type }, model) =>
    LIMB_TYPES.has(type) || bind.linked[model] === 1 ? 1 : 0,
  );
  const hasJoints = isJoint.includes(1);
  const isKept = hasJoints ? keptModels(forest, isJoint) : new Uint8Array(models.length).fill(1);
  const skeletons: FbxSkeleton[] = [];
  for (let root = 0; root < models.length; root = ends[root]) {
    const isOne = hasJoints ? isJoint.subarray(root, ends[root]).includes(1) : ends[root] - root > 1;
    if (!isOne) continue;
    const modelIndices: number[] = [];
    for (let model = root; model < ends[root]; model++) if (isKept[model] === 1) modelIndices.push(model);
    skeletons.push(cutSkeleton(forest, Int32Array.from(modelIndices), isJoint, bind));
  }
  return skeletons;
}

/** Marks all Models except those of {@link NON_BONE_TYPES} without other descendants. */
function keptModels({ models, parents }: ModelForest, isJoint: Uint8Array): Uint8Array {
  const isKept = Uint8Array.from(models, ({ type }, model) =>
    isJoint[model] === 1 || !NON_BONE_TYPES.has(type) ? 1 : 0,
  );
  for (let model = models.length - 1; model >= 0; model--) {
    if (isKept[model] === 1 && parents[model] >= 0) isKept[parents[model]] = 1;
  }
  return isKept;
}

/** Returns the local pose of a skeleton at `Lcl Rotation` 0; null where that is its rest pose. */
function zeroPoseOf({ transforms }: ModelForest, modelIndices: Int32Array, rest: Float64Array): Float64Array | null {
  const zero = rest.slice();
  const pose = new Float64Array(POSE_STRIDE);
  for (const [node, model] of modelIndices.entries()) {
    const transform = transforms[model];
    if (transform.rotation.every((angle) => angle === 0)) continue;
    localPose(pose, 0, transform, transform.translation, [0, 0, 0], transform.scale);
    const moved = pose.subarray(0, PATH_OFFSET.scale);
    if (moved.every((value) => Math.abs(value) <= FLOAT32_MAX)) zero.set(moved, node * POSE_STRIDE);
  }
  return zero.every((value, k) => value === rest[k]) ? null : zero;
}

function cutSkeleton(
  forest: ModelForest,
  modelIndices: Int32Array,
  isJoint: Uint8Array,
  { matrices, bound }: FbxBindPose,
): FbxSkeleton {
  const { models, parents, rest } = forest;
  const nodeOf = new Map<number, number>();
  const count = modelIndices.length;
  const nodeRest = new Float64Array(count * POSE_STRIDE);
  const nodeBind = modelIndices.some((model) => bound[model] === 1) ? new Float64Array(count * MATRIX_STRIDE) : null;
  for (const [node, model] of modelIndices.entries()) {
    nodeOf.set(model, node);
    nodeRest.set(rest.subarray(model * POSE_STRIDE, (model + 1) * POSE_STRIDE), node * POSE_STRIDE);
    nodeBind?.set(matrices.subarray(model * MATRIX_STRIDE, (model + 1) * MATRIX_STRIDE), node * MATRIX_STRIDE);
  }
  const modelAt = (model: number): FbxObject => models[model];
  const zeroPose = zeroPoseOf(forest, modelIndices, nodeRest);
  return {
    skeleton: {
      name: modelAt(modelIndices[0]).name || 'skeleton',
      names: Array.from(modelIndices, (model) => modelAt(model).name),
      parents: modelIndices.map((model) => nodeOf.get(parents[model]) ?? -1),
      rest: nodeRest,
      bind: nodeBind,
      joints: Uint8Array.from(modelIndices, (model) => isJoint[model]),
    },
    sourceNodes: modelIndices.map((model) => modelAt(model).index),
    declared: null,
    ...(zeroPose === null ? {} : { zeroPose }),
    modelIndices,
  };
}
