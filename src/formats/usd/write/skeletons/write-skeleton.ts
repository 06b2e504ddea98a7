import * as mat4 from '../../../../core/math/mat4.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../../../core/skeleton/skeleton.ts';
import { addPrim } from '../../author/add-prim.ts';
import { applyBindingApi } from '../../author/author-influences.ts';
import { authorRelationship } from '../../author/author-prims.ts';
import { authorAttribute } from '../../author/author-property.ts';
import { arrayOf, text, texts, UNIFORM } from '../../author/author-values.ts';
import { primName, unusedName } from '../../author/prim-names.ts';
import type { Layer } from '../../layer/layer.ts';
import { checkPathLengths } from '../path-budget.ts';

interface SkeletonJoints {
  /** Joint paths for the attribute `joints`, parents first. */
  readonly tokens: readonly string[];
  /** Original names for the attribute `jointNames`. */
  readonly names: readonly string[];
  /** Local rest pose: `POSE_STRIDE` floats per joint. */
  readonly rest: ArrayLike<number>;
  /** Joint space to skeleton space in the bind pose: `MATRIX_STRIDE` floats per joint. */
  readonly bind: ArrayLike<number>;
}

/** Creates the joint paths of a Skeleton. The last elements of the paths are unique, because many programs identify joints by them alone. */
export function jointTokens(names: readonly string[], parents: ArrayLike<number>): string[] {
  checkPathLengths(names, parents);
  const taken = new Set<string>();
  const tokens: string[] = [];
  for (const [joint, name] of names.entries()) {
    const own = unusedName(primName(name, 'joint'), taken);
    tokens.push(parents[joint] < 0 ? own : `${tokens[parents[joint]]}/${own}`);
  }
  return tokens;
}

/** Adds a Skeleton prim. Its purpose is `guide`, so that renderers do not draw its joints. `layer` is changed in place. */
export function addSkeleton(layer: Layer, parent: string, name: string, joints: SkeletonJoints): string {
  const { tokens, names, rest, bind } = joints;
  const path = addPrim(layer, parent, name, 'Skeleton', 'Skeleton');
  const locals = new Float64Array(MATRIX_STRIDE * tokens.length);
  for (let joint = 0; joint < tokens.length; joint++) {
    mat4.compose(locals, MATRIX_STRIDE * joint, rest, POSE_STRIDE * joint);
  }
  authorAttribute(layer, path, 'bindTransforms', 'matrix4d[]', arrayOf('matrix4d', bind), UNIFORM);
  if (tokens.length > 0) authorAttribute(layer, path, 'jointNames', 'token[]', texts('token', names), UNIFORM);
  authorAttribute(layer, path, 'joints', 'token[]', texts('token', tokens), UNIFORM);
  authorAttribute(layer, path, 'purpose', 'token', text('token', 'guide'), UNIFORM);
  authorAttribute(layer, path, 'restTransforms', 'matrix4d[]', arrayOf('matrix4d', locals), UNIFORM);
  return path;
}

/** Binds an animation to a Skeleton; it replaces a previous binding. `layer` is changed in place. */
export function bindAnimation(layer: Layer, skeleton: string, animation: string): void {
  applyBindingApi(layer, skeleton);
  authorRelationship(layer, skeleton, 'skel:animationSource', [animation]);
}
