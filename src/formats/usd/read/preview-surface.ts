/** Materials from UsdPreviewSurface, the shader that all of USD knows. */
import type { Material } from '../../../core/asset/material.ts';
import type { Stage } from '../stage/stage.ts';
import { metalFromSpecular } from './metal-from-specular.ts';
import { type MaterialReading, noteMaterial, readUvTexture } from './read-texture.ts';
import { restValue } from './rest-value.ts';
import { attributeNumbers, inputNumbers, inputSource, shaderId, shaderName } from './shade-network.ts';
import {
  alphaOf,
  type Color,
  colorOf,
  component,
  metallicRoughness,
  type NamedMaterial,
  normalOf,
  occlusionOf,
  type Slot,
} from './surface-channels.ts';

/** What the surface looks like where nothing is said. */
const DEFAULTS = {
  diffuseColor: [0.18, 0.18, 0.18],
  emissiveColor: [0, 0, 0],
  specularColor: [0, 0, 0],
  metallic: [0],
  roughness: [0.5],
  opacity: [1],
  normal: [0, 0, 1],
  occlusion: [1],
  clearcoat: [0],
  displacement: [0],
  ior: [1.5],
} as const satisfies Record<string, readonly number[]>;
type Input = keyof typeof DEFAULTS;

/** Inputs that the materials of the hub do not have. */
const LEFT_OUT: readonly Input[] = ['clearcoat', 'displacement', 'ior'];

/** The material that UsdPreviewSurface has where nothing is said. */
export function defaultMaterial(name: string): Material & NamedMaterial {
  const [r, g, b] = DEFAULTS.diffuseColor;
  return {
    name,
    baseColor: [r, g, b, 1],
    baseColorTexture: null,
    metallic: DEFAULTS.metallic[0],
    roughness: DEFAULTS.roughness[0],
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

/** Whether a surface is marked as unlit, as converters from glTF do it: by an attribute of the shader that renderers do not know. */
function isMarkedUnlit(stage: Stage, surface: string): boolean {
  const mark = restValue(stage, surface, 'unlit');
  return mark !== null && 'numbers' in mark && Number(mark.numbers[0]) === 1;
}

/**
 * The material of a UsdPreviewSurface shader, as near as glTF's model comes; what was left out goes into the findings. One that is marked as unlit, and black
 * that glows for those who do not know the mark, has the color that it glows in.
 */
export function readPreviewSurface(reading: MaterialReading, surface: string, name: string): NamedMaterial {
  const { stage } = reading;
  const slot = (input: Input): Slot => readSlot(reading, surface, input);
  const leaveOut = (what: string): void => noteMaterial(reading, what, surface);
  const diffuse = colorOf(slot('diffuseColor'), 'diffuseColor', leaveOut);
  const emissive = colorOf(slot('emissiveColor'), 'emissiveColor', leaveOut);
  const isUnlit = isMarkedUnlit(stage, surface);
  const glows = isUnlit && diffuse.channel === null && diffuse.rgb.every((value) => value === 0);
  const shown = glows ? emissive : diffuse;
  const alpha = alphaOf(slot('opacity'), shown, leaveOut);
  const [threshold] = inputNumbers(stage, surface, 'opacityThreshold', 1) ?? [0];
  const isSpecular = (inputNumbers(stage, surface, 'useSpecularWorkflow', 1) ?? [0])[0] === 1;
  const { rgb, metallic } = isSpecular
    ? withoutSpecular(shown, slot('specularColor'), leaveOut)
    : { rgb: shown.rgb, metallic: slot('metallic') };
  for (const input of LEFT_OUT) {
    const { channel, constant } = slot(input);
    if (channel !== null || constant[0] !== DEFAULTS[input][0]) leaveOut(`The input ${input} of surfaces was left out`);
  }
  return {
    ...defaultMaterial(name),
    baseColor: [...rgb, alpha.value],
    baseColorTexture: alpha.use ?? shown.use,
    ...metallicRoughness(metallic, slot('roughness'), leaveOut),
    ...normalOf(slot('normal'), leaveOut),
    ...occlusionOf(slot('occlusion'), leaveOut),
    emissive: glows ? [0, 0, 0] : emissive.rgb,
    emissiveTexture: glows ? null : emissive.use,
    alphaMode: threshold > 0 ? 'mask' : alpha.use !== null || alpha.value < 1 ? 'blend' : 'opaque',
    alphaCutoff: threshold > 0 ? threshold : 0.5,
    unlit: isUnlit,
  };
}

/** The specular workflow as metalness: what can be computed without the pixels of textures. */
function withoutSpecular(
  diffuse: Color,
  specular: Slot,
  leaveOut: (what: string) => void,
): { readonly rgb: Color['rgb']; readonly metallic: Slot } {
  if (diffuse.use !== null || specular.channel !== null) {
    leaveOut('Specular colors beside textures were left out: the surface is taken for no metal');
    return { rgb: diffuse.rgb, metallic: { channel: null, constant: [0] } };
  }
  leaveOut('Specular colors were turned into metalness, as near as that comes');
  const [r, g, b] = specular.constant;
  const { baseColor, metallic } = metalFromSpecular(diffuse.rgb, [r, g, b]);
  return { rgb: baseColor, metallic: { channel: null, constant: [metallic] } };
}

function readSlot(reading: MaterialReading, surface: string, input: Input): Slot {
  const { stage } = reading;
  const width = DEFAULTS[input].length;
  const own = attributeNumbers(stage, surface, `inputs:${input}`, width) ?? DEFAULTS[input];
  const source = inputSource(stage, surface, `inputs:${input}`);
  if (source.type === 'value') {
    return { channel: null, constant: attributeNumbers(stage, source.prim, source.name, width) ?? own };
  }
  const { shader, output } = source;
  const id = shaderId(stage, shader);
  // Colors of the mesh, which glTF multiplies the base color with.
  if (id === 'UsdPrimvarReader_float3' && input === 'diffuseColor') return { channel: null, constant: [1, 1, 1] };
  if (id !== 'UsdUVTexture') {
    noteMaterial(reading, `What ${shaderName(stage, shader)} makes for ${input} was left out`, surface);
    return { channel: null, constant: own };
  }
  const texture = readUvTexture(reading, shader);
  const constant = texture.fallback === null ? own : pick(texture.fallback, output, width);
  return { channel: texture.texture < 0 ? null : { texture, output }, constant };
}

/** The numbers of an output: three of `rgb`, else one, as often as they are wanted. */
function pick(rgba: readonly number[], output: string, width: number): number[] {
  return Array.from({ length: width }, (_, c) => rgba[output === 'rgb' ? c : component(output)]);
}
