import { describe, expect, it } from 'vitest';
import type { MorphTrack } from '../../../../../src/core/asset/asset.ts';
import { assetOf } from '../clip-scene.ts';

function morphs(weights: string, shapes = '"smile", "other"'): readonly MorphTrack[] {
  const api = '(prepend apiSchemas = ["SkelBindingAPI"])';
  const [clip] = assetOf(`
def SkelRoot "R" {
  def Skeleton "S" ${api} {
    rel skel:animationSource = </R/Face>
  }
  def Mesh "M" ${api} {
    rel skel:skeleton = </R/S>
    uniform token[] skel:blendShapes = ["blink", "smile"]
    rel skel:blendShapeTargets = [</R/M/Blink>, </R/M/Smile>]
    def BlendShape "Blink" {
      uniform vector3f[] offsets = [(1, 0, 0)]
    }
    def BlendShape "Smile" {
      uniform vector3f[] offsets = [(1, 0, 0)]
      uniform vector3f[] inbetweens:half = [(0, 0, 1)] (weight = 0.5)
    }
  }
  def SkelAnimation "Face" {
    uniform token[] blendShapes = [${shapes}]
    float[] ${weights}
  }
}`).clips;
  return clip?.morphs ?? [];
}

describe('morphTrack', () => {
  it('maps weights by name and adds keys where an in-between peaks', () => {
    const [track, ...more] = morphs('blendShapeWeights.timeSamples = { 0: [0, 9], 1: [1, 9], 2: [0.75, 9] }');
    expect(more).toEqual([]);
    expect([track.nodeName, track.targetCount, track.interpolation]).toEqual(['M', 3, 'LINEAR']);
    expect(track.targetNames).toEqual(['blink', 'smile', 'smile/half']);
    expect(Array.from(track.times)).toEqual([0, 0.5, 1, 2]);
    expect(Array.from(track.values)).toEqual([0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0.5, 0.5]);
  });

  it('keeps the weight up to a block, and has weight 0 after it', () => {
    const [{ times, values }] = morphs('blendShapeWeights.timeSamples = { 0: [0.5], 1: None }', '"blink"');
    expect(Array.from(times)).toEqual([0, 1 - 2 ** -24, 1]);
    expect(Array.from(values).filter((_, i) => i % 3 === 0)).toEqual([0.5, 0.5, 0]);
  });

  it('keeps one key of constant weights', () => {
    const [{ times, values }] = morphs('blendShapeWeights = [0.25, 0]');
    expect([Array.from(times), Array.from(values)]).toEqual([[0], [0, 0, 0.5]]);
  });

  it('returns null without matching names or without weights', () => {
    expect(morphs('blendShapeWeights = [1]', '"frown"')).toEqual([]);
    expect(morphs('blendShapeWeights = None')).toEqual([]);
  });
});
