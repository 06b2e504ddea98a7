/** A glTF material, also one with VRMC_materials_mtoon 1.0, as an item of `VRM.materialProperties`. */
import { isObject, type JsonObject, memberAt } from '../document/json-access.ts';
import { isIndex, numberOf, numbersOf, objectOf, textOf } from '../document/loose-json.ts';
import { flipOffset } from './expressions-to-vrm1.ts';
import {
  BASE_QUEUE,
  BLEND_MODE,
  EMISSIVE_STRENGTH,
  EXTENSION_TEXTURES,
  MTOON,
  MTOON_SHADER,
  OUTLINE_MODES,
  OUTLINE_UNIT,
  shadingToVrm0,
  TEXTURE_TRANSFORM,
} from './mtoon-properties.ts';
import { tidy, unityColor } from './vrm-values.ts';

const STATES = {
  [BLEND_MODE.opaque]: { queue: 2000, type: 'Opaque', blend: [1, 0], zWrite: 1 },
  [BLEND_MODE.cutout]: { queue: 2450, type: 'TransparentCutout', blend: [1, 0], zWrite: 1 },
  [BLEND_MODE.transparent]: { queue: BASE_QUEUE[2], type: 'Transparent', blend: [5, 10], zWrite: 0 },
  [BLEND_MODE.transparentWithZWrite]: { queue: BASE_QUEUE[3], type: 'Transparent', blend: [5, 10], zWrite: 1 },
} as const;

/** Writes an item for a material that is described by glTF alone. */
export function gltfShaderItem(name: string): JsonObject {
  return {
    name,
    shader: 'VRM_USE_GLTFSHADER',
    renderQueue: 2000,
    floatProperties: {},
    vectorProperties: {},
    textureProperties: {},
    keywordMap: {},
    tagMap: {},
  };
}

function blendModeOf(material: JsonObject, mtoon: JsonObject): keyof typeof STATES {
  const alpha = textOf(material, 'alphaMode');
  if (alpha === 'MASK') return BLEND_MODE.cutout;
  if (alpha !== 'BLEND') return BLEND_MODE.opaque;
  return memberAt(mtoon, 'transparentWithZWrite') === true ? BLEND_MODE.transparentWithZWrite : BLEND_MODE.transparent;
}

/** Scale and offset of a texture in the axes of Unity: offset and scale of `_MainTex`. */
function transformOf(info: JsonObject): number[] {
  const transform = objectOf(objectOf(info, 'extensions'), TEXTURE_TRANSFORM);
  const [ox, oy] = numbersOf(transform, 'offset', [0, 0]);
  const [sx, sy] = numbersOf(transform, 'scale', [1, 1]);
  return [ox, flipOffset(oy, sy), sx, sy];
}

/** Textures of a material by their property, the transform of all of them, and what textures of 0.x do not have. */
interface Textures {
  readonly properties: Record<string, number>;
  readonly transform: number[];
  readonly lost: string[];
}

function texturesOf(material: JsonObject, mtoon: JsonObject): Textures {
  const main = objectOf(objectOf(material, 'pbrMetallicRoughness'), 'baseColorTexture');
  const infos = [
    ['_MainTex', main],
    ['_BumpMap', objectOf(material, 'normalTexture')],
    ['_EmissionMap', objectOf(material, 'emissiveTexture')],
    ...EXTENSION_TEXTURES.map(([old, name]) => [old, objectOf(mtoon, name)] as const),
  ] as const;
  const shown = infos.filter(([, info]) => isIndex(memberAt(info, 'index')));
  // All textures of a material of VRM 0.x but the sphere share one transform; without a main texture that of the first one.
  const transformed = shown.filter(([old]) => old !== '_SphereAdd');
  const transform = transformOf(transformed[0]?.[1] ?? {});
  const lost = transformed.flatMap(([old, info]) => {
    const own = objectOf(objectOf(info, 'extensions'), TEXTURE_TRANSFORM);
    const isOther = transformOf(info).some((value, c) => Math.abs(value - transform[c]) > 1e-6);
    const coordinates = numberOf(own, 'texCoord', numberOf(info, 'texCoord', 0));
    return isOther || numberOf(own, 'rotation', 0) !== 0 || coordinates !== 0 ? [`the texture mapping of ${old}`] : [];
  });
  return {
    properties: Object.fromEntries(shown.map(([old, info]) => [old, info['index'] as number])),
    transform,
    lost,
  };
}

export function mtoonToVrm0(material: JsonObject, name: string): { item: JsonObject; lost: string[] } {
  const extensions = objectOf(material, 'extensions');
  const mtoon = objectOf(extensions, MTOON);
  const float = (key: string, otherwise: number): number => numberOf(mtoon, key, otherwise);
  const color = (key: string, otherwise: readonly number[]): number[] => unityColor(numbersOf(mtoon, key, otherwise));
  const mode = blendModeOf(material, mtoon);
  const state = STATES[mode];
  const { properties, transform, lost } = texturesOf(material, mtoon);
  const matcap = numbersOf(mtoon, 'matcapFactor', [1, 1, 1]);
  if (matcap.every((value) => value === 0)) delete properties['_SphereAdd'];
  else if (properties['_SphereAdd'] !== undefined && matcap.some((value) => value !== 1)) lost.push('matcapFactor');
  if (isObject(memberAt(mtoon, 'shadingShiftTexture'))) lost.push('shadingShiftTexture');
  const shading = shadingToVrm0({ shift: float('shadingShiftFactor', 0), toony: float('shadingToonyFactor', 0.9) });
  const outline = Math.max(OUTLINE_MODES.indexOf(textOf(mtoon, 'outlineWidthMode') as 'none'), 0);
  const outlineMix = float('outlineLightingMixFactor', 1);
  const strength = numberOf(objectOf(extensions, EMISSIVE_STRENGTH), 'emissiveStrength', 1);
  const isMixed = outlineMix > 0 ? 1 : 0;
  const keywords = {
    _ALPHATEST_ON: mode === BLEND_MODE.cutout,
    _ALPHABLEND_ON: state.type === 'Transparent',
    _NORMALMAP: properties['_BumpMap'] !== undefined,
    MTOON_OUTLINE_WIDTH_WORLD: outline === 1,
    MTOON_OUTLINE_WIDTH_SCREEN: outline === 2,
    MTOON_OUTLINE_COLOR_FIXED: outline > 0 && isMixed === 0,
    MTOON_OUTLINE_COLOR_MIXED: outline > 0 && isMixed === 1,
  };
  const item = {
    name,
    shader: MTOON_SHADER,
    renderQueue: state.queue + (state.type === 'Transparent' ? float('renderQueueOffsetNumber', 0) : 0),
    floatProperties: {
      _BlendMode: mode,
      _Cutoff: numberOf(material, 'alphaCutoff', 0.5),
      _CullMode: memberAt(material, 'doubleSided') === true ? 0 : 2,
      _OutlineCullMode: 1,
      _SrcBlend: state.blend[0],
      _DstBlend: state.blend[1],
      _ZWrite: state.zWrite,
      _AlphaToMask: mode === BLEND_MODE.cutout ? 1 : 0,
      _MToonVersion: 38,
      _DebugMode: 0,
      _BumpScale: numberOf(objectOf(material, 'normalTexture'), 'scale', 1),
      _ReceiveShadowRate: 1,
      _ShadingGradeRate: 1,
      _ShadeShift: shading.shift,
      _ShadeToony: shading.toony,
      _LightColorAttenuation: 0,
      _IndirectLightIntensity: tidy(1 - float('giEqualizationFactor', 0.9)),
      _RimLightingMix: float('rimLightingMixFactor', 1),
      _RimFresnelPower: float('parametricRimFresnelPowerFactor', 5),
      _RimLift: float('parametricRimLiftFactor', 0),
      _OutlineWidthMode: outline,
      _OutlineWidth: tidy(float('outlineWidthFactor', 0) / OUTLINE_UNIT[OUTLINE_MODES[outline]]),
      _OutlineScaledMaxDistance: 1,
      _OutlineColorMode: isMixed,
      _OutlineLightingMix: outlineMix,
      _UvAnimScrollX: float('uvAnimationScrollXSpeedFactor', 0),
      _UvAnimScrollY: 0 - float('uvAnimationScrollYSpeedFactor', 0),
      _UvAnimRotation: float('uvAnimationRotationSpeedFactor', 0),
    },
    vectorProperties: {
      _Color: unityColor(numbersOf(objectOf(material, 'pbrMetallicRoughness'), 'baseColorFactor', [1, 1, 1, 1])),
      _ShadeColor: color('shadeColorFactor', [1, 1, 1]),
      _RimColor: color('parametricRimColorFactor', [0, 0, 0]),
      _OutlineColor: color('outlineColorFactor', [0, 0, 0]),
      // Emission is linear in both versions.
      _EmissionColor: [...numbersOf(material, 'emissiveFactor', [0, 0, 0]).map((value) => tidy(value * strength)), 1],
      _MainTex: transform,
    },
    textureProperties: properties,
    keywordMap: Object.fromEntries(Object.entries(keywords).filter(([, isOn]) => isOn)),
    tagMap: { RenderType: state.type },
  };
  return { item, lost };
}
