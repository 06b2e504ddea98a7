/** Plans and deforms all skinned prims of a stage for playback. Instances share everything that is the same for all of them. */

import type { Issue } from '../../../../core/report/issue.ts';
import { createJointMapper } from '../../../../core/skeleton/joint-mapper.ts';
import type { Stage } from '../../stage/stage.ts';
import { type BindingOptions, readBindings, skelRoots } from '../bindings.ts';
import { distinctIssues } from '../distinct-issues.ts';
import { sharedPath } from '../shared-path.ts';
import { readSkelAnimation } from '../skel-animation.ts';
import { readSkeleton, type SkeletonDefinition } from '../skeleton-definition.ts';
import { planSkeletonPose, poseSkeleton, type SkeletonPose } from '../skeleton-pose.ts';
import {
  createPrimBuffers,
  deformPrim,
  type PrimBuffers,
  type PrimDeformer,
  planPrim,
  type RestMeshes,
} from './deform-prim.ts';

/** A skinned prim of an instance. */
export interface SkinnedInstancePrim {
  /** The plan of the prim. */
  readonly deformer: PrimDeformer;
  /** `result` is the prim at the time of the last {@link deformSkinnedInstances}. */
  readonly buffers: PrimBuffers;
}

/** A skeleton with one animation, and its prims. */
export interface SkinnedInstance {
  /** Path of the SkelRoot. */
  readonly root: string;
  /** The skeleton at the time of the last {@link deformSkinnedInstances}. */
  readonly pose: SkeletonPose;
  /** The prims that the skeleton deforms. */
  readonly prims: readonly SkinnedInstancePrim[];
}

/** All skinned prims of a stage, planned. */
export interface SkinnedInstances {
  /** One per binding, in stage order. */
  readonly instances: readonly SkinnedInstance[];
  /** Problems found by {@link planSkinnedInstances}. Problems that several instances share are reported once. */
  readonly issues: readonly Issue[];
  /** Problems found by the last {@link deformSkinnedInstances}. */
  readonly timeIssues: Issue[];
}

const DEFINITION_ATTRIBUTES = ['joints', 'bindTransforms', 'restTransforms'] as const;

/**
 * Plans all prims that are bound to skeletons below the SkelRoots of a stage. Instances of one prototype share one skeleton definition, rest mesh
 * (points, normals, influences, skin plan) and joint order. Animations, matrices and results are separate.
 *
 * @param stage - The composed stage.
 * @param options - How bindings are read.
 * @returns The planned instances, with the issues found on the way.
 */
export function planSkinnedInstances(stage: Stage, options: BindingOptions = {}): SkinnedInstances {
  const issues: Issue[] = [];
  const meshes: RestMeshes = new Map();
  const definitions = new Map<string, SkeletonDefinition | null>();
  const instances: SkinnedInstance[] = [];
  for (const root of skelRoots(stage)) {
    const read = readBindings(stage, root, options);
    issues.push(...read.issues);
    for (const { skeleton, animation: path, prims } of read.bindings) {
      const key = sharedPath(stage, skeleton, DEFINITION_ATTRIBUTES);
      let definition = definitions.get(key);
      if (definition === undefined) {
        const found = readSkeleton(stage, skeleton);
        issues.push(...found.issues);
        definition = found.definition;
        definitions.set(key, definition);
      }
      if (definition === null) continue;
      const animation = path === null ? null : readSkelAnimation(stage, path);
      const map = animation === null ? null : createJointMapper(animation.joints, definition.joints);
      const animated = { prim: skeleton, definition, animation, map };
      const planned = prims.map((bound) => {
        const deformer = planPrim(stage, bound, animated, meshes);
        issues.push(...deformer.issues);
        return { deformer, buffers: createPrimBuffers() };
      });
      instances.push({ root, pose: planSkeletonPose(stage, animated), prims: planned });
    }
  }
  return { instances, issues: distinctIssues(stage, issues), timeIssues: [] };
}

/**
 * Poses and deforms all instances at a time code, into the buffers of their prims. Calls after the first one do not allocate, except for blend
 * shapes, rigidly skinned prims, animated geometry, and animations whose samples differ in size or come from value clips.
 *
 * @param stage - The composed stage.
 * @param skinned - Result of {@link planSkinnedInstances}; its poses, buffers and `timeIssues` are updated.
 * @param time - Time code.
 */
export function deformSkinnedInstances(stage: Stage, skinned: SkinnedInstances, time: number): void {
  const { instances, timeIssues } = skinned;
  timeIssues.length = 0;
  for (const { pose, prims } of instances) {
    poseSkeleton(stage, pose, time);
    for (const found of pose.issues) timeIssues.push(found);
    for (const { deformer, buffers } of prims) {
      for (const found of deformPrim(stage, deformer, pose, time, buffers).issues) timeIssues.push(found);
    }
  }
}
