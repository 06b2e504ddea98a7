/** Converts the rest transforms of prims and joints from xformOps and matrices to translation, rotation and scale. */
import { FLOAT32_MAX } from '../../../core/math/floats.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { modelToLocalMatrices } from '../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { SkeletonDefinition } from '../skel/skeleton-definition.ts';
import { attributeValue, timeSamplesOf } from '../stage/attribute-values.ts';
import { primAndAncestors, type Stage, type Time } from '../stage/stage.ts';
import { localTransform, transformAttributes, transformTimes } from '../stage/xform-ops.ts';

/** A rest pose under construction, with the repaired nodes. */
export interface RestPose {
  /** {@link POSE_STRIDE} floats per node, local space. */
  readonly rest: Float64Array;
  /** Labels of nodes whose matrix had shear. */
  readonly sheared: string[];
  /** Labels of nodes whose matrix was not finite. */
  readonly broken: string[];
}

/** Determines the time of a prim's rest transform: the default time, or the first time sample if one of its xformOps has time samples only. */
export function restTime(stage: Stage, prim: string): Time {
  const hasDefault = (attribute: string): boolean =>
    attributeValue(stage, prim, attribute, 'default') !== null || timeSamplesOf(stage, prim, attribute).length === 0;
  return transformAttributes(stage, prim).every(hasDefault) ? 'default' : transformTimes(stage, prim)[0];
}

/**
 * Sets the rest transform of a node from a matrix. Shear is dropped; a non-finite transform becomes the identity. Both are recorded in the pose. `pose`
 * is changed in place.
 */
export function setRest(pose: RestPose, node: number, matrix: ArrayLike<number>, i: number, label: string): void {
  const o = node * POSE_STRIDE;
  const isExact = mat4.decompose(pose.rest, o, matrix, i);
  if (isUsable(pose.rest, o)) {
    if (!isExact) pose.sheared.push(label);
    return;
  }
  pose.rest.set([0, 0, 0, 0, 0, 0, 1, 1, 1, 1], o);
  pose.broken.push(label);
}

function isUsable(rest: Float64Array, o: number): boolean {
  for (let c = o; c < o + POSE_STRIDE; c++) if (!(Math.abs(rest[c]) <= FLOAT32_MAX)) return false;
  return true;
}

export function repairIssues({ sheared, broken }: RestPose): Issue[] {
  const report = (labels: readonly string[], rest: string): Issue[] => {
    if (labels.length === 0) return [];
    const whose = labels.length === 1 ? labels[0] : `${labels[0]} and of ${labels.length - 1} more`;
    return [issue('NODE_TRANSFORM_REPAIRED', `The transform of ${whose} ${rest}`, { pointer: labels[0] })];
  };
  return [
    ...report(sheared, 'has shear. The closest translation, rotation and scale are used.'),
    ...report(broken, 'is not finite. The identity is used instead. Export the file again.'),
  ];
}

/** Computes the matrix from the space of a prim to that of the stage in the rest pose of the nodes. */
function restToWorld(stage: Stage, path: string): Float64Array {
  const world = mat4.createIdentity();
  for (const prim of primAndAncestors(stage, path)) {
    const { matrix, resetsStack } = localTransform(stage, prim.path, restTime(stage, prim.path));
    mat4.multiply(world, 0, matrix, 0, world, 0);
    if (resetsStack) break;
  }
  return world;
}

/**
 * Returns the local rest matrices of a skeleton: its rest pose, or its bind pose if it has none, or identities if it has neither. UsdSkel has bind transforms in
 * world space.
 */
export function jointRest(
  stage: Stage,
  skeleton: string,
  definition: SkeletonDefinition,
  issues: Issue[],
): Float64Array {
  const { rest, bind, parents } = definition;
  if (rest !== null) return rest;
  const found = bind === null ? 'no rest pose and no bind pose' : 'no rest pose';
  const used = bind === null ? 'All joints are at the origin of the Skeleton' : 'The bind pose is used instead';
  const message = `Skeleton ${skeleton} has ${found}. ${used}. Author restTransforms, one matrix per joint.`;
  issues.push(issue('USD_SKELETON_INVALID', message, { pointer: skeleton }));
  const local = new Float64Array(parents.length * MATRIX_STRIDE);
  if (bind !== null) {
    const toSkeleton = restToWorld(stage, skeleton);
    // A skeleton without size has nothing to see.
    if (!mat4.invertAffine(toSkeleton, 0, toSkeleton, 0)) mat4.identity(toSkeleton, 0);
    modelToLocalMatrices(local, parents, bind);
    for (const [joint, parent] of parents.entries()) {
      if (parent < 0) mat4.multiply(local, joint * MATRIX_STRIDE, toSkeleton, 0, local, joint * MATRIX_STRIDE);
    }
  } else for (let at = 0; at < local.length; at += MATRIX_STRIDE) mat4.identity(local, at);
  return local;
}
