/**
 * Changes the frames of nodes: `L′ = A · L · G`. A maps the old frame of the parent to the new one (a rotation, a
 * uniform scale, a translation), G rotates the axes of the node itself. World transforms keep their meaning: `M′ = M ·
 * G`.
 */
import { PATH_WIDTH, type TrackPath } from '../animation/clip.ts';
import type { Floats } from '../math/floats.ts';
import * as mat4 from '../math/mat4.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../skeleton/skeleton.ts';
import { isIdentityRotation } from './canonical-rotations.ts';

/** The change of a node and its parent. */
export interface FrameChange {
  /** Rotation of A: unit quaternion xyzw. */
  readonly rotation: Floats;
  /** Scale of A: one factor. */
  readonly scale: number;
  /** Translation of A: xyz, meters or the unit of the file. */
  readonly translation: Floats;
  /** G: unit quaternion xyzw. */
  readonly axes: Floats;
}

const NO_ROTATION: Float64Array = Float64Array.of(0, 0, 0, 1);
const NO_TRANSLATION: Float64Array = new Float64Array(3);

export function createFrameChange(parts: Partial<FrameChange>): FrameChange {
  return { rotation: NO_ROTATION, scale: 1, translation: NO_TRANSLATION, axes: NO_ROTATION, ...parts };
}

export function isIdentityChange({ rotation, scale, translation, axes }: FrameChange): boolean {
  return (
    scale === 1 && vec3.length(translation, 0) === 0 && isIdentityRotation(rotation, 0) && isIdentityRotation(axes, 0)
  );
}

/** Converts a matrix to A of a frame change. Shear and non-uniform scale, which A cannot represent, are dropped. */
export function toFrameChange(matrix: ArrayLike<number>): FrameChange {
  const trs = new Float64Array(POSE_STRIDE);
  mat4.decompose(trs, 0, matrix, 0);
  const [x, y, z] = trs.subarray(PATH_OFFSET.scale);
  const scale = Math.cbrt(x * y * z);
  const near1 = Math.abs(scale - 1) < 1e-9 ? 1 : scale;
  return createFrameChange({
    translation: trs.slice(0, 3),
    rotation: trs.slice(PATH_OFFSET.rotation, PATH_OFFSET.scale),
    scale: near1,
  });
}

/** Changes the frame of a local transform. `out` receives the transform, 10 floats; may be `trs`. */
export function changeFrameOfTransform(out: Floats, o: number, trs: Floats, i: number, change: FrameChange): void {
  changeValue(out, o, trs, i, 'translation', change, true);
  changeValue(out, o + PATH_OFFSET.rotation, trs, i + PATH_OFFSET.rotation, 'rotation', change, true);
  changeValue(out, o + PATH_OFFSET.scale, trs, i + PATH_OFFSET.scale, 'scale', change, true);
}

/**
 * Changes the frame of the values of a track. Tangents of CUBICSPLINE get the linear part only, so that the curve between keys is the same one. The
 * same holds for slerp and lerp, which commute with the change. `values`: values of the keys, local space.
 */
export function changeFrameOfValues(
  values: Floats,
  path: TrackPath,
  change: FrameChange,
  isCubic: boolean,
): Float64Array {
  const width = PATH_WIDTH[path];
  const out = new Float64Array(values.length);
  for (let i = 0, k = 0; i + width <= values.length; i += width, k++) {
    changeValue(out, i, values, i, path, change, !isCubic || k % 3 === 1);
  }
  return out;
}

function changeValue(
  out: Floats,
  o: number,
  values: Floats,
  i: number,
  path: TrackPath,
  { rotation, scale, translation, axes }: FrameChange,
  isValue: boolean,
): void {
  if (path === 'rotation') {
    quat.multiply(out, o, rotation, 0, values, i);
    quat.multiply(out, o, out, o, axes, 0);
  } else if (path === 'translation') {
    vec3.rotate(out, o, rotation, 0, values, i);
    vec3.scale(out, o, out, o, scale);
    if (isValue) vec3.add(out, o, out, o, translation, 0);
  } else vec3.scale(out, o, values, i, scale);
}
