/** Materials and textures: glTF's metallic-roughness model (2.0, section 3.9), to which all formats convert. */

/** Wrap mode of texture coordinates outside 0…1. */
export type Wrap = 'clamp' | 'mirror' | 'repeat';

/** An image and how it is sampled. */
export interface Texture {
  /** Name of the texture. */
  readonly name: string;
  /** Bytes of the image file, not decoded. */
  readonly image: Uint8Array;
  /** Media type, detected by content: `image/png`, `image/jpeg`, `image/webp`, `image/ktx2` …. */
  readonly mimeType: string;
  /** Wrap mode of u. */
  readonly wrapU: Wrap;
  /** Wrap mode of v. */
  readonly wrapV: Wrap;
  /** glTF's constant (9728 …); null: the player chooses. */
  readonly magFilter: number | null;
  /** glTF's constant (9728 …); null: the player chooses. */
  readonly minFilter: number | null;
}

/** A reference from a material to a texture. */
export interface TextureUse {
  /** Index in `Geometry.textures`. */
  readonly texture: number;
  /** Index of the texture coordinate set. */
  readonly uvSet: number;
  /** Transform of texture coordinates (KHR_texture_transform), rotation in radians; null without. */
  readonly transform: {
    /** Translation, in texture coordinates. */
    readonly offset: readonly [number, number];
    /** Rotation around the origin of the texture, in radians. */
    readonly rotation: number;
    /** Scale of the texture coordinates. */
    readonly scale: readonly [number, number];
  } | null;
}

/** A metallic-roughness material. A factor multiplies its texture. */
export interface Material {
  /** Name of the material. */
  readonly name: string;
  /** Linear rgba. */
  readonly baseColor: readonly [number, number, number, number];
  /** sRGB color with alpha; null without. */
  readonly baseColorTexture: TextureUse | null;
  /** Metalness factor, 0…1. */
  readonly metallic: number;
  /** Roughness factor, 0…1. */
  readonly roughness: number;
  /** Roughness in green, metalness in blue; null without. */
  readonly metallicRoughnessTexture: TextureUse | null;
  /** Tangent-space normals; null without. */
  readonly normalTexture: TextureUse | null;
  /** Scale of x and y of the normals. */
  readonly normalScale: number;
  /** Occlusion in red; null without. */
  readonly occlusionTexture: TextureUse | null;
  /** Strength of the occlusion, 0…1. */
  readonly occlusionStrength: number;
  /** Linear rgb; may exceed 1 (KHR_materials_emissive_strength). */
  readonly emissive: readonly [number, number, number];
  /** sRGB color; null without. */
  readonly emissiveTexture: TextureUse | null;
  /** How alpha is used. */
  readonly alphaMode: 'opaque' | 'mask' | 'blend';
  /** Alpha threshold of `mask`. */
  readonly alphaCutoff: number;
  /** Whether back faces are rendered. */
  readonly doubleSided: boolean;
  /** Whether lighting is ignored (KHR_materials_unlit). */
  readonly unlit: boolean;
}

type PlainMaterial = { readonly [Key in keyof Material]: null extends Material[Key] ? null : Material[Key] };

export function plainMaterial(name: string): PlainMaterial {
  return {
    name,
    baseColor: [1, 1, 1, 1],
    baseColorTexture: null,
    metallic: 0,
    roughness: 1,
    metallicRoughnessTexture: null,
    normalTexture: null,
    normalScale: 1,
    occlusionTexture: null,
    occlusionStrength: 1,
    emissive: [0, 0, 0],
    emissiveTexture: null,
    alphaMode: 'opaque',
    alphaCutoff: 0.5,
    doubleSided: false,
    unlit: false,
  };
}
