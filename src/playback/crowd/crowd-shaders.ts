/**
 * Shader code that reads the compact form of a crowd: the deltas of the playheads, which all characters share, and the translations of the characters. The
 * joint indices of a mesh must be rows: replace joint j by `jointRows[j]` of its target once. Vertices are in the reference pose, canonical frame, meters:
 * multiply them by `bindMatrix` of the target.
 */
import { CROWD_ROWS } from './crowd-plan.ts';

/**
 * GLSL ES 3.00 for WebGL2. `crowdDeltas`: a float texture of `crowd.deltas()`, RGBA32F, {@link CROWD_ROWS} · 4 texels wide, one line per playhead.
 * `crowdTranslations`: `crowd.translations`, RGBA32F, {@link CROWD_ROWS} texels wide, one line per character. `crowdSkin(rows, weights, character,
 * playhead)` returns the skinning matrix of a vertex.
 */
export const CROWD_GLSL: string = /* glsl */ `
uniform highp sampler2D crowdDeltas;
uniform highp sampler2D crowdTranslations;

mat4 crowdMatrix(uint row, int character, int playhead) {
  int x = 4 * int(row);
  return mat4(
    vec4(texelFetch(crowdDeltas, ivec2(x, playhead), 0).xyz, 0.0),
    vec4(texelFetch(crowdDeltas, ivec2(x + 1, playhead), 0).xyz, 0.0),
    vec4(texelFetch(crowdDeltas, ivec2(x + 2, playhead), 0).xyz, 0.0),
    texelFetch(crowdTranslations, ivec2(int(row), character), 0)
  );
}

mat4 crowdSkin(uvec4 rows, vec4 weights, int character, int playhead) {
  return weights.x * crowdMatrix(rows.x, character, playhead)
    + weights.y * crowdMatrix(rows.y, character, playhead)
    + weights.z * crowdMatrix(rows.z, character, playhead)
    + weights.w * crowdMatrix(rows.w, character, playhead);
}
`;

/**
 * WGSL for WebGPU. Declare two storage buffers of `array<vec4f>` named `crowdDeltas` and `crowdTranslations`, with the bytes of `crowd.deltas()` and
 * `crowd.translations`. `crowdSkin(rows, weights, character, playhead)` returns the skinning matrix of a vertex.
 */
export const CROWD_WGSL: string = /* wgsl */ `
fn crowdMatrix(row: u32, character: u32, playhead: u32) -> mat4x4f {
  let at = 4u * (${CROWD_ROWS}u * playhead + row);
  return mat4x4f(
    vec4f(crowdDeltas[at].xyz, 0.0),
    vec4f(crowdDeltas[at + 1u].xyz, 0.0),
    vec4f(crowdDeltas[at + 2u].xyz, 0.0),
    crowdTranslations[${CROWD_ROWS}u * character + row],
  );
}

fn crowdSkin(rows: vec4u, weights: vec4f, character: u32, playhead: u32) -> mat4x4f {
  return weights.x * crowdMatrix(rows.x, character, playhead)
    + weights.y * crowdMatrix(rows.y, character, playhead)
    + weights.z * crowdMatrix(rows.z, character, playhead)
    + weights.w * crowdMatrix(rows.w, character, playhead);
}
`;
