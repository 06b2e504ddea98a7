import { expect, it } from 'vitest';
import { toInputs } from '../../../studio/src/app/dropped-files.ts';

const blob = new Blob(['x']);
const found = (...paths: string[]) => paths.map((path) => ({ path, blob }));
const ids = () => {
  let count = 0;
  return () => `id-${count++}`;
};

it('toInputs: files with known extensions are opened, and may reference the others below their folder', () => {
  const [scene] = toInputs(found('cast/hero.gltf', 'cast/hero.bin', 'cast/images/skin.png', 'notes.txt'), ids());
  expect(scene.name).toBe('hero.gltf');
  expect([...scene.resources.keys()]).toEqual(['hero.bin', 'images/skin.png']);
});

it('toInputs: self-contained files reference nothing', () => {
  const inputs = toInputs(found('a.glb', 'b.bvh', 'c.png'), ids());
  expect(inputs.map(({ id, name, resources }) => [id, name, resources.size])).toEqual([
    ['id-0', 'a.glb', 0],
    ['id-1', 'b.bvh', 0],
  ]);
});

it('toInputs: unknown files alone are opened too, so that the reader can say what they are', () => {
  expect(toInputs(found('holiday.mp4'), ids()).map(({ name }) => name)).toEqual(['holiday.mp4']);
});

it('toInputs: a file of every format that is read is opened, also beside others', () => {
  const names = ['a.npz', 'b.NPY', 'c.vmd', 'd.trc', 'e.pmx', 'f.json', 'hero.glb'];
  expect(toInputs(found(...names, 'skin.png'), ids()).map(({ name }) => name)).toEqual(names);
});

it('toInputs: JSON in a folder is not opened, since most of it is about something else', () => {
  const names = toInputs(found('game/package.json', 'game/hero.glb'), ids()).map(({ name }) => name);
  expect(names).toEqual(['hero.glb']);
});
