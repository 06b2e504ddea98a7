/** A skin that deforms nothing and makes joints of bones, which EXT_skeleton_humanoid asks all bones to be. */
import * as mat4 from '../../../core/math/mat4.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { type AccessorPool, poolAccessor } from '../accessor-pool.ts';
import { growingList } from '../schema.ts';

/** A bone and where it is bound, in the space of `shape`. */
export interface BoundBone {
  readonly node: number;
  readonly matrix: Float64Array;
}

/**
 * Appends a skin of these bones and gives its index. `shape`: the bind-shape factor of the other skins, so that `IBM(parent) · IBM(bone)⁻¹` is the
 * local bind pose across all of them; a matrix without an inverse gives the factor alone.
 */
export function appendBonesSkin(
  pool: AccessorPool,
  bones: readonly BoundBone[],
  shape: Float64Array,
  name: string,
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
  return (
    growingList(pool.doc.json, 'skins').push({ name, inverseBindMatrices, joints: bones.map(({ node }) => node) }) - 1
  );
}
