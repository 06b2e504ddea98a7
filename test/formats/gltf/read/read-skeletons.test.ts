import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';
import { readGltf } from '../../../../src/formats/gltf/index.ts';
import { gltfWithCharacters } from '../../../support/make/two-characters.ts';
import { smallFile } from '../small-file.ts';

function skeletonsOf(json: JsonObject) {
  return readGltf(smallFile(json)).skeletons;
}

/** Builds nodes by name: `tree({ root: ['a', 'b'], a: ['c'] })`; children without an entry are leaves. */
function tree(children: Record<string, string[]>): { nodes: JsonObject[]; at: (...names: string[]) => number[] } {
  const names = [...new Set(Object.entries(children).flatMap(([name, list]) => [name, ...list]))];
  const at = (...wanted: string[]): number[] => wanted.map((name) => names.indexOf(name));
  const nodes = names.map((name): JsonObject => {
    const list = children[name] ?? [];
    return list.length > 0 ? { name, children: at(...list) } : { name };
  });
  return { nodes, at };
}

function namesOf(json: JsonObject): string[][] {
  return skeletonsOf(json).map(({ skeleton }) => [...skeleton.names]);
}

describe('readSkeletons', () => {
  it('contains the ancestors and descendants of the joints, but no other nodes', () => {
    const { nodes, at } = tree({ scene: ['rig', 'lamp'], rig: ['body', 'hips'], hips: ['leg', 'tool'], tool: ['tip'] });
    const skins = [{ joints: at('leg', 'hips') }];
    expect(namesOf({ nodes, skins })).toEqual([['scene', 'rig', 'hips', 'leg', 'tool', 'tip']]);
    const [{ skeleton, sourceNodes }] = skeletonsOf({ nodes, skins });
    expect(Array.from(skeleton.parents)).toEqual([-1, 0, 1, 2, 2, 4]);
    expect(Array.from(skeleton.joints)).toEqual([0, 0, 1, 1, 0, 0]);
    expect(Array.from(sourceNodes)).toEqual(at('scene', 'rig', 'hips', 'leg', 'tool', 'tip'));
  });

  /** A body whose upper half is skinned; its hips and legs are rigid nodes. */
  const HALF_SKINNED = {
    scene: ['rig'],
    rig: ['hips', 'spine', 'lamp'],
    hips: ['thigh.L', 'thigh.R'],
    'thigh.L': ['shin.L'],
    'thigh.R': ['shin.R'],
    'shin.L': ['foot.L'],
    'shin.R': ['foot.R'],
    spine: ['arm.L', 'arm.R', 'head'],
    lamp: ['lamp arm', 'switch'],
    'lamp arm': ['shade'],
  };

  it('contains limbs outside the skin whose names are body parts that it lacks', () => {
    const { nodes, at } = tree(HALF_SKINNED);
    const skins = [{ joints: at('spine', 'head', 'arm.L', 'arm.R') }];
    const [{ skeleton }] = skeletonsOf({ nodes, skins });
    const named = (wanted: RegExp): string[] => skeleton.names.filter((name) => wanted.test(name));
    expect(named(/hips|thigh|shin|foot/)).toHaveLength(7);
    expect(named(/lamp|shade|switch/)).toEqual([]);
    expect(skeleton.parents.every((parent, node) => parent < node)).toBe(true);
    expect(skeleton.names.filter((_, node) => skeleton.joints[node] === 1)).toEqual([
      'spine',
      'arm.L',
      'arm.R',
      'head',
    ]);
  });

  it('leaves out a rigid character beside the skinned one', () => {
    const { scene: _, ...character } = HALF_SKINNED;
    const copy = Object.fromEntries(
      Object.entries(character).map(([name, list]) => [`b ${name}`, list.map((child) => `b ${child}`)]),
    );
    const { nodes, at } = tree({ ...HALF_SKINNED, ...copy, scene: ['rig', 'b rig'] });
    const skins = [{ joints: at('spine', 'head', 'arm.L', 'arm.R', 'hips', 'shin.L', 'shin.R', 'foot.L', 'foot.R') }];
    const [names] = namesOf({ nodes, skins });
    expect(names.filter((name) => name.startsWith('b '))).toEqual([]);
  });

  it('joins separate trees of one skin', () => {
    const { nodes, at } = tree({ hips: ['leg'], 'foot.L': ['toe.L'], 'foot.R': [] });
    const skins = [{ joints: at('hips', 'leg', 'foot.R', 'foot.L') }];
    expect(namesOf({ nodes, skins })).toEqual([['hips', 'leg', 'foot.L', 'toe.L', 'foot.R']]);
  });

  it('joins skins that share joints or whose joints are descendants of the other skin', () => {
    const { nodes, at } = tree({ rig: ['hips', 'foot', 'cape'], hips: ['head'], head: ['jaw'] });
    const skins = [
      { joints: at('hips') },
      { joints: at('jaw') },
      { joints: at('head', 'foot') },
      { joints: at('cape') },
    ];
    expect(namesOf({ nodes, skins })).toEqual([
      ['rig', 'hips', 'head', 'jaw', 'foot'],
      ['rig', 'cape'],
    ]);
  });

  it('separates characters under a common root', () => {
    const { nodes, at } = tree({
      world: ['crowd'],
      crowd: ['hips A', 'hips B'],
      'hips A': ['leg A'],
      'hips B': ['leg B'],
    });
    const skins = [{ joints: at('hips A', 'leg A') }, { joints: at('hips B', 'leg B') }];
    expect(namesOf({ nodes, skins })).toEqual([
      ['world', 'crowd', 'hips A', 'leg A'],
      ['world', 'crowd', 'hips B', 'leg B'],
    ]);
  });

  it('keeps a character together whose hips are not a joint, through the common ancestor of another skin', () => {
    const { nodes, at } = tree({ rig: ['hips'], hips: ['leg L', 'leg R', 'spine'], spine: ['arm'] });
    const skins = [{ joints: at('leg L', 'leg R') }, { joints: at('spine', 'arm') }];
    expect(namesOf({ nodes, skins })).toEqual([['rig', 'hips', 'leg L', 'leg R', 'spine', 'arm']]);
  });

  it('joins all joints below the outer of two nested common ancestors', () => {
    const { nodes, at } = tree({ scene: ['rig'], rig: ['hips', 'prop'], hips: ['a', 'b', 'c'], prop: ['d'] });
    const skins = [{ joints: at('a', 'b') }, { joints: at('c') }, { joints: at('a', 'd') }];
    expect(namesOf({ nodes, skins })).toHaveLength(1);
  });

  it('creates one skeleton per tree of several nodes without skins', () => {
    const { nodes } = tree({ lone: [], a: ['a1'], b: ['b1', 'b2'] });
    expect(namesOf({ nodes })).toEqual([
      ['a', 'a1'],
      ['b', 'b1', 'b2'],
    ]);
    expect(skeletonsOf({ nodes }).every(({ skeleton }) => skeleton.bind === null)).toBe(true);
  });

  it('groups the nodes of a declared humanoid like joints, but does not flag them as joints', () => {
    const { nodes, at } = tree({ scene: ['hips', 'lamp'], hips: ['spine', 'mesh'] });
    const [hips, spine] = at('hips', 'spine');
    const humanoid = { humanBones: { hips: { node: hips }, spine: { node: spine } } };
    const extensions = { VRMC_vrm: { specVersion: '1.0', meta: { name: 'Ava' }, humanoid } };
    const [{ skeleton, declared }] = skeletonsOf({ nodes, extensions });
    expect(skeleton.names).toEqual(['scene', 'hips', 'spine', 'mesh']);
    expect(Array.from(skeleton.joints)).toEqual([0, 0, 0, 0]);
    expect(skeleton.name).toBe('Ava');
    expect(Array.from(declared?.nodes.subarray(0, 3) ?? [])).toEqual([1, 2, -1]);
  });

  it('assigns the declared humanoid to the skeleton that contains it', () => {
    const { nodes, at } = tree({ prop: ['lid'], hips: ['spine'] });
    const humanoid = { humanBones: { hips: { node: at('hips')[0] } } };
    const skins = [{ joints: at('prop', 'lid') }, { joints: at('hips', 'spine') }];
    const found = skeletonsOf({ nodes, skins, extensions: { VRMC_vrm: { humanoid } } });
    expect(found.map(({ declared }) => declared?.format ?? null)).toEqual([null, 'vrm1']);
  });

  it('names skeletons by skin, else by the parent node, else by the topmost joint, without repetitions', () => {
    const { nodes, at } = tree({ rig: ['a'], b: ['b1'], c: ['c1'], d: ['d1'], e: ['e1'] });
    const skins = [
      { joints: at('a') },
      { joints: at('b', 'b1'), name: 'Man' },
      { joints: at('c', 'c1'), name: 'Man' },
      { joints: at('d', 'd1'), name: 'Man 2' },
      { joints: at('e', 'e1') },
    ];
    expect(skeletonsOf({ nodes, skins }).map(({ skeleton }) => skeleton.name)).toEqual([
      'rig',
      'Man',
      'Man 3',
      'Man 2',
      'e',
    ]);
  });

  it('reads a skin on a chain of 100,000 joints', () => {
    const count = 100_000;
    const nodes = Array.from({ length: count }, (_, i) => (i + 1 < count ? { children: [i + 1] } : {}));
    const [{ skeleton }] = skeletonsOf({ nodes, skins: [{ joints: nodes.map((_, i) => i) }] });
    expect(skeleton.parents).toHaveLength(count);
  });

  it('throws for thousands of skeletons that share a long chain', () => {
    const chain = 2000;
    const leaves = 2000;
    const nodes: JsonObject[] = Array.from({ length: chain }, (_, i) => ({ children: [i + 1] }));
    nodes[chain - 1] = { children: Array.from({ length: leaves }, (_, i) => chain + i) };
    for (let i = 0; i < leaves; i++) nodes.push({});
    const skins = Array.from({ length: leaves }, (_, i) => ({ joints: [chain + i] }));
    expect(() => skeletonsOf({ nodes, skins })).toThrow(FormatError);
  });

  it('separates two people of one skin, but not a person and clothes', () => {
    const { nodes } = JSON.parse(gltfWithCharacters([{}, {}])) as { nodes: JsonObject[] };
    const count = nodes.length / 2;
    const read = (place: readonly number[]) => {
      const moved = nodes.map((node, k) => (k === count ? { ...node, translation: place } : node));
      const people = [...moved, { name: 'Crowd', children: [0, count] }];
      const joints = Array.from(nodes.keys()).filter((node) => node % count > 0);
      return skeletonsOf({ nodes: people, skins: [{ joints }] });
    };
    const [{ translation = [0, 0, 0] }] = nodes as { translation?: number[] }[];
    const skeletons = read([translation[0] + 2, translation[1], translation[2]]);
    expect(skeletons.map(({ skeleton }) => skeleton.names.length)).toEqual([count + 1, count + 1]);
    expect(new Set(skeletons.map(({ skeleton }) => skeleton.name)).size).toBe(2);
    expect(skeletons.map(({ sourceNodes }) => [...sourceNodes].slice(0, 2))).toEqual([
      [2 * count, 0],
      [2 * count, count],
    ]);
    expect(read(translation)).toHaveLength(1);
  });
});
