import { expect, it } from 'vitest';
import type { Track } from '../../../../src/core/animation/clip.ts';
import { readFloats } from '../../../../src/formats/gltf/accessors/accessor.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';
import { reparentNodes } from '../../../../src/formats/gltf/normalize/reparent-nodes.ts';
import { glbBytes } from '../open.ts';
import { newCodes } from '../validator.ts';
import { tinyCharacter } from './tiny-character.ts';

const REST = Float64Array.of(1, 2, 3, 0, 0, 0, 1, 1, 1, 1);
const KEYS: Track = {
  target: 0,
  path: 'rotation',
  interpolation: 'LINEAR',
  times: Float32Array.of(0, 0.5),
  values: Float64Array.of(0, 0, 0, 1, 0, 0.6, 0, 0.8),
};

it('reparentNodes: moves a node, replaces its channels and reuses free samplers', async () => {
  const doc = tinyCharacter();
  reparentNodes(doc, [{ node: 4, parent: 1, rest: REST, tracks: [[KEYS]] }]);
  const nodes = doc.json['nodes'] as JsonObject[];
  expect([nodes[1]['children'], nodes[3]['children']]).toEqual([[2, 4], undefined]);
  expect(nodes[4]).toEqual({ name: 'forearm', translation: [1, 2, 3], rotation: [0, 0, 0, 1], children: [5] });
  const [{ channels, samplers }] = doc.json['animations'] as { channels: JsonObject[]; samplers: JsonObject[] }[];
  // Other channels use its sampler, so the new one is appended.
  expect(channels.map(({ target }) => (target as JsonObject)['node'])).toEqual([1, 7, 1, 2, 4]);
  expect(channels[4]).toEqual({ sampler: 3, target: { node: 4, path: 'rotation' } });
  expect(Array.from(readFloats(doc, samplers[3]['output'] as number))).toEqual([...Float32Array.from(KEYS.values)]);
  expect(await newCodes(glbBytes(tinyCharacter()), glbBytes(doc))).toEqual([]);
});

it('reparentNodes: removes a root from the scene and reuses its sampler', () => {
  const doc = tinyCharacter({ scenes: [{ nodes: [0, 9] }] });
  const nodes = doc.json['nodes'] as JsonObject[];
  nodes.push({ name: 'foot' });
  const [animation] = doc.json['animations'] as { channels: JsonObject[]; samplers: JsonObject[] }[];
  animation.channels.push({ sampler: 3, target: { node: 9, path: 'rotation' } });
  animation.samplers.push({ ...animation.samplers[0] });
  reparentNodes(doc, [{ node: 9, parent: 4, rest: REST, tracks: [[KEYS]] }]);
  expect(doc.json['scenes']).toEqual([{ nodes: [0] }]);
  expect(nodes[4]['children']).toEqual([5, 9]);
  expect(animation.samplers).toHaveLength(4);
  expect(animation.channels[5]).toEqual({ sampler: 3, target: { node: 9, path: 'rotation' } });
});

it('reparentNodes: keeps the channels of an animation without tracks for the node', () => {
  const doc = tinyCharacter();
  const before = structuredClone(doc.json['animations']);
  reparentNodes(doc, [{ node: 4, parent: 1, rest: REST, tracks: [[]] }]);
  expect(doc.json['animations']).toEqual(before);
});
