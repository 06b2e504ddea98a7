/** The flags that say what is written and which clips, of all commands that write clips. */
export const OUTPUT_FLAGS = {
  out: {
    type: 'string',
    alias: 'o',
    required: true,
    valueHint: 'FILE',
    description:
      'Output; .glb, .gltf, .usdz, .usda, .usdc, .usd, .vrm, .vrma or .bvh decides the format. With {clip} in it a file a clip',
  },
  clip: { type: 'string', valueHint: 'NAME|INDEX', description: 'Only this clip; may be given several times' },
  fps: { type: 'string', valueHint: 'N', description: "Keys at this rate instead of the motion's own keys" },
} as const;
