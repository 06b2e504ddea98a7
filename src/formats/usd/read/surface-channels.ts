/** What textures of a UsdPreviewSurface come to in the materials of the hub, where each channel has its place. */
import type { Material, TextureUse } from '../../../core/asset/material.ts';
import type { ShadedTexture } from './read-texture.ts';

/** A texture and the channel of it that is read. */
export interface Channel {
  readonly texture: ShadedTexture;
  /** `rgb`, `r`, `g`, `b` or `a`. */
  readonly output: string;
}

/** What an input of the surface is: a texture, or numbers. */
export interface Slot {
  readonly channel: Channel | null;
  /** What counts without the texture. */
  readonly constant: readonly number[];
}

/** A use of a texture of which the uv set still has a name. */
export interface NamedUse extends Omit<TextureUse, 'uvSet'> {
  readonly uvName: string | null;
}

/** A material whose textures still name their uv sets. */
export type NamedMaterial = {
  readonly [Key in keyof Material]: Material[Key] extends TextureUse | null ? NamedUse | null : Material[Key];
};

/** Told what was left out, as a sentence without its end. */
type LeaveOut = (what: string) => void;

/** How near numbers are that authors mean to be the same: floats, and tenths that were rounded. */
const SAME = 1e-4;
const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= SAME;

/** The number of a channel among rgba. */
export function component(output: string): number {
  return Math.max(0, 'rgba'.indexOf(output));
}

function useOf({ texture: { texture, uvName, transform } }: Channel): NamedUse {
  return { texture, uvName, transform };
}

function isSameUse(a: Channel, b: Channel): boolean {
  const [one, other] = [a, b].map((channel) => JSON.stringify(useOf(channel)));
  return one === other;
}

function isUnbiased({ texture, output }: Channel): boolean {
  return (output === 'rgb' ? [0, 1, 2] : [component(output)]).every((c) => isNear(texture.bias[c], 0));
}

/** A color: a factor and its texture. */
export interface Color {
  readonly rgb: readonly [number, number, number];
  readonly use: NamedUse | null;
  readonly channel: Channel | null;
}

/** A color and its texture. `input`: its name, for messages. */
export function colorOf({ channel, constant }: Slot, input: string, leaveOut: LeaveOut): Color {
  const [r, g, b] = constant;
  const without = (why: string): Color => {
    leaveOut(`Textures of ${input} ${why} were left out`);
    return { rgb: [r, g, b], use: null, channel: null };
  };
  if (channel === null) return { rgb: [r, g, b], use: null, channel: null };
  const { texture, output } = channel;
  const isGray = texture.isGray && 'rgb'.includes(output);
  if (output !== 'rgb' && !isGray) return without(`of which only the channel ${output} is read`);
  if (!isUnbiased(channel)) return without('with a bias');
  if (texture.colorSpace === 'raw') {
    leaveOut(`Textures of ${input} that are said to be linear (raw) are taken for sRGB`);
  }
  const [sr, sg, sb] = output === 'rgb' ? texture.scale : Array<number>(3).fill(texture.scale[component(output)]);
  return { rgb: [sr, sg, sb], use: useOf(channel), channel };
}

/** Opacity, as the alpha of the base color and of its texture. */
export function alphaOf(
  { channel, constant }: Slot,
  diffuse: Color,
  leaveOut: LeaveOut,
): { readonly value: number; readonly use: NamedUse | null } {
  if (channel === null) return { value: constant[0], use: null };
  // Black that nothing is multiplied with may have any texture.
  const isFree = diffuse.channel === null && diffuse.rgb.every((value) => value === 0);
  const isTogether = isFree || (diffuse.channel !== null && isSameUse(channel, diffuse.channel));
  if (channel.output === 'a' && isTogether && isUnbiased(channel)) {
    return { value: channel.texture.scale[3], use: useOf(channel) };
  }
  leaveOut('Textures of opacity that are not the alpha of those of diffuseColor were left out');
  return { value: constant[0], use: null };
}

/** Metalness and roughness: glTF has them in the blue and the green of one image. */
export function metallicRoughness(
  metallic: Slot,
  roughness: Slot,
  leaveOut: LeaveOut,
): Pick<NamedMaterial, 'metallic' | 'roughness' | 'metallicRoughnessTexture'> {
  /** The factor of a channel that stands where glTF has it; null for others. */
  const factorOf = ({ channel }: Slot, wanted: 'g' | 'b'): number | null => {
    if (channel === null || !isUnbiased(channel)) return null;
    const { texture, output } = channel;
    const fits = output === wanted || (texture.isGray && output !== 'a');
    return fits ? texture.scale[component(output)] : null;
  };
  const metalFactor = factorOf(metallic, 'b');
  const roughFactor = factorOf(roughness, 'g');
  const [metal, rough] = [metallic.channel, roughness.channel];
  if (metal !== null && rough !== null && metalFactor !== null && roughFactor !== null && isSameUse(metal, rough)) {
    return { metallic: metalFactor, roughness: roughFactor, metallicRoughnessTexture: useOf(metal) };
  }
  const why = 'that are not the green and the blue of one image were left out; pack them into one';
  // What the other channel holds does not matter where its factor is 0.
  if (rough !== null && roughFactor !== null && metallic.constant[0] === 0) {
    if (metal !== null) leaveOut(`Textures of metallic and roughness ${why}`);
    return { metallic: 0, roughness: roughFactor, metallicRoughnessTexture: useOf(rough) };
  }
  if (metal !== null && metalFactor !== null && rough === null && roughness.constant[0] === 0) {
    return { metallic: metalFactor, roughness: 0, metallicRoughnessTexture: useOf(metal) };
  }
  if (metal !== null || rough !== null) leaveOut(`Textures of metallic and roughness ${why}`);
  return { metallic: metallic.constant[0], roughness: roughness.constant[0], metallicRoughnessTexture: null };
}

/** The normal map, unpacked by a scale and a bias that glTF takes for granted. */
export function normalOf({ channel }: Slot, leaveOut: LeaveOut): Pick<NamedMaterial, 'normalTexture' | 'normalScale'> {
  if (channel === null) return { normalTexture: null, normalScale: 1 };
  const { texture, output } = channel;
  if (output !== 'rgb') {
    leaveOut(`Normal maps of which only the channel ${output} is read were left out`);
    return { normalTexture: null, normalScale: 1 };
  }
  if (texture.colorSpace === 'sRGB') leaveOut('Normal maps that are said to be sRGB are taken for linear (raw)');
  const [x, y, z] = texture.scale;
  const isExpected =
    isNear(x, y) && isNear(z, 2) && [0, 1, 2].every((c) => isNear(texture.bias[c], -texture.scale[c] / 2));
  if (isExpected) return { normalTexture: useOf(channel), normalScale: x / 2 };
  leaveOut('Normal maps without the scale (2, 2, 2, 1) and bias (-1, -1, -1, 0) are taken as if they had them');
  return { normalTexture: useOf(channel), normalScale: 1 };
}

/** Occlusion: `1 + strength · (red − 1)` is a scale and a bias. */
export function occlusionOf(
  { channel, constant }: Slot,
  leaveOut: LeaveOut,
): Pick<NamedMaterial, 'occlusionTexture' | 'occlusionStrength'> {
  const none = { occlusionTexture: null, occlusionStrength: 1 };
  if (channel === null) {
    if (constant[0] !== 1) leaveOut('Occlusion without a texture was left out');
    return none;
  }
  const { texture, output } = channel;
  if (output !== 'r' && !(texture.isGray && output !== 'a')) {
    leaveOut(`Textures of occlusion of which only the channel ${output} is read were left out`);
    return none;
  }
  const [scale, bias] = [texture.scale[component(output)], texture.bias[component(output)]];
  if (!isNear(scale + bias, 1)) leaveOut('The scale and bias of textures of occlusion were left out');
  return { occlusionTexture: useOf(channel), occlusionStrength: isNear(scale + bias, 1) ? scale : 1 };
}
