/** The part of the simplifier of meshoptimizer in three.js that the stage uses; three.js has no types for it. */
declare module 'three/addons/libs/meshopt_simplifier.module.js' {
  export const MeshoptSimplifier: {
    readonly supported: boolean;
    readonly ready: Promise<void>;
    simplify(
      indices: Uint32Array,
      positions: Float32Array,
      stride: number,
      targetIndexCount: number,
      targetError: number,
      flags?: readonly 'LockBorder'[],
    ): [indices: Uint32Array, error: number];
  };
}
