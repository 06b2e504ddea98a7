/**
 * How a shape is shown by a character that has no shape of that meaning, but others. The numbers are choices of this library, made so that
 * what the two conventions show looks alike; no convention defines them. The expressions of VRM from ARKit's muscles follow the common
 * reading of FACS (happy 6 + 12, sad 1 + 15, angry 4 + 9 + 15, surprised 1 + 2 + 5 + 26); the visemes the mouths of the reference of
 * OVRLipSync. The way back is linear, too: two sides make a whole by halves, so that half a smile is half of `happy`.
 */
import type { FaceShape } from './shapes.ts';

/** Weights of other shapes that show a shape together. */
export type Recipe = Readonly<Partial<Record<FaceShape, number>>>;

/** The same weight on the shapes of both sides. */
function both(name: string, weight: number): Recipe {
  return { [`${name}Left`]: weight, [`${name}Right`]: weight };
}

/** What shows a shape by halves of a shape for both sides. */
function halves(names: readonly string[], whole: FaceShape): [string, Recipe[]][] {
  return names.flatMap((name) =>
    ['Left', 'Right'].map((side): [string, Recipe[]] => [name + side, [{ [whole]: 0.5 }]]),
  );
}

/** Ways to show a shape by others, the better ones first. A shape without an entry is shown by itself or not at all. */
export const FACE_RECIPES: Readonly<Partial<Record<FaceShape, readonly Recipe[]>>> = {
  // Emotions of VRM by muscles
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
  // Consonants: by muscles, else by vowels
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
  // Muscles by what VRM has
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

/** Shapes of a face that does nothing: there is nothing to show them by. */
export const AT_REST: ReadonlySet<FaceShape> = new Set<FaceShape>(['neutral', 'sil']);
