/** Changes the axes and the unit of a skeleton without adding a node above it. */
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE, type Skeleton } from './skeleton.ts';

/** A change of space: maps each point `p` in model space to `scale · rotation · p`. */
export interface SpaceChange {
  /** Rotates directions from the old axes to the new ones; unit quaternion xyzw. */
  readonly rotation: ArrayLike<number>;
  /** Number of new units per old unit, above 0. */
  readonly scale: number;
}

/** Greatest error of the squared length of the rotation: float32 rounding. */
const UNIT = 1e-6;

/** Checks a change of space. Throws RangeError for a scale that is not a finite number above 0, and for a rotation that is not a unit quaternion. */
export function checkSpaceChange({ rotation, scale }: SpaceChange): void {
  if (!(scale > 0 && Number.isFinite(scale))) {
    throw new RangeError(`The change of space has scale ${scale}; expected a finite number above 0.`);
  }
  if (rotation.length !== 4 || !(Math.abs(quat.dot(rotation, 0, rotation, 0) - 1) <= UNIT)) {
    throw new RangeError(
      `The change of space has rotation ${Array.from(rotation).join(', ')}; expected a unit quaternion.`,
    );
  }
}

/** Local transforms: only roots are rotated, since their descendants follow; all translations are scaled to the new unit. */
function changeRest(rest: Floats, parents: Int32Array, { rotation, scale }: SpaceChange): Floats {
  const out = rest.slice();
  for (let node = 0; node < parents.length; node++) {
    const at = POSE_STRIDE * node;
    const rotationAt = at + PATH_OFFSET.rotation;
    vec3.scale(out, at, out, at, scale);
    if (parents[node] >= 0) continue;
    vec3.rotate(out, at, rotation, 0, out, at);
    quat.multiply(out, rotationAt, rotation, 0, out, rotationAt);
  }
  return out;
}

/** Model-space matrices: axes and origins are rotated, origins are scaled to the new unit. */
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
 * Transforms a skeleton to another space: a node at `p` with axes `A` moves to `scale · R · p` with axes `R · A`, in the rest pose and in the bind
 * pose. Names and hierarchy stay. `changeClipSpace` transforms its clips. `change` leads from the old to the new space. Returns a new skeleton.
 * Throws RangeError for an invalid scale or rotation.
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
