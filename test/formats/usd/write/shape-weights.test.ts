import { describe, expect, it } from 'vitest';
import type { MorphTrack } from '../../../../src/core/asset/asset.ts';
import { morphWeights } from '../../../../src/formats/usd/read/morph-targets.ts';
import { readUsdScene } from '../../../../src/formats/usd/read/read-scene.ts';
import { type ShapeChannel, shapeChannels, shapeWeights } from '../../../../src/formats/usd/write/shape-weights.ts';
import { stageOf } from '../skel/scene.ts';

/** Two meshes below a Skeleton: `smile` with an in-between and `blink`; the second has a `blink` too. */
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
const CHANNELS = shapeChannels(SCENE, SCENE.skeletons[0]);
const FACE = SCENE.prims.indexOf('/R/Face');
const LASHES = SCENE.prims.indexOf('/R/Lashes');

function track(targetCount: number, values: readonly number[]): MorphTrack {
  const times = Float64Array.from({ length: values.length / targetCount }, (_, key) => key);
  const keys = { interpolation: 'LINEAR', times, values: Float64Array.from(values) } as const;
  return { sourceNode: 0, nodeName: 'face', targetCount, ...keys };
}

/** The weights of the morph targets of a mesh at weights of its blend shapes. */
function targetWeights({ morphs }: ShapeChannel, weights: readonly number[]): number[] {
  const out = new Float64Array(morphs.targets.length);
  morphWeights(out, 0, morphs, weights);
  return [...out];
}

describe('blend shapes that animations move', () => {
  it('are those of all meshes, each name once', () => {
    expect(CHANNELS.map(({ token, node, place }) => [token, node, place])).toEqual([
      ['smile', FACE, 0],
      ['blink', FACE, 1],
      ['gone', LASHES, 1],
    ]);
  });

  it('get back the weights that their shapes were made of, in between and beyond', () => {
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
    const { blendShapes, weights } = shapeWeights(CHANNELS, new Map([[FACE, track(3, values)]]));
    expect(blendShapes).toEqual(['smile', 'blink']);
    expect(weights.map(({ target }) => target)).toEqual([0, 1]);
    expect(weights[1].track).toBe(weights[0].track);
    const back = Array.from(weights[0].track?.values ?? []);
    expect(back.map((value) => Number(value.toFixed(6)))).toEqual(given.flat());
    expect(weights[0].track).toMatchObject({ targetCount: 2, times: Float64Array.of(0, 1, 2, 3, 4, 5, 6) });
  });

  it('are none of meshes without a track, or with one of another number of targets', () => {
    expect(shapeWeights(CHANNELS, new Map()).blendShapes).toEqual([]);
    expect(shapeWeights(CHANNELS, new Map([[FACE, track(2, [0, 1])]])).blendShapes).toEqual([]);
    const { blendShapes, weights } = shapeWeights(CHANNELS, new Map([[LASHES, track(1, [0, 1])]]));
    expect(blendShapes).toEqual(['gone']);
    // Nothing is behind the name: it has no target.
    expect(Array.from(weights[0].track?.values ?? [])).toEqual([0, 0, 1, 0]);
  });
});
