/** Values that corners of polygons share by index, as files of polygons have them. */

/** Values, and which of them each corner has. */
export interface CornerValues {
  /** Floats of a value. */
  readonly width: number;
  readonly values: Float32Array;
  /** Which value every corner has; −1 for none. */
  readonly indices: Int32Array;
}

/** The values at the corners that vertices are made of, `width` floats each; 0 where there is none. */
export function gatherCornerValues({ values, indices, width }: CornerValues, cornerOf: ArrayLike<number>): Float32Array {
  const out = new Float32Array(width * cornerOf.length);
  for (let vertex = 0; vertex < cornerOf.length; vertex++) {
    const index = indices[cornerOf[vertex]];
    if (index >= 0) out.set(values.subarray(index * width, (index + 1) * width), vertex * width);
  }
  return out;
}
