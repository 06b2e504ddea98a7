/** A material of VRM 0.x (`VRM.materialProperties`) as a glTF material with VRMC_materials_mtoon 1.0. */
import { isObject, type JsonObject, memberAt } from '../document/json-access.ts';
import { isIndex, numberOf, numbersOf, objectOf, textOf } from '../document/loose-json.ts';
import { flipOffset } from './expressions-to-vrm1.ts';
import {
  BASE_QUEUE,
  BLEND_MODE,
  EMISSIVE_STRENGTH,
  EXTENSION_TEXTURES,
  MTOON,
  OUTLINE_MODES,
  OUTLINE_UNIT,
  shadingToVrm1,
  TEXTURE_TRANSFORM,
  UNLIT,
} from './mtoon-properties.ts';
import { clamp, linearColor, tidy } from './vrm-values.ts';

interface Properties {
  float(name: string, otherwise: number): number;
  color(name: string, otherwise: readonly number[]): number[];
  /** A texture with the transform of the main texture; undefined without one. */
  texture(name: string, isTransformed?: boolean): JsonObject | undefined;
}

function readProperties(properties: JsonObject, textureCount: number): Properties {
  const floats = objectOf(properties, 'floatProperties');
  const vectors = objectOf(properties, 'vectorProperties');
  const textures = objectOf(properties, 'textureProperties');
  const [ox, oy, sx, sy] = numbersOf(vectors, '_MainTex', [0, 0, 1, 1]);
  const isIdentity = ox === 0 && oy === 0 && sx === 1 && sy === 1;
  const transform = { offset: [ox, flipOffset(oy, sy)], scale: [sx, sy] };
  return {
    float: (name, otherwise) => numberOf(floats, name, otherwise),
    color: (name, otherwise) => numbersOf(vectors, name, otherwise),
    texture: (name, isTransformed = true) => {
      const index = memberAt(textures, name);
      if (!isIndex(index) || index >= textureCount) return undefined;
      return { index, ...(isTransformed && !isIdentity ? { extensions: { [TEXTURE_TRANSFORM]: transform } } : {}) };
    },
  };
}

/** Reads how a material of VRM 0.x is blended. */
export function blendModeOf(properties: JsonObject): number {
  if (textOf(properties, 'shader') === 'VRM/UnlitTransparentZWrite') return BLEND_MODE.transparentWithZWrite;
  const floats = objectOf(properties, 'floatProperties');
  const keywords = objectOf(properties, 'keywordMap');
  const mode = numberOf(floats, '_BlendMode', -1);
  if (Object.values<number>(BLEND_MODE).includes(mode)) return mode;
  if (memberAt(keywords, '_ALPHABLEND_ON') === true)
    return numberOf(floats, '_ZWrite', 0) === 1 ? BLEND_MODE.transparentWithZWrite : BLEND_MODE.transparent;
  return memberAt(keywords, '_ALPHATEST_ON') === true ? BLEND_MODE.cutout : BLEND_MODE.opaque;
}

/** Reads the render queue of a material. Returns the queue relative to the base of its blend mode; 0 where it has the default. */
export function queueOf(properties: JsonObject): number {
  const base = BASE_QUEUE[blendModeOf(properties)] ?? 0;
  const queue = numberOf(properties, 'renderQueue', -1);
  return queue < 0 ? 0 : queue - base;
}

function setOrDelete(owner: JsonObject, key: string, value: unknown): void {
  if (value === undefined) delete owner[key];
  else owner[key] = value;
}

/** Sets the emission, which may exceed 1 in VRM 0.x. Its colors are linear there, unlike all others. */
function setEmission(material: JsonObject, extensions: JsonObject, color: readonly number[]): void {
  const linear = color.slice(0, 3).map((value) => Math.max(value, 0));
  const most = Math.max(...linear);
  material['emissiveFactor'] = most > 1 ? linear.map((value) => clamp(tidy(value / most), 0, 1)) : linear;
  setOrDelete(extensions, EMISSIVE_STRENGTH, most > 1 ? { emissiveStrength: most } : undefined);
}

function setAlpha(material: JsonObject, mode: number, cutoff: number): void {
  const { opaque, cutout } = BLEND_MODE;
  setOrDelete(material, 'alphaMode', mode === opaque ? undefined : mode === cutout ? 'MASK' : 'BLEND');
  setOrDelete(material, 'alphaCutoff', mode === cutout ? cutoff : undefined);
}

/** Names of settings that MToon 1.0 does not have and that matter here. */
function lostSettings({ float, texture }: Properties): string[] {
  const lost = ['_ReceiveShadowTexture', '_ShadingGradeTexture'].filter((name) => texture(name) !== undefined);
  if (float('_ReceiveShadowRate', 1) !== 1) lost.push('_ReceiveShadowRate');
  if (float('_LightColorAttenuation', 0) !== 0) lost.push('_LightColorAttenuation');
  if (float('_OutlineWidthMode', 0) === 2 && float('_OutlineScaledMaxDistance', 1) !== 1)
    lost.push('_OutlineScaledMaxDistance');
  if (float('_CullMode', 2) === 1) lost.push('_CullMode (only back faces are shown)');
  return lost;
}

function mtoonExtension(properties: Properties, mode: number, queueOffset: number): JsonObject {
  const { float, color, texture } = properties;
  const shading = shadingToVrm1({ shift: float('_ShadeShift', 0), toony: float('_ShadeToony', 0.9) });
  const outline = OUTLINE_MODES[float('_OutlineWidthMode', 0)] ?? 'none';
  const textures = EXTENSION_TEXTURES.flatMap(([old, name]) => {
    const info = texture(old, name !== 'matcapTexture');
    return info === undefined ? [] : [[name, info] as const];
  });
  return {
    specVersion: '1.0',
    transparentWithZWrite: mode === BLEND_MODE.transparentWithZWrite,
    renderQueueOffsetNumber: queueOffset,
    shadeColorFactor: linearColor(color('_ShadeColor', [0.97, 0.81, 0.86])),
    shadingShiftFactor: shading.shift,
    shadingToonyFactor: shading.toony,
    giEqualizationFactor: clamp(tidy(1 - float('_IndirectLightIntensity', 0.1)), 0, 1),
    matcapFactor: texture('_SphereAdd') === undefined ? [0, 0, 0] : [1, 1, 1],
    parametricRimColorFactor: linearColor(color('_RimColor', [0, 0, 0])),
    parametricRimFresnelPowerFactor: Math.max(float('_RimFresnelPower', 1), 0),
    parametricRimLiftFactor: float('_RimLift', 0),
    rimLightingMixFactor: clamp(float('_RimLightingMix', 0), 0, 1),
    outlineWidthMode: outline,
    outlineWidthFactor: Math.max(tidy(float('_OutlineWidth', 0.5) * OUTLINE_UNIT[outline]), 0),
    outlineColorFactor: linearColor(color('_OutlineColor', [0, 0, 0])),
    outlineLightingMixFactor: float('_OutlineColorMode', 0) === 1 ? clamp(float('_OutlineLightingMix', 1), 0, 1) : 0,
    uvAnimationScrollXSpeedFactor: float('_UvAnimScrollX', 0),
    // Texture coordinates of Unity have their origin below.
    uvAnimationScrollYSpeedFactor: 0 - float('_UvAnimScrollY', 0),
    uvAnimationRotationSpeedFactor: float('_UvAnimRotation', 0),
    ...Object.fromEntries(textures),
  };
}

/** Converts an MToon material. `material`: the glTF material, edited. */
export function mtoonToVrm1(
  material: JsonObject,
  item: JsonObject,
  queueOffset: number,
  textureCount: number,
): string[] {
  const properties = readProperties(item, textureCount);
  const { float, color, texture } = properties;
  const mode = blendModeOf(item);
  const pbr = objectOf(material, 'pbrMetallicRoughness');
  const extensions = objectOf(material, 'extensions');
  pbr['baseColorFactor'] = linearColor(color('_Color', [1, 1, 1, 1]));
  setOrDelete(pbr, 'baseColorTexture', texture('_MainTex'));
  material['pbrMetallicRoughness'] = { metallicFactor: 0, roughnessFactor: 0.9, ...pbr };
  const bump = texture('_BumpMap');
  const scale = float('_BumpScale', 1);
  setOrDelete(
    material,
    'normalTexture',
    bump === undefined ? undefined : { ...bump, ...(scale === 1 ? {} : { scale }) },
  );
  setOrDelete(material, 'emissiveTexture', texture('_EmissionMap'));
  setEmission(material, extensions, color('_EmissionColor', [0, 0, 0]));
  setAlpha(material, mode, float('_Cutoff', 0.5));
  material['doubleSided'] = float('_CullMode', 2) !== 2;
  extensions[UNLIT] = isObject(extensions[UNLIT]) ? extensions[UNLIT] : {};
  extensions[MTOON] = mtoonExtension(properties, mode, queueOffset);
  material['extensions'] = extensions;
  return lostSettings(properties);
}

/** Unlit shaders of old versions of UniVRM, and how they are blended. */
const UNLIT_SHADERS: Readonly<Record<string, number>> = {
  'Unlit/Color': BLEND_MODE.opaque,
  'Unlit/Texture': BLEND_MODE.opaque,
  'Unlit/Transparent': BLEND_MODE.transparent,
  'Unlit/Transparent Cutout': BLEND_MODE.cutout,
  'VRM/UnlitTexture': BLEND_MODE.opaque,
  'VRM/UnlitTransparent': BLEND_MODE.transparent,
  'VRM/UnlitCutout': BLEND_MODE.cutout,
};

/** Converts a material with an unlit shader that VRM 0.x names. `material`: the glTF material, edited. */
export function unlitToVrm1(material: JsonObject, item: JsonObject, textureCount: number): boolean {
  const shader = textOf(item, 'shader');
  if (!Object.hasOwn(UNLIT_SHADERS, shader)) return false;
  const { float, color, texture } = readProperties(item, textureCount);
  const pbr = objectOf(material, 'pbrMetallicRoughness');
  pbr['baseColorFactor'] = shader === 'Unlit/Color' ? linearColor(color('_Color', [1, 1, 1, 1])) : [1, 1, 1, 1];
  setOrDelete(pbr, 'baseColorTexture', texture('_MainTex'));
  material['pbrMetallicRoughness'] = pbr;
  setAlpha(material, UNLIT_SHADERS[shader], float('_Cutoff', 0.5));
  const extensions = objectOf(material, 'extensions');
  material['extensions'] = { ...extensions, [UNLIT]: isObject(extensions[UNLIT]) ? extensions[UNLIT] : {} };
  return true;
}

/**
 * Converts a material with the shader VRM/UnlitTransparentZWrite, which writes depth: MToon that only emits, because unlit materials of glTF do
 * not. `material`: the glTF material, edited.
 */
export function unlitZWriteToVrm1(
  material: JsonObject,
  item: JsonObject,
  queueOffset: number,
  textureCount: number,
): void {
  const { color, texture } = readProperties(item, textureCount);
  const [r, g, b, a] = linearColor(color('_Color', [1, 1, 1, 1]));
  const image = texture('_MainTex');
  const pbr = { metallicFactor: 0, roughnessFactor: 1, baseColorFactor: [0, 0, 0, a] };
  material['pbrMetallicRoughness'] = image === undefined ? pbr : { ...pbr, baseColorTexture: image };
  setOrDelete(material, 'emissiveTexture', image === undefined ? undefined : structuredClone(image));
  material['emissiveFactor'] = [r, g, b];
  material['alphaMode'] = 'BLEND';
  const extensions = objectOf(material, 'extensions');
  material['extensions'] = {
    ...extensions,
    [UNLIT]: {},
    [MTOON]: {
      specVersion: '1.0',
      transparentWithZWrite: true,
      renderQueueOffsetNumber: queueOffset,
      shadeColorFactor: [0, 0, 0],
      outlineWidthMode: 'none',
    },
  };
}
