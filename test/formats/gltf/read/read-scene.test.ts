import { describe, expect, it } from 'vitest';
import { readSceneNodes } from '../../../../src/formats/gltf/read/read-scene.ts';
import { cpuTimer } from '../../../support/cpu-time.ts';
import { failure } from '../geometry-file.ts';
import { smallFile } from '../small-file.ts';

/** Two trees, 0 → 2 and 1 → 3, and a single node. */
const NODES = [{ name: 'a', children: [2] }, { name: 'b', children: [3] }, { name: 'c' }, { name: 'd' }, { name: 'e' }];

describe('readSceneNodes', () => {
  it('returns all nodes without a scene', () => {
    const scene = readSceneNodes(smallFile({ nodes: NODES }));
    expect([...scene.sourceNodes]).toEqual([0, 2, 1, 3, 4]);
    expect([...scene.parents]).toEqual([-1, 0, -1, 2, -1]);
    expect([...scene.shown]).toEqual([1, 1, 1, 1, 1]);
  });

  it('returns the nodes of the default scene, else of the first scene', () => {
    const scenes = [{ nodes: [1], name: 'one' }, { nodes: [4, 0] }];
    const first = readSceneNodes(smallFile({ nodes: NODES, scenes }));
    expect(first).toMatchObject({ name: 'one', names: ['b', 'd'] });
    expect([...first.parents]).toEqual([-1, 0]);
    expect([...first.nodesBySource]).toEqual([-1, 0, -1, 1, -1]);
    const second = readSceneNodes(smallFile({ nodes: NODES, scenes, scene: 1 }));
    expect(second).toMatchObject({ name: '', names: ['a', 'c', 'e'] });
    expect(second.rest).toHaveLength(30);
  });

  it('returns whole trees, even if the scene references an inner node', () => {
    expect(readSceneNodes(smallFile({ nodes: NODES, scenes: [{ nodes: [3] }] })).names).toEqual(['b', 'd']);
  });

  it('includes the trees of skin joints as not shown', () => {
    const nodes = [{ mesh: 0, skin: 0 }, ...NODES.slice(1)];
    const json = { nodes, scenes: [{ nodes: [0] }], skins: [{ joints: [3] }], meshes: [{ primitives: [] }] };
    const scene = readSceneNodes(smallFile(json));
    expect([...scene.sourceNodes]).toEqual([0, 1, 3]);
    expect([...scene.shown]).toEqual([1, 0, 0]);
  });

  it('throws for a missing scene', () => {
    expect(() => readSceneNodes(smallFile({ nodes: NODES, scenes: [{}], scene: 1 }))).toThrow(
      expect.objectContaining(failure('GLTF_REFERENCE', '/scene')),
    );
  });

  it('handles long chains with many references quickly', () => {
    const count = 20_000;
    const nodes = Array.from({ length: count }, (_, i) => (i + 1 < count ? { children: [i + 1] } : {}));
    const all = Array.from({ length: count }, (_, i) => i);
    const spent = cpuTimer();
    const scene = readSceneNodes(smallFile({ nodes: [...nodes, {}], scenes: [{ nodes: all }] }));
    expect(scene.names).toHaveLength(count);
    expect(spent()).toBeLessThan(2000);
  });
});
