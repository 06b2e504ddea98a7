/**
 * The shapes that anyrig identifies on faces of any convention: the 52 blend shapes of ARKit (ARFaceAnchor.BlendShapeLocation), the expression
 * presets of VRM 1.0 (VRMC_vrm-1.0, expressions.md) and the 15 visemes of Oculus (OVRLipSync). Equivalent shapes are one shape: VRM's `blinkLeft`
 * is ARKit's `eyeBlinkLeft`, and the vowels of Oculus are those of VRM. Left and right are the character's.
 */

/** ARKit shapes for each side of the face, without `Left` and `Right`. */
const ARKIT_SIDED = [
  'browDown',
  'browOuterUp',
  'cheekSquint',
  'eyeBlink',
  'eyeLookDown',
  'eyeLookIn',
  'eyeLookOut',
  'eyeLookUp',
  'eyeSquint',
  'eyeWide',
  'mouthDimple',
  'mouthFrown',
  'mouthLowerDown',
  'mouthPress',
  'mouthSmile',
  'mouthStretch',
  'mouthUpperUp',
  'noseSneer',
] as const;
/** ARKit shapes that move to one side, without `Left` and `Right`. */
const ARKIT_SIDEWAYS = ['jaw', 'mouth'] as const;
const ARKIT_WHOLE = [
  'browInnerUp',
  'cheekPuff',
  'jawForward',
  'jawOpen',
  'mouthClose',
  'mouthFunnel',
  'mouthPucker',
  'mouthRollLower',
  'mouthRollUpper',
  'mouthShrugLower',
  'mouthShrugUpper',
  'tongueOut',
] as const;
type Side = 'Left' | 'Right';

/**
 * A blend shape of ARKit.
 *
 * @useDeclaredType
 */
export type ArkitShape =
  | `${(typeof ARKIT_SIDED)[number] | (typeof ARKIT_SIDEWAYS)[number]}${Side}`
  | (typeof ARKIT_WHOLE)[number];

/** Oculus visemes for consonants and silence; its five vowels are VRM presets. */
const CONSONANT_VISEMES = ['sil', 'PP', 'FF', 'TH', 'DD', 'kk', 'CH', 'SS', 'nn', 'RR'] as const;

/** The expression presets of VRM 1.0, in the order of the specification. */
export const VRM_PRESETS = [
  'happy',
  'angry',
  'sad',
  'relaxed',
  'surprised',
  'aa',
  'ih',
  'ou',
  'ee',
  'oh',
  'blink',
  'blinkLeft',
  'blinkRight',
  'lookUp',
  'lookDown',
  'lookLeft',
  'lookRight',
  'neutral',
] as const;
export type VrmPreset = (typeof VRM_PRESETS)[number];

/**
 * A shape that a morph target or an expression stands for.
 *
 * @useDeclaredType
 */
export type FaceShape =
  | ArkitShape
  | Exclude<VrmPreset, 'blinkLeft' | 'blinkRight'>
  | (typeof CONSONANT_VISEMES)[number];

const SIDES: readonly Side[] = ['Left', 'Right'];

/** The 52 blend shapes of ARKit, sorted by name. */
export const ARKIT_SHAPES: readonly ArkitShape[] = [
  ...[...ARKIT_SIDED, ...ARKIT_SIDEWAYS].flatMap((name) => SIDES.map((side): ArkitShape => `${name}${side}`)),
  ...ARKIT_WHOLE,
].sort();

/** Converts an expression preset of VRM 1.0 to a shape. Returns ARKit's shape for `blinkLeft` and `blinkRight`; for all others the preset itself. */
export function presetToShape(preset: VrmPreset): FaceShape {
  if (preset === 'blinkLeft') return 'eyeBlinkLeft';
  return preset === 'blinkRight' ? 'eyeBlinkRight' : preset;
}

const PRESET_OF_SHAPE: ReadonlyMap<FaceShape, VrmPreset> = new Map(
  VRM_PRESETS.map((preset) => [presetToShape(preset), preset]),
);

/** Converts a shape to an expression preset of VRM 1.0. Returns the preset; null where VRM has none. */
export function shapeToPreset(shape: FaceShape): VrmPreset | null {
  return PRESET_OF_SHAPE.get(shape) ?? null;
}

export const FACE_SHAPES: readonly FaceShape[] = [
  ...new Set<FaceShape>([...VRM_PRESETS.map(presetToShape), ...ARKIT_SHAPES, ...CONSONANT_VISEMES]),
];

/** Returns the shape of the opposite side; the same shape where it has no side. */
export function mirrorShape(shape: FaceShape): FaceShape {
  return shape.replace(/Left$|Right$/, (side) => (side === 'Left' ? 'Right' : 'Left')) as FaceShape;
}
