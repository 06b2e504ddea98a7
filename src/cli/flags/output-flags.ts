/** Flags for what commands write and print. */

export const OUTPUT_FLAGS = {
  out: {
    type: 'string',
    group: 'output',
    alias: 'o',
    required: true,
    valueHint: 'FILE',
    description:
      'Output: .glb, .gltf, .fbx, .usdz, .usda, .usdc, .usd, .vrm, .vrma or .bvh. Include {clip} to write one file per clip',
  },
  clip: { type: 'string', group: 'output', valueHint: 'NAME|INDEX', description: 'Only this clip; repeatable' },
  name: {
    type: 'string',
    group: 'output',
    valueHint: 'TEMPLATE',
    description: 'Names of the clips; {clip} {file} {character} {index} are replaced',
  },
} as const;

export const REPORT_FLAGS = {
  verbose: { type: 'boolean', description: 'Also print details and infos' },
  json: { type: 'boolean', description: 'Print the complete report as JSON' },
} as const;
