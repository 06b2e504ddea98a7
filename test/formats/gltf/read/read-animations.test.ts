import { describe, expect, it } from 'vitest';
import type { Asset } from '../../../../src/core/asset/asset.ts';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';
import { readGltf } from '../../../../src/formats/gltf/index.ts';
import { validateClip } from '../../../support/validate-clip.ts';
import { codesOf, type SmallAccessor, scalars, smallFile, vectors } from '../small-file.ts';

/** Node 0 with child 1, node 2 with a mesh of two morph targets, and node 3. */
const NODES: JsonObject[] = [{ children: [1] }, { name: 'arm' }, { name: 'face', mesh: 0 }, { name: 'lamp' }];
const MESHES = [{ primitives: [{ attributes: {}, targets: [{}, {}] }] }];
const TIMES = scalars(0, 0.5, 2);
const PLACES = vectors('VEC3', 0, 0, 0, 1, 2, 3, 4, 5, 6);
const TURNS = vectors('VEC4', 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0);

type Channel = [path: string, sampler: number, node: number | undefined];

function read(channels: Channel[], samplers: JsonObject[], accessors: SmallAccessor[], more: JsonObject = {}): Asset {
  const list = channels.map(([path, sampler, node]) => ({
    sampler,
    target: node === undefined ? { path } : { path, node },
  }));
  const animations = [{ name: 'clip', channels: list, samplers }];
  const asset = readGltf(smallFile({ nodes: NODES, meshes: MESHES, animations, ...more }, accessors));
  for (const { clips } of asset.clips) {
    clips.forEach((clip, i) => {
      expect(validateClip(clip, asset.skeletons[i].skeleton.parents.length).reasons).toEqual([]);
    });
  }
  return asset;
}

function errorOf(run: () => unknown): FormatError {
  try {
    run();
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('readAnimations', () => {
  it('converts channels to tracks of the skeleton that contains the node', () => {
    const samplers = [
      { input: 0, output: 1 },
      { input: 0, output: 2, interpolation: 'STEP' },
    ];
    const { clips, issues } = read(
      [
        ['translation', 0, 1],
        ['rotation', 1, 0],
      ],
      samplers,
      [TIMES, PLACES, TURNS],
    );
    expect(issues).toEqual([]);
    expect(clips).toHaveLength(1);
    expect(clips[0]).toMatchObject({ name: 'clip', duration: 2, otherChannels: 0, morphs: [] });
    const [{ name, duration, tracks }] = clips[0].clips;
    expect({ name, duration }).toEqual({ name: 'clip', duration: 2 });
    expect(tracks.map(({ target, path, interpolation }) => [target, path, interpolation])).toEqual([
      [1, 'translation', 'LINEAR'],
      [0, 'rotation', 'STEP'],
    ]);
    expect(Array.from(tracks[0].times)).toEqual([0, 0.5, 2]);
    expect(Array.from(tracks[0].values)).toEqual([0, 0, 0, 1, 2, 3, 4, 5, 6]);
  });

  it('keeps CUBICSPLINE triples', () => {
    const keys = vectors('VEC3', ...Array.from({ length: 27 }, (_, i) => i));
    const { clips } = read([['scale', 0, 0]], [{ input: 0, output: 1, interpolation: 'CUBICSPLINE' }], [TIMES, keys]);
    const [track] = clips[0].clips[0].tracks;
    expect(track.interpolation).toBe('CUBICSPLINE');
    expect(track.values).toHaveLength(27);
  });

  it('decodes normalized integers', () => {
    const bytes: SmallAccessor = {
      type: 'VEC4',
      array: Int8Array.of(0, 0, 0, 127, 0, 0, -128, 0, 127, 0, 0, 0),
      normalized: true,
    };
    const { clips } = read([['rotation', 0, 0]], [{ input: 0, output: 1 }], [TIMES, bytes]);
    expect(Array.from(clips[0].clips[0].tracks[0].values)).toEqual([0, 0, 0, 1, 0, 0, -1, 0, 1, 0, 0, 0]);
  });

  it('reads accessors that channels share only once', () => {
    const { clips } = read(
      [
        ['translation', 0, 0],
        ['translation', 0, 1],
        ['rotation', 1, 0],
      ],
      [
        { input: 0, output: 1 },
        { input: 0, output: 2 },
      ],
      [TIMES, PLACES, TURNS],
    );
    const [a, b, c] = clips[0].clips[0].tracks;
    expect(a.values).toBe(b.values);
    expect(a.times.buffer).toBe(c.times.buffer);
  });

  it('splits a clip by skeleton; a shared node goes to each', () => {
    const nodes = [{ children: [1, 2] }, {}, {}];
    const skins = [{ joints: [1] }, { joints: [2] }];
    const { clips, skeletons } = read(
      [
        ['translation', 0, 2],
        ['translation', 0, 0],
      ],
      [{ input: 0, output: 1 }],
      [TIMES, PLACES],
      { nodes, skins },
    );
    expect(skeletons).toHaveLength(2);
    expect(clips[0].clips.map(({ tracks }) => tracks.map(({ target }) => target))).toEqual([[0], [1, 0]]);
  });

  it('gives skeletons without channels a clip without tracks', () => {
    const nodes = [{ children: [1] }, {}, { children: [3] }, {}];
    const { clips } = read([['translation', 0, 2]], [{ input: 0, output: 1 }], [TIMES, PLACES], { nodes });
    expect(clips[0].clips[0]).toEqual({ name: 'clip', duration: 0, tracks: [] });
    expect(clips[0].clips[1].tracks).toHaveLength(1);
  });

  it('reads morph weights with their node', () => {
    const weights = scalars(0, 1, 0.5, 0.25, 1, 0);
    const { clips, issues } = read([['weights', 0, 2]], [{ input: 0, output: 1 }], [TIMES, weights]);
    expect(issues).toEqual([]);
    const { values, times, ...rest } = clips[0].morphs[0];
    expect(rest).toEqual({ sourceNode: 2, nodeName: 'face', targetCount: 2, interpolation: 'LINEAR' });
    expect(Array.from(values)).toEqual([0, 1, 0.5, 0.25, 1, 0]);
    expect(times).toHaveLength(3);
  });

  it('reports weights of a node without morph targets', () => {
    const { clips, issues } = read([['weights', 0, 0]], [{ input: 0, output: 1 }], [TIMES, scalars(0, 1, 2)]);
    expect(clips[0].morphs).toEqual([]);
    expect(codesOf(issues)).toEqual(['GLTF_ANIMATION']);
  });

  it('counts channels with unsupported targets', () => {
    const accessors = [TIMES, PLACES, scalars(0, 7)];
    const samplers = [
      { input: 0, output: 1 },
      { input: 2, output: 2 },
    ];
    const asset = read(
      [
        ['translation', 0, undefined],
        ['pointer', 1, undefined],
        ['opacity', 0, 0],
        ['translation', 0, 3],
        ['scale', 0, 0],
      ],
      samplers,
      accessors,
    );
    expect(asset.clips[0].otherChannels).toBe(4);
    expect(asset.clips[0].clips[0].tracks).toHaveLength(1);
    expect(asset.clips[0].duration).toBe(7);
    expect(asset.clips[0].clips[0].duration).toBe(2);
  });

  const pointed = (pointer: string) => {
    const target = { path: 'pointer', node: 0, extensions: { KHR_animation_pointer: { pointer } } };
    const animations = [{ channels: [{ sampler: 0, target }], samplers: [{ input: 0, output: 1 }] }];
    return readGltf(smallFile({ nodes: NODES, animations }, [TIMES, PLACES])).clips[0];
  };

  it('reads channels of KHR_animation_pointer to transforms of nodes as plain channels', () => {
    const { otherChannels, clips } = pointed('/nodes/1/translation');
    const [plain] = read([['translation', 0, 1]], [{ input: 0, output: 1 }], [TIMES, PLACES]).clips[0].clips;
    expect(otherChannels).toBe(0);
    expect(clips[0].tracks.map(({ path }) => path)).toEqual(['translation']);
    expect(clips[0].tracks[0].values).toEqual(plain.tracks[0].values);
  });

  it('counts other pointers even if the channel has a target node', () => {
    for (const pointer of ['/nodes/99/translation', '/nodes/01/scale', '/materials/0/emissiveFactor', '/nodes/0/color'])
      expect(pointed(pointer)).toMatchObject({ name: '', otherChannels: 1 });
  });

  it('uses and reports the last of two channels of one node and path', () => {
    const other = vectors('VEC3', 9, 9, 9, 9, 9, 9, 9, 9, 9);
    const { clips, issues } = read(
      [
        ['translation', 0, 1],
        ['translation', 1, 1],
      ],
      [
        { input: 0, output: 1 },
        { input: 0, output: 2 },
      ],
      [TIMES, PLACES, other],
    );
    expect(clips[0].clips[0].tracks.map(({ values }) => values[0])).toEqual([9]);
    expect(codesOf(issues)).toEqual(['GLTF_ANIMATION']);
    expect(issues[0].where.pointer).toBe('/animations/0/channels/1');
  });

  it.each([
    ['are not increasing', [0, 2, 0.5], [0, 0.5, 2], [0, 0, 0, 4, 5, 6, 1, 2, 3]],
    ['are repeated', [0, 1, 1], [0, 1 - 2 ** -24, 1], [0, 0, 0, 1, 2, 3, 4, 5, 6]],
    ['are negative', [-1, 0.5, 2], [0.5, 2], [1, 2, 3, 4, 5, 6]],
    ['are not numbers', [0, Number.NaN, 2], [0, 2], [0, 0, 0, 4, 5, 6]],
    ['are infinite', [0, 0.5, Number.POSITIVE_INFINITY], [0, 0.5], [0, 0, 0, 1, 2, 3]],
  ])('repairs keys whose times %s', (_, times, keptTimes, keptValues) => {
    const { clips, issues } = read(
      [
        ['translation', 0, 1],
        ['rotation', 1, 1],
      ],
      [
        { input: 0, output: 1 },
        { input: 0, output: 2 },
      ],
      [scalars(...times), PLACES, TURNS],
    );
    const [track] = clips[0].clips[0].tracks;
    expect(Array.from(track.times)).toEqual(keptTimes);
    expect(Array.from(track.values)).toEqual(keptValues);
    // One issue per time accessor, not one per channel.
    expect(codesOf(issues)).toEqual(['KEYS_REPAIRED']);
    expect(Number.isFinite(clips[0].duration)).toBe(true);
  });

  it('repairs keys whose values are not finite', () => {
    const values = vectors('VEC3', 0, 0, 0, 1, Number.NaN, 3, 4, 5, 6);
    const { clips, issues } = read([['translation', 0, 1]], [{ input: 0, output: 1 }], [TIMES, values]);
    expect(Array.from(clips[0].clips[0].tracks[0].times)).toEqual([0, 2]);
    expect(codesOf(issues)).toEqual(['KEYS_REPAIRED']);
  });

  it('repairs keys of morph weights', () => {
    const weights = scalars(0, 1, 0.5, Number.NaN, 1, 0);
    const repaired = read([['weights', 0, 2]], [{ input: 0, output: 1 }], [TIMES, weights]);
    expect(Array.from(repaired.clips[0].morphs[0].times)).toEqual([0, 2]);
    expect(Array.from(repaired.clips[0].morphs[0].values)).toEqual([0, 1, 1, 0]);
    expect(codesOf(repaired.issues)).toEqual(['KEYS_REPAIRED']);
    const jump = read([['weights', 0, 2]], [{ input: 0, output: 1 }], [scalars(0, 1, 1), scalars(0, 1, 0.5, 0, 1, 0)]);
    expect(Array.from(jump.clips[0].morphs[0].times)).toEqual([0, 1 - 2 ** -24, 1]);
    expect(codesOf(jump.issues)).toEqual(['KEYS_REPAIRED']);
    expect(jump.issues[0].message).toMatch(/^A track of morph weights was repaired: pairs of keys .* \(1\)\. Expected/);
    const none = read([['weights', 0, 2]], [{ input: 0, output: 1 }], [scalars(-3, -2, -1), weights]);
    expect(none.clips[0].morphs).toEqual([]);
    expect(codesOf(none.issues)).toEqual(['KEYS_REPAIRED', 'GLTF_ANIMATION']);
  });

  it.each([
    ['too few values', vectors('VEC3', 0, 0, 0), 'LINEAR'],
    ['too many values', vectors('VEC3', ...Array(12).fill(0)), 'LINEAR'],
    ['no tangents', PLACES, 'CUBICSPLINE'],
    ['values of another type', vectors('VEC4', ...Array(12).fill(0)), 'LINEAR'],
  ])('drops a channel with %s', (_, values, interpolation) => {
    const asset = read([['translation', 0, 1]], [{ input: 0, output: 1, interpolation }], [TIMES, values]);
    expect(asset.clips[0].clips[0].tracks).toEqual([]);
    expect(codesOf(asset.issues)).toEqual(['GLTF_ANIMATION']);
    expect(asset.issues[0].where.pointer).toBe('/animations/0/samplers/0');
  });

  it('drops a channel without usable keys', () => {
    const asset = read([['translation', 0, 1]], [{ input: 0, output: 1 }], [scalars(-3, -2, -1), PLACES]);
    expect(asset.clips[0].clips[0].tracks).toEqual([]);
    expect(codesOf(asset.issues)).toEqual(['KEYS_REPAIRED', 'GLTF_ANIMATION']);
  });

  it('converts a CUBICSPLINE with one key to STEP', () => {
    const { clips } = read(
      [['translation', 0, 1]],
      [{ input: 0, output: 1, interpolation: 'CUBICSPLINE' }],
      [scalars(0), PLACES],
    );
    expect(clips[0].clips[0].tracks[0]).toMatchObject({ interpolation: 'STEP' });
    expect(Array.from(clips[0].clips[0].tracks[0].values)).toEqual([1, 2, 3]);
  });

  it.each([
    [
      'a sampler that does not exist',
      { channels: [{ sampler: 1, target: { path: 'scale', node: 0 } }] },
      'GLTF_REFERENCE',
    ],
    ['a channel without sampler', { channels: [{ target: { path: 'scale', node: 0 } }] }, 'GLTF_SCHEMA'],
    ['a channel without target', { channels: [{ sampler: 0 }] }, 'GLTF_SCHEMA'],
    ['a target without path', { channels: [{ sampler: 0, target: { node: 0 } }] }, 'GLTF_SCHEMA'],
    [
      'a node that does not exist',
      { channels: [{ sampler: 0, target: { path: 'scale', node: 9 } }] },
      'GLTF_REFERENCE',
    ],
    ['an unknown interpolation', { samplers: [{ input: 0, output: 1, interpolation: 'BEZIER' }] }, 'GLTF_SCHEMA'],
    ['times that are vectors', { samplers: [{ input: 1, output: 1 }] }, 'GLTF_ACCESSOR'],
    ['an accessor that does not exist', { samplers: [{ input: 0, output: 5 }] }, 'GLTF_REFERENCE'],
    ['channels that are not an array', { channels: {} }, 'GLTF_SCHEMA'],
  ])('throws for %s with its JSON pointer', (_, change, code) => {
    const animation = {
      channels: [{ sampler: 0, target: { path: 'scale', node: 0 } }],
      samplers: [{ input: 0, output: 1 }],
      ...change,
    };
    const doc = smallFile({ nodes: NODES, animations: [animation] }, [TIMES, PLACES]);
    const error = errorOf(() => readGltf(doc));
    expect(error.code).toBe(code);
    expect(error.where.pointer).toMatch(/^\/(animations\/0|accessors)/);
  });

  it('lists unselected animations by name without reading their keys', () => {
    const animations = ['bad', 'good'].map((name, i) => ({
      name,
      channels: [{ sampler: 0, target: { node: 0, path: 'translation' } }],
      samplers: [{ input: i === 0 ? 99 : 0, output: 1 }],
    }));
    const doc = smallFile({ nodes: NODES, animations }, [TIMES, PLACES]);
    const { clips } = readGltf(doc, { wantsClip: (name, index) => name === 'good' && index === 1 });
    expect(clips.map(({ name, duration, clips: [clip] }) => [name, duration, clip.tracks.length])).toEqual([
      ['bad', 0, 0],
      ['good', 2, 1],
    ]);
  });

  it('throws for too many animations × skeletons', () => {
    const nodes: JsonObject[] = Array.from({ length: 4000 }, (_, i) => (i % 2 === 0 ? { children: [i + 1] } : {}));
    const animations = Array.from({ length: 1000 }, () => ({ channels: [], samplers: [] }));
    expect(errorOf(() => readGltf(smallFile({ nodes, animations }))).code).toBe('GLTF_LIMIT');
  });
});
