/** Flags of all commands that write clips. */
export const OUTPUT_FLAGS = {
  out: {
    type: 'string',
    alias: 'o',
    required: true,
    valueHint: 'FILE',
    description:
      'Output: .glb, .gltf, .usdz, .usda, .usdc, .usd, .vrm, .vrma or .bvh. Include {clip} to write one file per clip',
  },
  clip: { type: 'string', valueHint: 'NAME|INDEX', description: 'Only this clip; repeatable' },
  fps: { type: 'string', valueHint: 'N', description: "Resample to this rate instead of keeping the motion's keys" },
} as const;
