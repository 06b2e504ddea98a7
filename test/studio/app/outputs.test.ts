import { expect, it } from 'vitest';
import { formatsOf, isMotionOnly, outputName } from '../../../studio/src/app/outputs.ts';
import type { StudioFile } from '../../../studio/src/app/studio.ts';

const file = (format: string): StudioFile => ({
  input: { id: 'a', name: 'a', blob: new Blob(), resources: new Map() },
  isBuiltIn: false,
  summary: {
    id: 'a',
    name: 'a',
    format,
    size: 0,
    role: 'character',
    clips: [],
    hasMesh: true,
    humanoid: null,
    people: [],
    reason: null,
    issues: [],
  },
  error: null,
});

it('formatsOf: VRMs are offered as .vrma first, and only they as .vrm', () => {
  expect(formatsOf(file('vrm1')).slice(0, 2)).toEqual(['vrma', 'vrm']);
  expect(formatsOf(file('gltf'))).not.toContain('vrm');
});

it('outputName: character and motion without folders and extensions', () => {
  expect(outputName('clips/walk.fast.fbx', 'hero.glb', 'usdz')).toBe('hero-walk.fast.usdz');
});

it('isMotionOnly: VRMA and BVH have no mesh', () => {
  expect((['vrma', 'bvh', 'glb'] as const).map(isMotionOnly)).toEqual([true, true, false]);
});
