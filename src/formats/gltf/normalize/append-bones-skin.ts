/** A skin that deforms nothing. It makes joints of bones, as EXT_skeleton_humanoid requires all bones to be joints. */
import * as mat4 from '../../../core/math/mat4.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { type AccessorPool, poolAccessor } from '../accessors/accessor-pool.ts';
import { ensureList } from '../document/json-access.ts';

export interface BoundBone {
  readonly node: number;
  /** 16 floats, column-major, model space without the bind-shape factor. */
  readonly matrix: Float64Array;
}

/**
 * Appends a skin with these bones as joints. `shape`: Bind-shape factor of the other skins, 16 floats, so that `IBM(parent) · IBM(bone)⁻¹` is the
 * local bind pose across skins; a bone matrix without an inverse yields the factor alone.
 */
export function appendBonesSkin(
  pool: AccessorPool,
  bones: readonly BoundBone[],
  shape: Float64Array,
  name?: string,
): number {
  const matrices = new Float32Array(MATRIX_STRIDE * bones.length);
  const matrix = new Float64Array(MATRIX_STRIDE);
  bones.forEach((bone, i) => {
    if (mat4.invertAffine(matrix, 0, bone.matrix, 0)) mat4.multiply(matrix, 0, matrix, 0, shape, 0);
    else mat4.copy(matrix, 0, shape, 0);
    matrices.set(matrix, MATRIX_STRIDE * i);
    for (const c of [3, 7, 11]) matrices[MATRIX_STRIDE * i + c] = 0;
    matrices[MATRIX_STRIDE * i + 15] = 1;
  });
  const inverseBindMatrices = poolAccessor(pool, matrices, { type: 'MAT4' }, 0);
  const joints = bones.map(({ node }) => node);
  const skin = { ...(name === undefined ? {} : { name }), inverseBindMatrices, joints };
  return ensureList(pool.doc.json, 'skins').push(skin) - 1;
}
