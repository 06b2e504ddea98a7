/** Rest poses of prims and joints: translation, rotation and scale of what a file has as operations or matrices. */

import { FLOAT32_MAX } from '../../../core/math/floats.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { modelToLocalMatrices } from '../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { SkeletonDefinition } from '../skel/skeleton-definition.ts';
import type { Stage, Time } from '../stage/stage.ts';
import { attributeValue, timeSamplesOf } from '../stage/values.ts';
import { transformAttributes, transformTimes } from '../stage/xform-ops.ts';

/** Where rest transforms go, and what was mended on the way. */
export interface RestPose {
  /** {@link POSE_STRIDE} floats a node. */
  readonly rest: Float64Array;
  /** What had shear: a prim, or a joint by name. */
  readonly sheared: string[];
  /** What was not finite. */
  readonly broken: string[];
}

/**
 * When a prim is at rest: at the default time, and where one of its operations has samples alone, at the first sample of all.
 */
export function restTime(stage: Stage, prim: string): Time {
  const hasDefault = (attribute: string): boolean =>
    attributeValue(stage, prim, attribute, 'default') !== null || timeSamplesOf(stage, prim, attribute).length === 0;
  return transformAttributes(stage, prim).every(hasDefault) ? 'default' : transformTimes(stage, prim)[0];
}

/** Sets the rest transform of a node of a matrix, 16 numbers at `i`. What no such transform can hold is left out; what is not finite is the identity. */
export function setRest(pose: RestPose, node: number, matrix: ArrayLike<number>, i: number, what: string): void {
  const o = node * POSE_STRIDE;
  const isWhole = mat4.decompose(pose.rest, o, matrix, i);
  if (isUsable(pose.rest, o)) {
    if (!isWhole) pose.sheared.push(what);
    return;
  }
  pose.rest.set([0, 0, 0, 0, 0, 0, 1, 1, 1, 1], o);
  pose.broken.push(what);
}

function isUsable(rest: Float64Array, o: number): boolean {
  for (let c = o; c < o + POSE_STRIDE; c++) if (!(Math.abs(rest[c]) <= FLOAT32_MAX)) return false;
  return true;
}

/** Issues NODE_TRANSFORM_REPAIRED for what was mended, one a kind. */
export function mendIssues({ sheared, broken }: RestPose): Issue[] {
  const tell = (names: readonly string[], rest: string): Issue[] => {
    if (names.length === 0) return [];
    const whose = names.length === 1 ? names[0] : `${names[0]} and of ${names.length - 1} more`;
    return [issue('NODE_TRANSFORM_REPAIRED', `The transform of ${whose} ${rest}`, { pointer: names[0] })];
  };
  return [
    ...tell(sheared, 'has shear; the nearest translation, rotation and scale are used.'),
    ...tell(broken, 'is not finite; it was left out. Export the file again.'),
  ];
}

/**
 * Joint-local matrices at rest, {@link MATRIX_STRIDE} floats a joint: the rest pose; where a skeleton has none, its bind pose, with an issue; where it has
 * neither, identities.
 */
export function jointRest(skeleton: string, definition: SkeletonDefinition, issues: Issue[]): Float64Array {
  const { rest, bind, parents } = definition;
  if (rest !== null) return rest;
  const instead = bind === null ? 'nor a bind pose; all its joints lie in one place' : 'so the bind pose was taken';
  const message = `Skeleton ${skeleton} has no rest pose, ${instead}. Give restTransforms, one matrix a joint.`;
  issues.push(issue('USD_SKELETON_INVALID', message, { pointer: skeleton }));
  const local = new Float64Array(parents.length * MATRIX_STRIDE);
  if (bind !== null) modelToLocalMatrices(local, parents, bind);
  else for (let at = 0; at < local.length; at += MATRIX_STRIDE) mat4.identity(local, at);
  return local;
}
