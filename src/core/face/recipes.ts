/**
 * Recipes that approximate a shape by other shapes, for characters that lack it. No convention defines these weights: they are chosen so that
 * the result looks alike in both conventions. VRM expressions from ARKit shapes follow the common FACS combinations (happy 6 + 12, sad 1 + 15,
 * angry 4 + 9 + 15, surprised 1 + 2 + 5 + 26); visemes follow the reference images of OVRLipSync. In the other direction each side contributes
 * half, so that a smile on one side becomes `happy` at 0.5.
 */
import type { FaceShape } from './shapes.ts';

/** Weights of the shapes that together approximate another shape. */
type Recipe = Readonly<Partial<Record<FaceShape, number>>>;

/** Returns the same weight for the left and the right shape. */
function both(name: string, weight: number): Recipe {
  return { [`${name}Left`]: weight, [`${name}Right`]: weight };
}

/** Returns recipes for one-sided shapes: each is half of the shape for both sides. */
function halves(names: readonly string[], whole: FaceShape): [string, Recipe[]][] {
  return names.flatMap((name) =>
    ['Left', 'Right'].map((side): [string, Recipe[]] => [name + side, [{ [whole]: 0.5 }]]),
  );
}

/** Recipes by shape, best first. A shape without an entry has no approximation. */
export const FACE_RECIPES: Readonly<Partial<Record<FaceShape, readonly Recipe[]>>> = {
  // VRM emotions from ARKit shapes
  happy: [{ ...both('mouthSmile', 1), ...both('cheekSquint', 0.5) }],
  angry: [{ ...both('browDown', 1), ...both('noseSneer', 0.5), ...both('mouthFrown', 0.4) }],
  sad: [{ browInnerUp: 0.8, ...both('mouthFrown', 0.8) }],
  relaxed: [{ ...both('mouthSmile', 0.5), ...both('eyeSquint', 0.3) }, { happy: 0.5 }],
  surprised: [{ browInnerUp: 0.8, ...both('browOuterUp', 0.8), ...both('eyeWide', 0.8), jawOpen: 0.3 }],
  // Both eyes
  blink: [both('eyeBlink', 1)],
  lookUp: [both('eyeLookUp', 1)],
  lookDown: [both('eyeLookDown', 1)],
  lookLeft: [{ eyeLookOutLeft: 1, eyeLookInRight: 1 }],
  lookRight: [{ eyeLookInLeft: 1, eyeLookOutRight: 1 }],
  // Vowels
  aa: [{ jawOpen: 0.7 }],
  ih: [{ jawOpen: 0.15, ...both('mouthStretch', 0.5) }],
  ou: [{ jawOpen: 0.15, mouthPucker: 0.8 }],
  ee: [{ jawOpen: 0.3, ...both('mouthStretch', 0.3), ...both('mouthSmile', 0.2) }],
  oh: [{ jawOpen: 0.4, mouthFunnel: 0.7 }],
  // Consonants: from ARKit shapes, otherwise from vowels
  PP: [{ ...both('mouthPress', 0.6), mouthRollLower: 0.3, mouthRollUpper: 0.3 }],
  FF: [{ mouthRollLower: 0.5, ...both('mouthUpperUp', 0.3), jawOpen: 0.05 }, { ih: 0.2 }],
  TH: [
    { jawOpen: 0.2, tongueOut: 0.4, ...both('mouthLowerDown', 0.2) },
    { aa: 0.2, ih: 0.2 },
  ],
  DD: [{ jawOpen: 0.15, ...both('mouthLowerDown', 0.4) }, { ih: 0.5 }],
  kk: [
    { jawOpen: 0.2, ...both('mouthLowerDown', 0.2), ...both('mouthStretch', 0.1) },
    { aa: 0.3, ih: 0.3 },
  ],
  CH: [
    { jawOpen: 0.1, mouthFunnel: 0.6 },
    { ih: 0.3, ou: 0.3 },
  ],
  SS: [{ jawOpen: 0.05, ...both('mouthStretch', 0.4), ...both('mouthLowerDown', 0.3) }, { ih: 0.5 }],
  nn: [{ jawOpen: 0.15, ...both('mouthLowerDown', 0.2) }, { ih: 0.4 }],
  RR: [
    { jawOpen: 0.15, mouthFunnel: 0.4, mouthPucker: 0.2 },
    { ih: 0.2, oh: 0.3 },
  ],
  // ARKit shapes from VRM expressions
  ...Object.fromEntries([
    ...halves(['eyeBlink'], 'blink'),
    ...halves(['eyeLookUp'], 'lookUp'),
    ...halves(['eyeLookDown'], 'lookDown'),
    ...halves(['mouthSmile'], 'happy'),
    ...halves(['mouthFrown'], 'sad'),
    ...halves(['browDown'], 'angry'),
  ]),
  eyeLookOutLeft: [{ lookLeft: 0.5 }],
  eyeLookInRight: [{ lookLeft: 0.5 }],
  eyeLookInLeft: [{ lookRight: 0.5 }],
  eyeLookOutRight: [{ lookRight: 0.5 }],
  eyeWideLeft: [{ surprised: 0.3 }],
  eyeWideRight: [{ surprised: 0.3 }],
  browInnerUp: [{ surprised: 0.4 }],
  jawOpen: [{ aa: 1 }],
  mouthFunnel: [{ oh: 0.7 }],
  mouthPucker: [{ ou: 1 }],
  mouthStretchLeft: [{ ih: 0.5 }],
  mouthStretchRight: [{ ih: 0.5 }],
};

/** Shapes of a neutral face. They need no morph targets. */
export const NEUTRAL_SHAPES: ReadonlySet<FaceShape> = new Set<FaceShape>(['neutral', 'sil']);
