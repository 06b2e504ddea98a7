import { expect, it } from 'vitest';
import { parseManifest } from '../../../src/batch/plan/manifest.ts';

it('parseManifest: reads motions, characters, pairs with options, and options of all', () => {
  const manifest = {
    motions: ['walks'],
    characters: ['hero.glb'],
    pairs: [{ motion: 'a.fbx', character: 'b.glb', options: { contacts: 'off', edits: { mirror: true } } }],
    options: { fps: 30, frameRate: 20, up: 'z', extra: { tail: 'Tail' } },
  };
  expect(parseManifest(JSON.stringify(manifest))).toEqual(manifest);
  expect(parseManifest('{}')).toEqual({ motions: [], characters: [], pairs: [], options: {} });
});

it.each([
  ['{', /is not JSON/],
  ['[]', /no object at its root/],
  ['{"motion": []}', /unknown field "motion" in its root; expected motions, characters/],
  ['{"motions": "a"}', /expected a list of paths as "motions"/],
  ['{"pairs": {}}', /expected a list of objects/],
  ['{"pairs": [{"motion": "a"}]}', /pairs\[0\].*expected an object with "motion" and "character"/],
  ['{"options": {"up": "north"}}', /In options: up is "north"; expected x, y, z/],
  ['{"options": {"FPS": 3}}', /In options: There is no option FPS; did you mean fps/],
])('parseManifest: refuses %s with what was expected', (text, message) => {
  expect(() => parseManifest(text)).toThrow(message);
});
