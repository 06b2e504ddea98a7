import { describe, expect, it } from 'vitest';
import type { MorphTrack } from '../../../../../src/core/asset/asset.ts';
import { morphWeights } from '../../../../../src/formats/usd/read/meshes/morph-targets.ts';
import { readUsdScene } from '../../../../../src/formats/usd/read/read-usd-scene.ts';
import {
  type BlendShapeChannel,
  blendShapeChannels,
  blendShapeWeights,
} from '../../../../../src/formats/usd/write/animation/blend-shape-weights.ts';
import { stageOf } from '../../skel/scene.ts';

/** The text of a mesh with blend shapes: `smile` with an in-between, and `blink`. */
const meshOf = (name: string, tokens: readonly string[]): string => `
  def Mesh "${name}" (prepend apiSchemas = ["SkelBindingAPI"]) {
    rel skel:skeleton = </R/S>
    uniform token[] skel:blendShapes = [${tokens.map((token) => `"${token}"`).join(', ')}]
    rel skel:blendShapeTargets = [${tokens.map((token) => `</R/${name}/${token}>`).join(', ')}]
    def BlendShape "smile" {
      uniform vector3f[] offsets = [(1, 0, 0)]
      uniform vector3f[] inbetweens:half = [(0, 0, 1)] (weight = 0.5)
    }
    def BlendShape "blink" {
      uniform vector3f[] offsets = [(0, 1, 0)]
    }
  }`;
const SCENE = readUsdScene(
  stageOf(`def SkelRoot "R" {
  def Skeleton "S" {
  }${meshOf('Face', ['smile', 'blink'])}${meshOf('Lashes', ['blink', 'gone'])}
}`),
);
const CHANNELS = blendShapeChannels(SCENE, SCENE.skeletons[0]);
const FACE = SCENE.prims.indexOf('/R/Face');
const LASHES = SCENE.prims.indexOf('/R/Lashes');

function track(targetCount: number, values: readonly number[]): MorphTrack {
  const times = Float64Array.from({ length: values.length / targetCount }, (_, key) => key);
  const keys = { interpolation: 'LINEAR', times, values: Float64Array.from(values) } as const;
  return { sourceNode: 0, nodeName: 'face', targetCount, ...keys };
}

/** Converts blend shape weights to morph target weights. */
function targetWeights({ morphs }: BlendShapeChannel, weights: readonly number[]): number[] {
  const out = new Float64Array(morphs.targets.length);
  morphWeights(out, 0, morphs, weights);
  return [...out];
}

describe('blend-shape-weights', () => {
  it('blendShapeChannels: lists the blend shapes of all meshes', () => {
    expect(CHANNELS.map(({ token, node, index }) => [token, node, index])).toEqual([
      ['smile', FACE, 0],
      ['blink', FACE, 1],
      ['blink', LASHES, 0],
      ['gone', LASHES, 1],
    ]);
  });

  it('blendShapeWeights: inverts morphWeights, between shapes and beyond them', () => {
    const given = [
      [0, 0],
      [0.25, 1],
      [0.5, 0.5],
      [0.8, 0],
      [1, 0],
      [1.5, -1],
      [-0.5, 0],
    ];
    const values = given.flatMap((weights) => targetWeights(CHANNELS[0], weights));
    const { blendShapes, weights } = blendShapeWeights(CHANNELS, new Map([[FACE, track(3, values)]]));
    expect(blendShapes).toEqual(['smile', 'blink']);
    expect(weights.map(({ target }) => target)).toEqual([0, 1]);
    expect(weights[1].track).toBe(weights[0].track);
    const back = Array.from(weights[0].track?.values ?? []);
    expect(back.map((value) => Number(value.toFixed(6)))).toEqual(given.flat());
    expect(weights[0].track).toMatchObject({ targetCount: 2, times: Float64Array.of(0, 1, 2, 3, 4, 5, 6) });
  });

  it('blendShapeWeights: omits meshes without a track with the right number of targets', () => {
    expect(blendShapeWeights(CHANNELS, new Map()).blendShapes).toEqual([]);
    expect(blendShapeWeights(CHANNELS, new Map([[FACE, track(2, [0, 1])]])).blendShapes).toEqual([]);
    expect(blendShapeWeights(CHANNELS, new Map([[LASHES, track(2, [0, 1])]])).blendShapes).toEqual([]);
  });

  it('blendShapeWeights: uses the track of another mesh with the name where the first has none', () => {
    const lashes = track(1, [0, 1]);
    const { blendShapes, weights } = blendShapeWeights(CHANNELS, new Map([[LASHES, lashes]]));
    expect(blendShapes).toEqual(['blink', 'gone']);
    expect(weights.map(({ target }) => target)).toEqual([0, 1]);
    // The target of `gone` is missing, so it has no morph target.
    expect(Array.from(weights[0].track?.values ?? [])).toEqual([0, 0, 1, 0]);
    const both = new Map([
      [FACE, track(3, [0, 0, 0.5])],
      [LASHES, lashes],
    ]);
    expect(blendShapeWeights(CHANNELS, both).blendShapes).toEqual(['smile', 'blink', 'gone']);
    expect(Array.from(blendShapeWeights(CHANNELS, both).weights[1].track?.values ?? [])[1]).toBe(0.5);
  });
});
