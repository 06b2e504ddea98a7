import { describe, expect, it } from 'vitest';
import type { MorphTrack } from '../../../../../src/core/asset/asset.ts';
import type { LinearAnimation } from '../../../../../src/formats/usd/write/animation/linear-animation.ts';
import {
  channelsOf,
  type MorphChannels,
  weightSources,
} from '../../../../../src/formats/usd/write/meshes/morph-channels.ts';
import { mesh } from '../small-geometry.ts';

const FACE = mesh('face', [], { morphNames: ['smile', ''], morphWeights: Float32Array.of(0.5, 0) });
const at = (node: number, morphWeights: Float32Array | null = null) => ({ node, mesh: 0, skin: -1, morphWeights });
const none = (): MorphChannels => ({ channels: [], taken: new Set() });

describe('channelsOf', () => {
  it('adds the morph targets of an instance; unnamed ones are numbered', () => {
    const known = none();
    const channels = channelsOf(known, at(3), FACE, []);
    expect(channels.map(({ token, name, node, target, weight }) => [token, name, node, target, weight])).toEqual([
      ['smile', 'smile', 3, 0, 0.5],
      ['shape1', '', 3, 1, 0],
    ]);
    expect(known.channels).toEqual(channels);
  });

  it('makes names unique and uses the weights of the instance', () => {
    const known = none();
    channelsOf(known, at(3), FACE, []);
    const second = channelsOf(known, at(4, Float32Array.of(0.25, 1)), FACE, []);
    expect(second.map(({ token, name, weight }) => [token, name, weight])).toEqual([
      ['smile_1', 'smile', 0.25],
      ['shape1_1', '', 1],
    ]);
    expect(known.channels).toHaveLength(4);
  });

  describe('for two meshes with a target of one name', () => {
    const weights = (...values: number[]): MorphTrack => {
      const times = Float64Array.of(0, 1);
      const keys = { interpolation: 'LINEAR', times, values: Float32Array.from(values) } as const;
      return { sourceNode: 0, nodeName: '', targetCount: 2, ...keys };
    };
    const tokensOf = (first: MorphTrack | null, second: MorphTrack | null): string[] => {
      const morphs = new Map<number, MorphTrack>();
      if (first !== null) morphs.set(3, first);
      if (second !== null) morphs.set(4, second);
      const clips = [{ name: 'talk', duration: 1, tracks: new Map(), morphs }];
      const known = none();
      for (const node of [3, 4]) channelsOf(known, at(node), FACE, clips);
      return known.channels.map(({ token }) => token);
    };

    it('shares the token where the weights are the same', () => {
      expect(tokensOf(null, null)).toEqual(['smile', 'shape1', 'smile', 'shape1_1']);
      expect(tokensOf(weights(0, 1, 1, 1), weights(0, 0, 1, 0))).toEqual(['smile', 'shape1', 'smile', 'shape1_1']);
    });

    it('gives tokens of their own where a clip moves them in different ways', () => {
      const own = ['smile', 'shape1', 'smile_1', 'shape1_1'];
      expect(tokensOf(weights(0, 0, 1, 0), null)).toEqual(own);
      expect(tokensOf(weights(0, 0, 1, 0), weights(0, 0, 0.5, 0))).toEqual(own);
    });

    it('shares no token within a mesh', () => {
      const twice = mesh('face', [], { morphNames: ['a', 'a'], morphWeights: Float32Array.of(0, 0) });
      const known = none();
      for (const node of [3, 4]) channelsOf(known, at(node), twice, []);
      expect(known.channels.map(({ token }) => token)).toEqual(['a', 'a_1', 'a', 'a_1']);
    });
  });

  it('returns the same channels for all primitives of an instance', () => {
    const known = none();
    expect(channelsOf(known, at(3), FACE, [])).toEqual(channelsOf(known, at(3), FACE, []));
    expect(known.channels).toHaveLength(2);
  });
});

describe('weightSources', () => {
  const track = (targetCount: number): MorphTrack => {
    const keys = { interpolation: 'LINEAR', times: Float64Array.of(0), values: new Float64Array(targetCount) } as const;
    return { sourceNode: 13, nodeName: 'face', targetCount, ...keys };
  };
  const clip = (morphs: [number, MorphTrack][]): LinearAnimation => {
    return { name: 'talk', duration: 1, tracks: new Map(), morphs: new Map(morphs) };
  };

  it('uses the track of the node if its number of targets matches', () => {
    const known = none();
    const channels = channelsOf(known, at(3), FACE, []);
    const talk = track(2);
    expect(weightSources(channels, clip([[3, talk]]))).toEqual([
      { track: talk, target: 0, weight: 0.5 },
      { track: talk, target: 1, weight: 0 },
    ]);
    const own = channels.map(({ weight }, target) => ({ track: undefined, target, weight }));
    expect(weightSources(channels, clip([[3, track(1)]]))).toEqual(own);
    expect(weightSources(channels, clip([[4, talk]]))).toEqual(own);
    expect(weightSources(channels, null)).toEqual(own);
  });
});
