/** Any flat float buffer: files and defaults are float32, laws and plans are float64. */
export type Floats = Float32Array | Float64Array;

/** What is no larger is finite as a float32: the largest one, 3.4028234663852886e38, as short texts have it. */
export const FLOAT32_MAX = 3.4028235e38;
