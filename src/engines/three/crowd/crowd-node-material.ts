/** Lets materials of three.js skin the instances of a crowd in WebGPURenderer, which takes nodes instead of shader code. */
import type { DataTexture, Material } from 'three';
import {
  attribute,
  Fn,
  int,
  ivec2,
  mat3,
  mat4,
  normalGeometry,
  normalLocal,
  positionGeometry,
  textureLoad,
  vec3,
  vec4,
} from 'three/tsl';
import type { Node } from 'three/webgpu';
import type { CrowdTextures } from './crowd-material.ts';

const COMPONENTS = ['x', 'y', 'z', 'w'] as const;

/** Reads a column of a 4×4. */
function texel(texture: DataTexture, x: Node<'int'>, y: Node<'int'>): Node<'vec4'> {
  return textureLoad(texture, ivec2(x, y));
}

/** Reads a 4×4 of four texels, one after the other. */
function matrixAt(texture: DataTexture, x: Node<'int'>, y: Node<'int'>): Node<'mat4'> {
  return mat4(
    texel(texture, x, y),
    texel(texture, x.add(1), y),
    texel(texture, x.add(2), y),
    texel(texture, x.add(3), y),
  );
}

/**
 * Creates a copy of a material that skins the instances of a crowd, for WebGPURenderer.
 *
 * @param material A node material, or one that WebGPURenderer turns into one: all built-in mesh materials.
 * @param textures The textures of the crowd.
 * @returns The copy.
 * @example
 * const crowd = new CharacterCrowd(source, models, { capacity: 1000, material: crowdNodeMaterial });
 */
export function crowdNodeMaterial<T extends Material>(
  material: T,
  { deltas, translations, placements, binds }: CrowdTextures,
): T {
  const position = Fn(() => {
    const instance = attribute<'vec2'>('crowdInstance', 'vec2');
    const character = int(instance.x);
    const playhead = int(instance.y);
    const rows = attribute<'vec4'>('crowdRows', 'vec4');
    const weights = attribute<'vec4'>('crowdWeights', 'vec4');
    const joints = binds === null ? null : attribute<'vec4'>('crowdJoints', 'vec4');
    const skinMatrix = (component: (typeof COMPONENTS)[number]): Node<'mat4'> => {
      const row = int(rows[component]);
      const column = (k: number): Node<'vec4'> => vec4(texel(deltas, row.mul(4).add(k), playhead).xyz, 0);
      const matrix = mat4(column(0), column(1), column(2), texel(translations, row, character));
      if (binds === null || joints === null) return matrix;
      return matrix.mul(matrixAt(binds, int(joints[component]).mul(4), int(0)));
    };
    const [x, y, z, w] = COMPONENTS.map((component) => ({
      matrix: skinMatrix(component).toVar(),
      weight: weights[component],
    }));
    const skinned = (vector: Node<'vec4'>): Node<'vec4'> =>
      [x, y, z, w].map(({ matrix, weight }) => matrix.mul(vector).mul(weight)).reduce((sum, part) => sum.add(part));
    const placement = matrixAt(placements, int(0), character);
    // The inverse transpose of the placement: its axes are orthogonal, so dividing by their squared lengths is enough.
    const [right, up, front] = [0, 1, 2].map((k) => texel(placements, int(k), character).xyz);
    const normal = skinned(vec4(normalGeometry, 0)).xyz.div(vec3(right.dot(right), up.dot(up), front.dot(front)));
    normalLocal.assign(mat3(right, up, front).mul(normal));
    return placement.mul(skinned(vec4(positionGeometry, 1))).xyz;
  });
  const copy = material.clone() as T;
  // Programs are shared by materials with the same key, and the key of nodes does not tell their textures apart.
  const key = `${material.customProgramCacheKey()} anyrig crowd ${deltas.id} ${binds?.id}`;
  return Object.assign(copy, { positionNode: position(), customProgramCacheKey: () => key });
}
