/** All that skeletons of a stage move, ready to be shown again and again: instances share what is not their own. */

import type { Issue } from '../../../core/report/issue.ts';
import { planOrderMap } from '../../../core/skeleton/order-map.ts';
import type { Stage } from '../stage/stage.ts';
import { type BindingOptions, readBindings, skelRoots } from './bindings.ts';
import {
  deformPrim,
  makePrimRoom,
  type PrimDeformer,
  type PrimRoom,
  planPrim,
  type RestMeshes,
} from './deform-prim.ts';
import { distinctIssues } from './instance-issues.ts';
import { sharedPath } from './shared-path.ts';
import { readSkelAnimation } from './skel-animation.ts';
import { readSkeleton, type SkeletonDefinition } from './skeleton-definition.ts';
import { planSkeletonPose, poseSkeleton, type SkeletonPose } from './skeleton-pose.ts';

/** A prim of a crowd. */
export interface CrowdPrim {
  readonly deformer: PrimDeformer;
  /** `out` is the prim at the time that the crowd was deformed for last. */
  readonly room: PrimRoom;
}

/** A skeleton that moves by one animation, with its prims. */
export interface CrowdMember {
  /** The SkelRoot. */
  readonly root: string;
  readonly pose: SkeletonPose;
  readonly prims: readonly CrowdPrim[];
}

/** Everything that skeletons move in a stage. */
export interface Crowd {
  readonly members: readonly CrowdMember[];
}

const DEFINITION = ['joints', 'bindTransforms', 'restTransforms'] as const;

/**
 * Plans all that is bound below the SkelRoots of a stage. Instances of one prototype have one definition of their skeleton, one mesh at rest (points, normals,
 * influences, plan of skinning) and one order of joints: the same objects. Their own are animations, matrices, and the arrays of the result.
 */
export function planCrowd(stage: Stage, issues: Issue[], options: BindingOptions = {}): Crowd {
  const told: Issue[] = [];
  const meshes: RestMeshes = new Map();
  const definitions = new Map<string, SkeletonDefinition | null>();
  const members: CrowdMember[] = [];
  for (const root of skelRoots(stage)) {
    const { bindings, issues: found } = readBindings(stage, root, options);
    told.push(...found);
    for (const { skeleton, animation: path, prims } of bindings) {
      const key = sharedPath(stage, skeleton, DEFINITION);
      const known = definitions.get(key);
      const definition = known === undefined ? readSkeleton(stage, skeleton, told) : known;
      definitions.set(key, definition);
      if (definition === null) continue;
      const animation = path === null ? null : readSkelAnimation(stage, path);
      const map = animation === null ? null : planOrderMap(animation.joints, definition.joints);
      const animated = { prim: skeleton, definition, animation, map };
      members.push({
        root,
        pose: planSkeletonPose(stage, animated),
        prims: prims.map((bound) => ({
          deformer: planPrim(stage, bound, animated, told, meshes),
          room: makePrimRoom(),
        })),
      });
    }
  }
  issues.push(...distinctIssues(stage, told));
  return { members };
}

/**
 * Poses and deforms a whole crowd at a time code of the stage, into the rooms of its prims. After the first call no allocation, but for blend shapes,
 * rigid prims, geometry that changes over time, and animations whose samples differ in size or come from value clips.
 */
export function deformCrowd(stage: Stage, { members }: Crowd, time: number, issues: Issue[]): void {
  for (const { pose, prims } of members) {
    poseSkeleton(stage, pose, time, issues);
    for (const { deformer, room } of prims) deformPrim(stage, deformer, pose, time, issues, room);
  }
}
