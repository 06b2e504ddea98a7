import { describe, expect, it } from 'vitest';
import { findFaceShape, nameKey } from '../../../src/core/face/find-face-shape.ts';
import { FACE_RECIPES, NEUTRAL_SHAPES } from '../../../src/core/face/recipes.ts';
import { FACE_CONVENTIONS, type ShapeNames } from '../../../src/core/face/shape-names.ts';
import {
  ARKIT_SHAPES,
  FACE_SHAPES,
  type FaceShape,
  mirrorShape,
  presetToShape,
  shapeToPreset,
  VRM_PRESETS,
} from '../../../src/core/face/shapes.ts';

const conventions = Object.entries(FACE_CONVENTIONS) as [string, ShapeNames][];
const entries = conventions.flatMap(([convention, names]) =>
  (Object.entries(names) as [FaceShape, readonly (string | readonly string[])[]][]).flatMap(([shape, list]) =>
    list.flatMap((entry) => [entry].flat().map((name) => ({ convention, shape, name, parts: [entry].flat().length }))),
  ),
);

describe('FACE_SHAPES', () => {
  it('contains the 52 shapes of ARKit, the 18 presets of VRM and the 15 visemes of Oculus', () => {
    expect(new Set(ARKIT_SHAPES).size).toBe(52);
    expect(VRM_PRESETS).toHaveLength(18);
    const oculus = entries.filter(({ convention, name }) => convention === 'oculus' && name.startsWith('viseme_'));
    expect(oculus).toHaveLength(15);
    expect(FACE_SHAPES).toHaveLength(52 + 18 - 2 + 10);
  });

  it('presetToShape and shapeToPreset: are inverse', () => {
    for (const preset of VRM_PRESETS) expect(shapeToPreset(presetToShape(preset))).toBe(preset);
    expect(shapeToPreset('jawOpen')).toBeNull();
  });

  it('mirrorShape: returns a shape of the list; twice returns the original', () => {
    for (const shape of FACE_SHAPES) {
      expect(FACE_SHAPES).toContain(mirrorShape(shape));
      expect(mirrorShape(mirrorShape(shape))).toBe(shape);
    }
    expect(mirrorShape('lookLeft')).toBe('lookRight');
    expect(mirrorShape('aa')).toBe('aa');
  });
});

describe('FACE_CONVENTIONS', () => {
  it.each(entries)('findFaceShape: finds one shape for $name of $convention', ({ shape, name, parts }) => {
    expect(findFaceShape(name)).toEqual({ shape, parts });
  });

  it('contain every name once per convention', () => {
    for (const [convention] of conventions) {
      const keys = entries.filter((entry) => entry.convention === convention).map(({ name }) => nameKey(name));
      expect(keys.length).toBeGreaterThan(5);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  it('vrm1 and vrm0 cover all VRM presets, except surprised in vrm0', () => {
    for (const convention of ['vrm1', 'vrm0'] as const) {
      const shapes = Object.keys(FACE_CONVENTIONS[convention]);
      const missing = VRM_PRESETS.map(presetToShape).filter((shape) => !shapes.includes(shape));
      expect(missing).toEqual(convention === 'vrm0' ? ['surprised'] : []);
    }
  });

  it('contain both sides of every shape', () => {
    for (const [, names] of conventions) {
      for (const shape of Object.keys(names) as FaceShape[]) expect(Object.keys(names)).toContain(mirrorShape(shape));
    }
  });

  it.each([
    ['blendShape16.vrc_blink', 'blink'],
    ['Face_Blendshape.Fcl_MTH_A', 'aa'],
    ['Face.M_F00_000_00_Fcl_EYE_Close_L', 'eyeBlinkLeft'],
    ['A14_Eye_Blink_Left', 'eyeBlinkLeft'],
    ['eyeBlink_R', 'eyeBlinkRight'],
    ['eyeBlink.r', 'eyeBlinkRight'],
    ['mouthSmileL', 'mouthSmileLeft'],
    ['BlendShape:jawOpen', 'jawOpen'],
    ['BrowInnerUp', 'browInnerUp'],
    ['blink_left', 'eyeBlinkLeft'],
    ['look_up', 'lookUp'],
    ['JOY', 'happy'],
    ['ｳｨﾝｸ２右', 'eyeBlinkRight'],
  ])('findFaceShape: matches the spelling %s', (name, shape) => {
    expect(findFaceShape(name)).toEqual({ shape, parts: 1 });
  });

  it.each(['', 'Key 1', 'HideBlush', '.', 'angled_eyebrows', '__proto__', 'constructor'])(
    'findFaceShape: returns null for %j',
    (name) => {
      expect(findFaceShape(name)).toBeNull();
    },
  );
});

describe('FACE_RECIPES', () => {
  const recipes = Object.entries(FACE_RECIPES) as [FaceShape, readonly Record<string, number>[]][];

  it('contain weights within 0…1 of existing shapes, never of the shape itself', () => {
    for (const [shape, list] of recipes) {
      expect(FACE_SHAPES).toContain(shape);
      for (const recipe of list) {
        expect(Object.keys(recipe).length).toBeGreaterThan(0);
        for (const [part, weight] of Object.entries(recipe)) {
          expect(FACE_SHAPES).toContain(part);
          expect(part).not.toBe(shape);
          expect(weight > 0 && weight <= 1).toBe(true);
        }
      }
    }
  });

  it('are symmetric for left and right', () => {
    for (const [shape, list] of recipes) {
      const mirrored = list.map((recipe) =>
        Object.fromEntries(Object.entries(recipe).map(([part, w]) => [mirrorShape(part as FaceShape), w])),
      );
      expect(FACE_RECIPES[mirrorShape(shape)]).toEqual(mirrored);
    }
  });

  it('approximate every VRM preset except neutral by ARKit shapes', () => {
    for (const preset of VRM_PRESETS) {
      const shape = presetToShape(preset);
      if (NEUTRAL_SHAPES.has(shape) || (ARKIT_SHAPES as readonly string[]).includes(shape)) continue;
      const byMuscles = FACE_RECIPES[shape]?.find((recipe) =>
        Object.keys(recipe).every((part) => (ARKIT_SHAPES as readonly string[]).includes(part)),
      );
      expect(byMuscles, preset).toBeDefined();
    }
  });
});
