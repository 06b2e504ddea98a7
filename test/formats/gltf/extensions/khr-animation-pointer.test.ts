import { expect, it } from 'vitest';
import { hasPointer, pointedNode } from '../../../../src/formats/gltf/extensions/khr-animation-pointer.ts';

const targetOf = (pointer: unknown) => ({ path: 'pointer', extensions: { KHR_animation_pointer: { pointer } } });

it('pointedNode: finds the node and path of pointers to transforms and weights', () => {
  expect(pointedNode(targetOf('/nodes/3/rotation'), 4)).toEqual({ node: 3, path: 'rotation' });
  expect(pointedNode(targetOf('/nodes/0/weights'), 4)).toEqual({ node: 0, path: 'weights' });
});

it('pointedNode: returns null for missing nodes, other pointers and other channels', () => {
  for (const pointer of ['/nodes/4/rotation', '/nodes/-1/scale', '/nodes/3/mesh', '/meshes/0/weights', 3, undefined])
    expect(pointedNode(targetOf(pointer), 4)).toBeNull();
  expect(pointedNode({ node: 0, path: 'rotation' }, 4)).toBeNull();
});

it('hasPointer: is true for channels with the extension, whatever it contains', () => {
  expect([targetOf(3), { extensions: { KHR_animation_pointer: null } }].every(hasPointer)).toBe(true);
  expect([{}, { extensions: [] }, { extensions: { OTHER: {} } }].some(hasPointer)).toBe(false);
});
