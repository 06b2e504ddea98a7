import { expect, test } from 'vitest';
import { appendNode } from '../../../../src/formats/gltf/document/append-node.ts';

test('appendNode returns the index of the new node, which is in no scene', () => {
  const json = { scenes: [{ nodes: [0] }], nodes: [{ name: 'hips' }] };
  expect(appendNode(json, { name: 'root' })).toBe(1);
  expect(json).toEqual({ scenes: [{ nodes: [0] }], nodes: [{ name: 'hips' }, { name: 'root' }] });
});

test('appendNode removes indices of missing nodes from scenes, so that the new node does not take one', () => {
  const json = { scenes: [{ nodes: [0, 1] }, { nodes: [1] }, {}], nodes: [{}] };
  appendNode(json, { name: 'root' });
  expect(json.scenes).toEqual([{ nodes: [0] }, {}, {}]);
});

test('appendNode creates the list of nodes', () => {
  const json = {};
  expect(appendNode(json, {})).toBe(0);
  expect(json).toEqual({ nodes: [{}] });
});
