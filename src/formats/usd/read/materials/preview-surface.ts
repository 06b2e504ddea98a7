/** Converts UsdPreviewSurface shaders, which all USD renderers support, to materials. */
import { type Material, plainMaterial } from '../../../../core/asset/material.ts';
import { clamp01 } from '../../../../core/math/floats.ts';
import type { Stage } from '../../stage/stage.ts';
import { restValue } from '../rest-value.ts';
import { addMaterialFinding, type MaterialContext, readUvTexture } from './read-texture.ts';
import { attributeNumbers, inputNumbers, inputSource, shaderId, shaderName } from './shader-network.ts';
import {
  alphaOf,
  colorOf,
  componentIndex,
  metallicRoughness,
  type NamedMaterial,
  normalOf,
  occlusionOf,
  type SurfaceColor,
  type SurfaceInput,
} from './surface-channels.ts';

/** Fallback values of the inputs (UsdPreviewSurface specification). */
const FALLBACKS = {
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
type Input = keyof typeof FALLBACKS;

/** Inputs without a counterpart in our material model. */
const UNSUPPORTED: readonly Input[] = ['clearcoat', 'displacement', 'ior'];

/** Creates the material of a UsdPreviewSurface without authored inputs. */
export function defaultMaterial(name: string): Material & NamedMaterial {
  const [r, g, b] = FALLBACKS.diffuseColor;
  return {
    ...plainMaterial(name),
    baseColor: [r, g, b, 1],
    metallic: FALLBACKS.metallic[0],
    roughness: FALLBACKS.roughness[0],
  };
}

/** Checks for the `unlit` attribute with which converters from glTF mark unlit surfaces. Renderers ignore it. */
function isMarkedUnlit(stage: Stage, surface: string): boolean {
  const mark = restValue(stage, surface, 'unlit');
  return mark !== null && 'numbers' in mark && Number(mark.numbers[0]) === 1;
}

/**
 * Converts a UsdPreviewSurface shader to the closest material in glTF's model. Losses are added to the findings. A surface that is marked as unlit is
 * black with an emissive color, for renderers that ignore the mark; its base color is that emissive color.
 */
export function readPreviewSurface(context: MaterialContext, surface: string, name: string): NamedMaterial {
  const { stage } = context;
  const slot = (input: Input): SurfaceInput => readSurfaceInput(context, surface, input);
  const reportLoss = (what: string): void => addMaterialFinding(context, what, surface);
  const diffuse = colorOf(slot('diffuseColor'), 'diffuseColor', reportLoss);
  const emissive = colorOf(slot('emissiveColor'), 'emissiveColor', reportLoss);
  const isUnlit = isMarkedUnlit(stage, surface);
  const isEmissiveOnly = isUnlit && diffuse.channel === null && diffuse.rgb.every((value) => value === 0);
  const shown = isEmissiveOnly ? emissive : diffuse;
  const alpha = alphaOf(slot('opacity'), shown, reportLoss);
  const [threshold] = inputNumbers(stage, surface, 'opacityThreshold', 1) ?? [0];
  const isSpecular = (inputNumbers(stage, surface, 'useSpecularWorkflow', 1) ?? [0])[0] === 1;
  const { rgb, metallic } = isSpecular
    ? withoutSpecular(shown, slot('specularColor'), reportLoss)
    : { rgb: shown.rgb, metallic: slot('metallic') };
  for (const input of UNSUPPORTED) {
    const { channel, constant } = slot(input);
    if (channel !== null || constant[0] !== FALLBACKS[input][0]) {
      reportLoss(`Surfaces use the input ${input}, which is not supported and was dropped`);
    }
  }
  return {
    ...defaultMaterial(name),
    baseColor: [...rgb, alpha.value],
    baseColorTexture: alpha.use ?? shown.use,
    ...metallicRoughness(metallic, slot('roughness'), reportLoss),
    ...normalOf(slot('normal'), reportLoss),
    ...occlusionOf(slot('occlusion'), reportLoss),
    emissive: isEmissiveOnly ? [0, 0, 0] : emissive.rgb,
    emissiveTexture: isEmissiveOnly ? null : emissive.use,
    alphaMode: threshold > 0 ? 'mask' : alpha.use !== null || alpha.value < 1 ? 'blend' : 'opaque',
    alphaCutoff: threshold > 0 ? threshold : 0.5,
    unlit: isUnlit,
  };
}

/** Converts the specular workflow to metalness. Only constant colors can be converted: this does not decode textures. */
function withoutSpecular(
  diffuse: SurfaceColor,
  specular: SurfaceInput,
  reportLoss: (what: string) => void,
): { readonly rgb: SurfaceColor['rgb']; readonly metallic: SurfaceInput } {
  if (diffuse.use !== null || specular.channel !== null) {
    reportLoss(
      'Specular colors are combined with textures and cannot be converted; the surface was treated as non-metallic',
    );
    return { rgb: diffuse.rgb, metallic: { channel: null, constant: [0] } };
  }
  reportLoss('Specular colors were converted to metalness, which is an approximation');
  const [r, g, b] = specular.constant;
  const { baseColor, metallic } = metallicFromSpecular(diffuse.rgb, [r, g, b]);
  return { rgb: baseColor, metallic: { channel: null, constant: [metallic] } };
}

function readSurfaceInput(context: MaterialContext, surface: string, input: Input): SurfaceInput {
  const { stage } = context;
  const width = FALLBACKS[input].length;
  const own = attributeNumbers(stage, surface, `inputs:${input}`, width) ?? FALLBACKS[input];
  const source = inputSource(stage, surface, `inputs:${input}`);
  if (source.type === 'value') {
    return { channel: null, constant: attributeNumbers(stage, source.prim, source.name, width) ?? own };
  }
  const { shader, output } = source;
  const id = shaderId(stage, shader);
  // glTF multiplies the base color by the vertex colors, so it has to be white.
  if (id === 'UsdPrimvarReader_float3' && input === 'diffuseColor') return { channel: null, constant: [1, 1, 1] };
  if (id !== 'UsdUVTexture') {
    const what = `The input ${input} is connected to ${shaderName(stage, shader)}, which is not supported; its constant value was used`;
    addMaterialFinding(context, what, surface);
    return { channel: null, constant: own };
  }
  const texture = readUvTexture(context, shader);
  const constant = texture.fallback === null ? own : pick(texture.fallback, output, width);
  return { channel: texture.texture < 0 ? null : { texture, output }, constant };
}

/** Picks the numbers of an output: the components of `rgb`, or one component repeated `width` times. */
function pick(rgba: readonly number[], output: string, width: number): number[] {
  return Array.from({ length: width }, (_, c) => rgba[output === 'rgb' ? c : componentIndex(output)]);
}

type Rgb = readonly [number, number, number];

/** Reflectance of dielectrics (non-metals) at normal incidence. */
const DIELECTRIC = 0.04;

function brightness([r, g, b]: Rgb): number {
  return Math.sqrt(0.299 * r * r + 0.587 * g * g + 0.114 * b * b);
}

/**
 * Finds the base color and metalness closest to a diffuse and a specular color: the mixture of a metal and a dielectric with the same reflectance.
 * Follows Khronos' conversion sample for KHR_materials_pbrSpecularGlossiness, in which metalness solves a quadratic equation in brightness.
 */
export function metallicFromSpecular(diffuse: Rgb, specular: Rgb): { baseColor: Rgb; metallic: number } {
  const reflected = brightness(specular);
  const rest = (1 - Math.max(...specular)) / (1 - DIELECTRIC);
  const b = brightness(diffuse) * rest + reflected - 2 * DIELECTRIC;
  const root = Math.sqrt(Math.max(b * b - 4 * DIELECTRIC * (DIELECTRIC - reflected), 0));
  const metallic = reflected < DIELECTRIC ? 0 : clamp01((root - b) / (2 * DIELECTRIC));
  const channel = (c: 0 | 1 | 2): number => {
    const ofDiffuse = (diffuse[c] * rest) / Math.max(1 - metallic, 1e-6);
    const ofSpecular = (specular[c] - DIELECTRIC * (1 - metallic)) / Math.max(metallic, 1e-6);
    const weight = metallic * metallic;
    return clamp01((1 - weight) * ofDiffuse + weight * ofSpecular);
  };
  return { baseColor: [channel(0), channel(1), channel(2)], metallic };
}
