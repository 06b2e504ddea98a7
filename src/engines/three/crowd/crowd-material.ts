/** Lets materials of three.js skin the instances of a crowd. three.js 0.187 has no InstancedSkinnedMesh. */
import { DataTexture, FloatType, type Material, NearestFilter, RGBAFormat } from 'three';
import { CROWD_GLSL } from '../../../playback/crowd/crowd-shaders.ts';

/** Textures of a crowd. */
export interface CrowdTextures {
  /** Deltas of the playheads. */
  readonly deltas: DataTexture;
  /** Translations of the characters. */
  readonly translations: DataTexture;
  /** Where the characters are: 4×4 from the canonical frame to the space of the crowd, one line of 4 texels per character. */
  readonly placements: DataTexture;
  /** Bind matrices of a model: one line, 4 texels per joint; null where one bind matrix is part of the vertices. */
  readonly binds: DataTexture | null;
}

/** Creates a copy of a material that skins the instances of a crowd. */
export type CrowdMaterialFactory = <T extends Material>(material: T, textures: CrowdTextures) => T;

/** Creates a texture of floats. `data`: 4 floats per texel. */
export function floatTexture(data: Float32Array, width: number, height: number): DataTexture {
  const texture = new DataTexture(data as never, width, height, RGBAFormat, FloatType);
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

const ATTRIBUTES = /* glsl */ `
attribute vec4 crowdRows;
attribute vec4 crowdWeights;
attribute vec2 crowdInstance;
uniform highp sampler2D crowdPlacements;
mat4 crowdPlacement(int character) {
  return mat4(
    texelFetch(crowdPlacements, ivec2(0, character), 0),
    texelFetch(crowdPlacements, ivec2(1, character), 0),
    texelFetch(crowdPlacements, ivec2(2, character), 0),
    texelFetch(crowdPlacements, ivec2(3, character), 0)
  );
}
#ifdef CROWD_BINDS
attribute vec4 crowdJoints;
uniform highp sampler2D crowdBinds;
mat4 crowdBind(float joint) {
  int x = 4 * int(joint);
  return mat4(
    texelFetch(crowdBinds, ivec2(x, 0), 0),
    texelFetch(crowdBinds, ivec2(x + 1, 0), 0),
    texelFetch(crowdBinds, ivec2(x + 2, 0), 0),
    texelFetch(crowdBinds, ivec2(x + 3, 0), 0)
  );
}
#endif
`;

const TRANSFORM = /* glsl */ `
int crowdCharacter = int(crowdInstance.x);
int crowdPlayhead = int(crowdInstance.y);
uvec4 rows = uvec4(crowdRows);
mat4 placement = crowdPlacement(crowdCharacter);
#ifdef CROWD_BINDS
mat4 crowdTransform = crowdWeights.x * crowdMatrix(rows.x, crowdCharacter, crowdPlayhead) * crowdBind(crowdJoints.x)
  + crowdWeights.y * crowdMatrix(rows.y, crowdCharacter, crowdPlayhead) * crowdBind(crowdJoints.y)
  + crowdWeights.z * crowdMatrix(rows.z, crowdCharacter, crowdPlayhead) * crowdBind(crowdJoints.z)
  + crowdWeights.w * crowdMatrix(rows.w, crowdCharacter, crowdPlayhead) * crowdBind(crowdJoints.w);
#else
mat4 crowdTransform = crowdSkin(rows, crowdWeights, crowdCharacter, crowdPlayhead);
#endif
`;

// A normal goes through the inverse transpose of the placement: its axes are orthogonal, so dividing by their squared lengths is enough.
const NORMAL = /* glsl */ `
mat3 placementAxes = mat3(placement);
objectNormal = mat3(crowdTransform) * objectNormal;
objectNormal /= vec3(dot(placementAxes[0], placementAxes[0]), dot(placementAxes[1], placementAxes[1]), dot(placementAxes[2], placementAxes[2]));
objectNormal = placementAxes * objectNormal;
`;

/** Creates a copy of a material that skins the instances of a crowd, for WebGLRenderer. */
export function crowdMaterial<T extends Material>(
  material: T,
  { deltas, translations, placements, binds }: CrowdTextures,
): T {
  const copy = material.clone() as T;
  if (binds !== null) copy.defines = { ...copy.defines, CROWD_BINDS: '' };
  copy.onBeforeCompile = (shader) => {
    shader.uniforms['crowdDeltas'] = { value: deltas };
    shader.uniforms['crowdTranslations'] = { value: translations };
    shader.uniforms['crowdPlacements'] = { value: placements };
    if (binds !== null) shader.uniforms['crowdBinds'] = { value: binds };
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', `#include <common>\n${CROWD_GLSL}\n${ATTRIBUTES}`)
      .replace('#include <uv_vertex>', `${TRANSFORM}\n#include <uv_vertex>`)
      .replace('#include <skinnormal_vertex>', NORMAL)
      .replace(
        '#include <skinning_vertex>',
        'transformed = (placement * crowdTransform * vec4(transformed, 1.0)).xyz;',
      );
  };
  copy.customProgramCacheKey = () => `anyrig crowd ${binds !== null}`;
  return copy;
}
