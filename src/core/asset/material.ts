/** Materials and textures: glTF's model (2.0, section 3.9), metallic and rough, as the hub of all formats. */

export type Wrap = 'clamp' | 'mirror' | 'repeat';

/** An image and how it is sampled. */
export interface Texture {
  readonly name: string;
  /** The file of the image as it is, never decoded. */
  readonly image: Uint8Array;
  /** `image/png`, `image/jpeg`, `image/webp`, `image/ktx2` …, by the content. */
  readonly mimeType: string;
  readonly wrapU: Wrap;
  readonly wrapV: Wrap;
  /** glTF's numbers (9728 …); null: the player's choice. */
  readonly magFilter: number | null;
  readonly minFilter: number | null;
}

/** A texture in its place in a material. */
export interface TextureUse {
  /** Index in the textures of the file. */
  readonly texture: number;
  /** Which uv set of the mesh. */
  readonly uvSet: number;
  /** KHR_texture_transform; null for none. */
  readonly transform: {
    readonly offset: readonly [number, number];
    readonly rotation: number;
    readonly scale: readonly [number, number];
  } | null;
}

export interface Material {
  readonly name: string;
  /** rgba, linear. */
  readonly baseColor: readonly [number, number, number, number];
  readonly baseColorTexture: TextureUse | null;
  readonly metallic: number;
  readonly roughness: number;
  /** Roughness in green, metalness in blue. */
  readonly metallicRoughnessTexture: TextureUse | null;
  readonly normalTexture: TextureUse | null;
  readonly normalScale: number;
  /** In red. */
  readonly occlusionTexture: TextureUse | null;
  readonly occlusionStrength: number;
  /** rgb, linear; may be above 1 (KHR_materials_emissive_strength). */
  readonly emissive: readonly [number, number, number];
  readonly emissiveTexture: TextureUse | null;
  readonly alphaMode: 'opaque' | 'mask' | 'blend';
  readonly alphaCutoff: number;
  readonly doubleSided: boolean;
  /** KHR_materials_unlit. */
  readonly unlit: boolean;
}
