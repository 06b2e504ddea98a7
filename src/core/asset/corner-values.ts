/** Attribute values of polygon corners: indexed, as FBX (by polygon vertex) and USD (face-varying) store them. */

/** Indexed values of polygon corners. */
export interface CornerValues {
  /** Floats per value. */
  readonly width: number;
  /** `width` floats per value. */
  readonly values: Float32Array;
  /** Index of every corner's value; −1 without. */
  readonly indices: Int32Array;
}

/**
 * Gathers the values of vertices that were made from polygon corners.
 *
 * @returns `width` floats per vertex; 0 for corners without a value.
 */
export function gatherCornerValues(
  { values, indices, width }: CornerValues,
  cornerOf: ArrayLike<number>,
): Float32Array {
  const out = new Float32Array(width * cornerOf.length);
  for (let vertex = 0; vertex < cornerOf.length; vertex++) {
    const index = indices[cornerOf[vertex]];
    if (index >= 0) out.set(values.subarray(index * width, (index + 1) * width), vertex * width);
  }
  return out;
}
