/**
 * Transforms of nodes whose frame, or whose parent's frame, is another: `L′ = A · L · G`. A brings what stood in the old frame of the parent into
 * the new one (a turn, one scale, a shift), G turns the node's own axes. Worlds stay what they were: `M′ = M · G`.
 */
import { PATH_WIDTH, type TrackPath } from '../animation/clip.ts';
import type { Floats } from '../math/floats.ts';
import * as mat4 from '../math/mat4.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { isNoTurn } from './canonical-turns.ts';

/** What becomes of the frame of a node. */
export interface FrameChange {
  /** Of A: unit quaternion. */
  readonly rotation: Floats;
  /** Of A: one factor. */
  readonly scale: number;
  /** Of A: meters or the unit of the file. */
  readonly translation: Floats;
  /** G: unit quaternion. */
  readonly axes: Floats;
}

const NO_ROTATION: Float64Array = Float64Array.of(0, 0, 0, 1);
const NO_TRANSLATION: Float64Array = new Float64Array(3);

/** A change of which some parts do nothing. */
export function frameChange(parts: Partial<FrameChange>): FrameChange {
  return { rotation: NO_ROTATION, scale: 1, translation: NO_TRANSLATION, axes: NO_ROTATION, ...parts };
}

/** Whether the change leaves all transforms as they are. */
export function isNoChange({ rotation, scale, translation, axes }: FrameChange): boolean {
  return scale === 1 && vec3.length(translation, 0) === 0 && isNoTurn(rotation, 0) && isNoTurn(axes, 0);
}

/**
 * The turn, scale and shift of a matrix as A of a change. Shear and uneven scale, which A cannot have, are left out: false is returned beside it.
 */
export function similarityOf(matrix: ArrayLike<number>): { readonly change: FrameChange; readonly isExact: boolean } {
  const trs = new Float64Array(10);
  const isWhole = mat4.decompose(trs, 0, matrix, 0);
  const [x, y, z] = trs.subarray(7);
  const scale = Math.cbrt(x * y * z);
  const isEven = Math.max(Math.abs(x - scale), Math.abs(y - scale), Math.abs(z - scale)) <= 1e-6 * Math.abs(scale);
  const near1 = Math.abs(scale - 1) < 1e-9 ? 1 : scale;
  const change = frameChange({ translation: trs.slice(0, 3), rotation: trs.slice(3, 7), scale: near1 });
  return { change, isExact: isWhole && isEven };
}

/** Translation and rotation alone: scale stays unless A scales. `trs` and `out`: ten floats; `out` may be `trs`. */
export function changeTransform(out: Floats, o: number, trs: Floats, i: number, change: FrameChange): void {
  changeValue(out, o, trs, i, 'translation', change, true);
  changeValue(out, o + 3, trs, i + 3, 'rotation', change, true);
  changeValue(out, o + 7, trs, i + 7, 'scale', change, true);
}

/**
 * Values of a track in the new frames. Tangents of CUBICSPLINE (`isCubic`: in-tangent, value, out-tangent a key) get the linear part alone, so that the curve
 * between keys is the same one; so are slerp and lerp, which turns commute with.
 */
export function changeValues(values: Floats, path: TrackPath, change: FrameChange, isCubic: boolean): Float64Array {
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
