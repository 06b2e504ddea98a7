import type { AssetSkeleton } from '../../../core/asset/asset.ts';
import { splitPeople } from '../../../core/humanoid/mapping/split-people.ts';
import { FLOAT32_MAX, type Floats } from '../../../core/math/floats.ts';
import type { Issue } from '../../../core/report/issue.ts';
import { cutSkeleton } from '../../../core/skeleton/cut-skeleton.ts';
import { modelMatrices } from '../../../core/skeleton/pose.ts';
import { PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../../../core/skeleton/skeleton.ts';
import type { FbxObject, FbxScene } from './fbx-scene.ts';
import { localPose } from './node-transform.ts';
import { readBindPose } from './read-fbx-bind-pose.ts';
import type { ModelForest } from './read-models.ts';

export interface FbxSkeleton extends AssetSkeleton {
  /** Index of every node in the ModelForest. */
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
 * Finds the skeletons of a file. Each tree of Models with a bone (a LimbNode, Limb or Root, or the node of a skin cluster) becomes a skeleton from
 * its root down, without meshes, cameras, lights and effectors that have no bone below them. In a file without any bone, each tree of more than one
 * Model does. The joints are the bones. `bind` is null if the file binds none of the nodes; `sourceNodes` are indices in the section `Objects`.
 */
export function readSkeletons(scene: FbxScene, forest: ModelForest, issues: Issue[]): FbxSkeleton[] {
  const { models, parents, ends, rest } = forest;
  const worlds = modelMatrices(parents, rest);
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
    const indices = Int32Array.from(modelIndices);
    const cut = (nodes: Int32Array, name: string): Skeleton =>
      cutSkeleton({ ...forest, ...bind, isJoint }, nodes, name, (model) => models[model].name).skeleton;
    const add = (skeleton: Skeleton, nodes: Int32Array): void => {
      const zeroPose = zeroPoseOf(forest, nodes, skeleton.rest);
      skeletons.push({
        skeleton,
        sourceNodes: nodes.map((model) => models[model].index),
        declared: null,
        ...(zeroPose === null ? {} : { zeroPose }),
        modelIndices: nodes,
      });
    };
    const whole = cut(indices, models[indices[0]].name || 'skeleton');
    const isAlive = (bones: Int32Array): boolean =>
      bones.some((bone) => bind.linked[indices[bone]] === 1 || isAnimated(scene, models[indices[bone]]));
    const people = splitPeople(whole, isAlive);
    if (people.length === 0) add(whole, indices);
    for (const { nodes, top } of people) {
      const own = nodes.map((node) => indices[node]);
      add(cut(own, whole.names[top] || whole.name), own);
    }
  }
  return skeletons;
}

function isAnimated({ objects, childConnections }: FbxScene, { id }: FbxObject): boolean {
  return (childConnections.get(id) ?? []).some(({ source }) => objects.get(source)?.kind === 'AnimationCurveNode');
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
function zeroPoseOf({ transforms }: ModelForest, modelIndices: Int32Array, rest: Floats): Float64Array | null {
  const zero = Float64Array.from(rest);
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
