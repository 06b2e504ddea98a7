/** Skeleton prims. */
import * as mat4 from '../../../core/math/mat4.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { Layer } from '../layer/layer.ts';
import { applyBindingApi } from '../skel/author-influences.ts';
import { authorAttribute } from '../skel/author-property.ts';
import { addPrim } from './add-prim.ts';
import { authorRelationship } from './author-prims.ts';
import { arrayOf, text, texts, UNIFORM } from './author-values.ts';
import { primName, unusedName } from './prim-names.ts';

/** Joints of a Skeleton prim. */
export interface SkeletonJoints {
  /** Paths, parents first, as `joints` has them. */
  readonly tokens: readonly string[];
  /** The names that the joints were given. */
  readonly names: readonly string[];
  /** Local: `POSE_STRIDE` floats a joint. */
  readonly rest: ArrayLike<number>;
  /** Joint to skeleton space: `MATRIX_STRIDE` floats a joint. */
  readonly bind: ArrayLike<number>;
}

/**
 * Joints as paths of names that no two joints share: many programs know them by the last name alone. Parents come first.
 */
export function jointTokens(names: readonly string[], parents: ArrayLike<number>): string[] {
  const taken = new Set<string>();
  const tokens: string[] = [];
  for (const [joint, name] of names.entries()) {
    const own = unusedName(primName(name, 'joint'), taken);
    tokens.push(parents[joint] < 0 ? own : `${tokens[parents[joint]]}/${own}`);
  }
  return tokens;
}

/** Adds a Skeleton prim below another prim; its path comes out. Players do not draw its joints (purpose guide). */
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

/** Makes an animation the one that moves a Skeleton. */
export function bindAnimation(layer: Layer, skeleton: string, animation: string): void {
  applyBindingApi(layer, skeleton);
  authorRelationship(layer, skeleton, 'skel:animationSource', [animation]);
}
