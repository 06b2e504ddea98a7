/** Any flat float buffer: files and defaults are float32, laws and plans are float64. */
export type Floats = Float32Array | Float64Array;
