/** Shader properties of VRM 0.x materials and their counterparts in VRMC_materials_mtoon 1.0. */
import { clamp, tidy } from './vrm-values.ts';

export const MTOON = 'VRMC_materials_mtoon';
export const MTOON_SHADER = 'VRM/MToon';
export const TEXTURE_TRANSFORM = 'KHR_texture_transform';
export const UNLIT = 'KHR_materials_unlit';
/** Extension for emission above 1. */
export const EMISSIVE_STRENGTH = 'KHR_materials_emissive_strength';

/** `_BlendMode` of MToon 0.x. */
export const BLEND_MODE = { opaque: 0, cutout: 1, transparent: 2, transparentWithZWrite: 3 } as const;

/** Render queues of Unity that offsets of MToon 1.0 count from. */
export const BASE_QUEUE: Readonly<Record<number, number>> = {
  [BLEND_MODE.transparent]: 3000,
  [BLEND_MODE.transparentWithZWrite]: 2501,
};

/** `_OutlineWidthMode` of MToon 0.x, by index. */
export const OUTLINE_MODES = ['none', 'worldCoordinates', 'screenCoordinates'] as const;

/** Units of the outline width in MToon 0.x, in those of MToon 1.0: centimeters in meters; percent of half the screen height in screen heights. */
export const OUTLINE_UNIT: Readonly<Record<(typeof OUTLINE_MODES)[number], number>> = {
  none: 0.01,
  worldCoordinates: 0.01,
  screenCoordinates: 0.005,
};

/** Textures of MToon 0.x with a counterpart in the extension; the others are in the core material. */
export const EXTENSION_TEXTURES = [
  ['_ShadeTexture', 'shadeMultiplyTexture'],
  ['_SphereAdd', 'matcapTexture'],
  ['_RimTexture', 'rimMultiplyTexture'],
  ['_OutlineWidthTexture', 'outlineWidthMultiplyTexture'],
  ['_UvAnimMaskTexture', 'uvAnimationMaskTexture'],
] as const;

interface ToonShading {
  /** Where shade begins. */
  readonly shift: number;
  /** How hard the edge of the shade is. */
  readonly toony: number;
}

/**
 * Converts shading to MToon 1.0. In 0.x the edge is from `shift` to `lerp(1, shift, toony)`, in 1.0 it is centered at
 * `-shift` and `1 − toony` wide to both sides.
 */
export function shadingToVrm1({ shift, toony }: ToonShading): ToonShading {
  const half = ((1 - shift) * (1 - toony)) / 2;
  return { shift: clamp(tidy(-shift - half), -1, 1), toony: clamp(tidy(1 - half), 0, 1) };
}

/** Converts shading to MToon 0.x: the inverse of {@link shadingToVrm1}. */
export function shadingToVrm0({ shift, toony }: ToonShading): ToonShading {
  const half = 1 - toony;
  const begin = clamp(tidy(-shift - half), -1, 1);
  return { shift: begin, toony: begin < 1 ? clamp(tidy(1 - (2 * half) / (1 - begin)), 0, 1) : 1 };
}
