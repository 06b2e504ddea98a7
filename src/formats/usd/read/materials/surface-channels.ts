/** Converts the inputs of a UsdPreviewSurface to glTF's material model, in which each texture channel has a fixed meaning. */
import type { Material, TextureUse } from '../../../../core/asset/material.ts';
import type { UvTexture } from './read-texture.ts';

export interface TextureChannel {
  readonly texture: UvTexture;
  /** `rgb`, `r`, `g`, `b` or `a`. */
  readonly output: string;
}

export interface SurfaceInput {
  /** Null without a texture. */
  readonly channel: TextureChannel | null;
  /** The value without the texture. */
  readonly constant: readonly number[];
}

/** The use of a texture with a named UV set instead of an index. */
export interface NamedTextureUse extends Omit<TextureUse, 'uvSet'> {
  /** Name of the UV primvar, without `primvars:`; null if it is not authored. */
  readonly uvName: string | null;
}

/** A material whose textures refer to UV sets by name. */
export type NamedMaterial = {
  readonly [Key in keyof Material]: Material[Key] extends TextureUse | null ? NamedTextureUse | null : Material[Key];
};

/** Reports a loss; `what` is a message without the last full stop. */
type ReportLoss = (what: string) => void;

/** Tolerance within which authored numbers count as equal: covers float32 rounding. */
const EQUAL_TOLERANCE = 1e-4;
const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= EQUAL_TOLERANCE;

export function componentIndex(output: string): number {
  return Math.max(0, 'rgba'.indexOf(output));
}

function toTextureUse({ texture: { texture, uvName, transform } }: TextureChannel): NamedTextureUse {
  return { texture, uvName, transform };
}

function isSameUse(a: TextureChannel, b: TextureChannel): boolean {
  const [one, other] = [a, b].map((channel) => JSON.stringify(toTextureUse(channel)));
  return one === other;
}

function isUnbiased({ texture, output }: TextureChannel): boolean {
  return (output === 'rgb' ? [0, 1, 2] : [componentIndex(output)]).every((c) => isNear(texture.bias[c], 0));
}

export interface SurfaceColor {
  /** Linear RGB factor. */
  readonly rgb: readonly [number, number, number];
  readonly use: NamedTextureUse | null;
  /** The channel of {@link use}; null for none. */
  readonly channel: TextureChannel | null;
}

/** Converts a color input. Its scale becomes the factor. Textures with a bias, and single channels of color images, are dropped. */
export function colorOf({ channel, constant }: SurfaceInput, input: string, reportLoss: ReportLoss): SurfaceColor {
  const [r, g, b] = constant;
  const without = (why: string): SurfaceColor => {
    reportLoss(`Textures of ${input} ${why}, which is not supported; they were dropped`);
    return { rgb: [r, g, b], use: null, channel: null };
  };
  if (channel === null) return { rgb: [r, g, b], use: null, channel: null };
  const { texture, output } = channel;
  const isGray = texture.isGray && 'rgb'.includes(output);
  if (output !== 'rgb' && !isGray) return without(`use only the channel ${output}`);
  if (!isUnbiased(channel)) return without('have a bias');
  if (texture.colorSpace === 'raw') {
    reportLoss(`Textures of ${input} are declared as linear (raw), which is not supported; they were read as sRGB`);
  }
  const [sr, sg, sb] = output === 'rgb' ? texture.scale : Array<number>(3).fill(texture.scale[componentIndex(output)]);
  return { rgb: [sr, sg, sb], use: toTextureUse(channel), channel };
}

/**
 * Converts the opacity input to the alpha of the base color. An opacity texture must be the alpha channel of the diffuse texture. Returns the alpha
 * factor and the texture; null for no texture.
 */
export function alphaOf(
  { channel, constant }: SurfaceInput,
  diffuse: SurfaceColor,
  reportLoss: ReportLoss,
): { readonly value: number; readonly use: NamedTextureUse | null } {
  if (channel === null) return { value: constant[0], use: null };
  // If the base color is constant black, the texture's color does not matter.
  const isFree = diffuse.channel === null && diffuse.rgb.every((value) => value === 0);
  const isTogether = isFree || (diffuse.channel !== null && isSameUse(channel, diffuse.channel));
  if (channel.output === 'a' && isTogether && isUnbiased(channel)) {
    return { value: channel.texture.scale[3], use: toTextureUse(channel) };
  }
  reportLoss('Textures of opacity are not the alpha channel of the diffuseColor texture and were dropped');
  return { value: constant[0], use: null };
}

/** Converts the metallic and roughness inputs. glTF reads them from the blue and green channels of one image; other textures are dropped. */
export function metallicRoughness(
  metallic: SurfaceInput,
  roughness: SurfaceInput,
  reportLoss: ReportLoss,
): Pick<NamedMaterial, 'metallic' | 'roughness' | 'metallicRoughnessTexture'> {
  /** Returns the factor of a texture in the channel that glTF requires; null for other textures. */
  const factorOf = ({ channel }: SurfaceInput, wanted: 'g' | 'b'): number | null => {
    if (channel === null || !isUnbiased(channel)) return null;
    const { texture, output } = channel;
    const fits = output === wanted || (texture.isGray && output !== 'a');
    return fits ? texture.scale[componentIndex(output)] : null;
  };
  const metalFactor = factorOf(metallic, 'b');
  const roughFactor = factorOf(roughness, 'g');
  const [metal, rough] = [metallic.channel, roughness.channel];
  if (metal !== null && rough !== null && metalFactor !== null && roughFactor !== null && isSameUse(metal, rough)) {
    return { metallic: metalFactor, roughness: roughFactor, metallicRoughnessTexture: toTextureUse(metal) };
  }
  const unpacked =
    'Textures of metallic and roughness are not the blue and green channels of one image and were dropped. Pack them into one image';
  // The content of the other channel does not matter if its factor is 0.
  if (rough !== null && roughFactor !== null && metallic.constant[0] === 0) {
    if (metal !== null) reportLoss(unpacked);
    return { metallic: 0, roughness: roughFactor, metallicRoughnessTexture: toTextureUse(rough) };
  }
  if (metal !== null && metalFactor !== null && rough === null && roughness.constant[0] === 0) {
    return { metallic: metalFactor, roughness: 0, metallicRoughnessTexture: toTextureUse(metal) };
  }
  if (metal !== null || rough !== null) reportLoss(unpacked);
  return { metallic: metallic.constant[0], roughness: roughness.constant[0], metallicRoughnessTexture: null };
}

/** Converts the normal map. USD unpacks it by scale and bias of the texture; glTF implies them. */
export function normalOf(
  { channel }: SurfaceInput,
  reportLoss: ReportLoss,
): Pick<NamedMaterial, 'normalTexture' | 'normalScale'> {
  if (channel === null) return { normalTexture: null, normalScale: 1 };
  const { texture, output } = channel;
  if (output !== 'rgb') {
    reportLoss(`Normal maps use only the channel ${output}, which is not supported; they were dropped`);
    return { normalTexture: null, normalScale: 1 };
  }
  if (texture.colorSpace === 'sRGB') reportLoss('Normal maps are declared as sRGB; they were read as linear (raw)');
  const [x, y, z] = texture.scale;
  const isExpected =
    isNear(x, y) && isNear(z, 2) && [0, 1, 2].every((c) => isNear(texture.bias[c], -texture.scale[c] / 2));
  if (isExpected) return { normalTexture: toTextureUse(channel), normalScale: x / 2 };
  reportLoss(
    'Normal maps do not have the scale (2, 2, 2, 1) and the bias (-1, -1, -1, 0); they were read as if they had',
  );
  return { normalTexture: toTextureUse(channel), normalScale: 1 };
}

/** Converts the occlusion map. glTF's `1 + strength · (red − 1)` corresponds to a scale and a bias of the texture. */
export function occlusionOf(
  { channel, constant }: SurfaceInput,
  reportLoss: ReportLoss,
): Pick<NamedMaterial, 'occlusionTexture' | 'occlusionStrength'> {
  const none = { occlusionTexture: null, occlusionStrength: 1 };
  if (channel === null) {
    if (constant[0] !== 1) reportLoss('Occlusion has no texture, which is not supported; it was dropped');
    return none;
  }
  const { texture, output } = channel;
  if (output !== 'r' && !(texture.isGray && output !== 'a')) {
    reportLoss(`Textures of occlusion use the channel ${output} instead of r and were dropped`);
    return none;
  }
  const [scale, bias] = [texture.scale[componentIndex(output)], texture.bias[componentIndex(output)]];
  if (!isNear(scale + bias, 1))
    reportLoss('Textures of occlusion have a scale and bias that do not add up to 1; both were ignored');
  return { occlusionTexture: toTextureUse(channel), occlusionStrength: isNear(scale + bias, 1) ? scale : 1 };
}
