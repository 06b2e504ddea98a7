/** Limits for the memory and the nesting that a file may ask for. */

/** Limits that keep a small malicious file with huge counts from filling the memory. */
export interface GltfLimits {
  /** Deepest nesting of the JSON, in levels. */
  readonly jsonDepth: number;
  /** Largest decoded accessor or decompressed view, in bytes. Data that is used directly from the file does not count. */
  readonly accessorBytes: number;
  /** Largest sum of such bytes over one document. */
  readonly decodedBytes: number;
  /** Most keys of all channels, besides those that the bytes of the file can hold: many channels may share one sampler. */
  readonly keys: number;
}

/** Default limits: far above every known file, far below the memory of a small machine. */
export const GLTF_LIMITS: GltfLimits = {
  jsonDepth: 512,
  accessorBytes: 256 * 2 ** 20,
  decodedBytes: 1024 * 2 ** 20,
  keys: 2 ** 24,
};
