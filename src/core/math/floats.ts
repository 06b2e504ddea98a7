/** Any flat float buffer. Files and defaults use float32, plans float64. */
export type Floats = Float32Array | Float64Array;

/** The largest number that is finite as a float32, 3.4028234663852886e38, in the rounded form of text files. */
export const FLOAT32_MAX = 3.4028235e38;
