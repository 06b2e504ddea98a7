/** Another space for a skeleton, its axes turned and its unit changed, without a node put on top. */
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { MATRIX_STRIDE, POSE_STRIDE, type Skeleton } from './skeleton.ts';

/** A change of space: `p ↦ scale · rotation · p` for points of the model. */
export interface SpaceChange {
  /** Turns directions of the old axes into the new ones; unit quaternion xyzw. */
  readonly rotation: ArrayLike<number>;
  /** New units in one old unit, above 0. */
  readonly scale: number;
}

/** How far the rotation of a change may be off unit length: one rounding of float32. */
const UNIT = 1e-6;

/** RangeError for a change that is none. */
export function checkSpaceChange({ rotation, scale }: SpaceChange): void {
  if (!(scale > 0 && Number.isFinite(scale))) {
    throw new RangeError(`A change of space has scale ${scale}, expected a finite number above 0`);
  }
  if (rotation.length !== 4 || !(Math.abs(quat.dot(rotation, 0, rotation, 0) - 1) <= UNIT)) {
    throw new RangeError(
      `A change of space has rotation ${Array.from(rotation).join(', ')}, expected a unit quaternion`,
    );
  }
}

/** Local values of all nodes: roots turn, all translations get the new unit; what hangs below turns with its root. */
function changeRest(rest: Floats, parents: Int32Array, { rotation, scale }: SpaceChange): Floats {
  const out = rest.slice();
  for (let node = 0; node < parents.length; node++) {
    const at = POSE_STRIDE * node;
    vec3.scale(out, at, out, at, scale);
    if (parents[node] >= 0) continue;
    vec3.rotate(out, at, rotation, 0, out, at);
    quat.multiply(out, at + 3, rotation, 0, out, at + 3);
  }
  return out;
}

/** Model-space matrices: the axes turn, the origins turn and get the new unit. */
function changeBind(bind: Floats, { rotation, scale }: SpaceChange): Floats {
  const out = bind.slice();
  for (let at = 0; at < out.length; at += MATRIX_STRIDE) {
    for (let column = 0; column < 4; column++) {
      vec3.rotate(out, at + 4 * column, rotation, 0, out, at + 4 * column);
    }
    vec3.scale(out, at + 12, out, at + 12, scale);
  }
  return out;
}

/**
 * The skeleton in another space: what stood at p with the axes A stands at `scale · R · p` with the axes `R · A`, every node, in the
 * rest and in the bind pose. Names and tree stay. Its clips change by `changeClipSpace`. RangeError for a change that is none.
 */
export function changeSpace(skeleton: Skeleton, change: SpaceChange): Skeleton {
  checkSpaceChange(change);
  const { rest, parents, bind } = skeleton;
  return {
    ...skeleton,
    rest: changeRest(rest, parents, change),
    bind: bind === null ? null : changeBind(bind, change),
  };
}
