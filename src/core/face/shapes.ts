/**
 * The vocabulary of faces: what a shape of any convention means, if it means something that is known. It is the union of the 52 blend
 * shapes of ARKit (ARFaceAnchor.BlendShapeLocation), the expressions that VRM 1.0 presets (VRMC_vrm-1.0, expressions.md) and the 15
 * visemes of Oculus (OVRLipSync). Where several of them mean the same there is one shape: VRM's `blinkLeft` is ARKit's `eyeBlinkLeft`,
 * the vowels of Oculus are those of VRM. Left and right are those of the character.
 */

/** Shapes that have two sides in ARKit, without `Left` and `Right`. */
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
/** Shapes that move to a side: one is the mirror of the other. */
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

/** A blend shape of ARKit. */
export type ArkitShape =
  | `${(typeof ARKIT_SIDED)[number] | (typeof ARKIT_SIDEWAYS)[number]}${Side}`
  | (typeof ARKIT_WHOLE)[number];

/** Mouths of consonants and of silence, as Oculus calls them; its five vowels are expressions of VRM. */
export const CONSONANTS = ['sil', 'PP', 'FF', 'TH', 'DD', 'kk', 'CH', 'SS', 'nn', 'RR'] as const;

/** The expressions that VRM 1.0 presets, in the order of its text. */
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

/** What a morph target or an expression means. */
export type FaceShape = ArkitShape | Exclude<VrmPreset, 'blinkLeft' | 'blinkRight'> | (typeof CONSONANTS)[number];

const SIDES: readonly Side[] = ['Left', 'Right'];

/** The 52 blend shapes of ARKit, by name. */
export const ARKIT_SHAPES: readonly ArkitShape[] = [
  ...[...ARKIT_SIDED, ...ARKIT_SIDEWAYS].flatMap((name) => SIDES.map((side): ArkitShape => `${name}${side}`)),
  ...ARKIT_WHOLE,
].sort();

/** The shape that an expression preset of VRM 1.0 is. */
export function shapeOfPreset(preset: VrmPreset): FaceShape {
  if (preset === 'blinkLeft') return 'eyeBlinkLeft';
  return preset === 'blinkRight' ? 'eyeBlinkRight' : preset;
}

const PRESET_OF_SHAPE: ReadonlyMap<FaceShape, VrmPreset> = new Map(
  VRM_PRESETS.map((preset) => [shapeOfPreset(preset), preset]),
);

/** The expression preset of VRM 1.0 that a shape is; null where there is none. */
export function presetOfShape(shape: FaceShape): VrmPreset | null {
  return PRESET_OF_SHAPE.get(shape) ?? null;
}

/** All shapes, each once. */
export const FACE_SHAPES: readonly FaceShape[] = [
  ...new Set<FaceShape>([...VRM_PRESETS.map(shapeOfPreset), ...ARKIT_SHAPES, ...CONSONANTS]),
];

/** The shape of the other side; itself where it has none. */
export function mirrorShape(shape: FaceShape): FaceShape {
  return shape.replace(/Left$|Right$/, (side) => (side === 'Left' ? 'Right' : 'Left')) as FaceShape;
}
