import { describe, expect, it } from 'vitest';
import { jointTracks } from '../../../../src/formats/usd/read/joint-tracks.ts';
import { makeKeyBudget } from '../../../../src/formats/usd/read/key-budget.ts';
import { readUsdScene } from '../../../../src/formats/usd/read/read-scene.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';
import { messagesOf } from '../skel/scene.ts';
import { animated, animationText, HEAD, skeletonText, tracksOf } from './clip-scene.ts';

const UNDER_1 = 1 - 2 ** -24;

function tracks(...attributes: readonly string[]): unknown {
  const asset = animated(...attributes);
  return tracksOf(asset, asset.clips[0]);
}

describe('tracks of joints', () => {
  it('keep the times of their attribute; what is constant is one key, what keeps its rest none', () => {
    expect(
      tracks(
        'float3[] translations.timeSamples = { 0: [(1, 2, 3), (0, 5, 0)], 2: [(2, 2, 3), (0, 5, 0)] }',
        'quatf[] rotations.timeSamples = { 0: [(1, 0, 0, 0), (1, 0, 0, 0)], 1: [(1, 0, 0, 0), (0, 0, 2, 0)], 3: [(-1, 0, 0, 0), (1, 0, 0, 0)] }',
      ),
    ).toEqual({
      'A translation': ['LINEAR', [0, 2], [1, 2, 3, 2, 2, 3]],
      'B translation': ['LINEAR', [0], [0, 5, 0]],
      'B rotation': ['LINEAR', [0, 1, 3], [0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1]],
    });
  });

  it('are a pose where the animation has only defaults', () => {
    expect(tracks('half3[] scales = [(2, 2, 2), (1, 1, 1)]')).toEqual({ 'A scale': ['LINEAR', [0], [2, 2, 2]] });
  });

  it('need translations, rotations and scales', () => {
    expect(
      tracks('half3[] scales = None', 'float3[] translations.timeSamples = { 0: [(1, 2, 3), (0, 5, 0)] }'),
    ).toEqual({});
  });

  it('are none where sizes do not fit, with an issue', () => {
    const asset = animated('float3[] translations.timeSamples = { 0: [(1, 2, 3)], 1: [(1, 2, 4)] }');
    expect(tracksOf(asset, asset.clips[0])).toEqual({});
    expect(messagesOf(asset.issues)).toContain(
      'SkelAnimation /Root/Anim: there are 1 translations, 2 rotations and 2 scales; give one of each for each of the 2 joints; the rest pose was taken.',
    );
  });

  it('go back to rest while a block hides one of the three', () => {
    const found = tracks(
      'float3[] translations.timeSamples = { 0: [(1, 0, 0), (0, 0, 0)], 1: None, 2: [(3, 0, 0), (0, 0, 0)], 3: [(4, 0, 0), (0, 0, 0)] }',
      'half3[] scales.timeSamples = { 0: [(1, 1, 1), (1, 1, 1)], 2: [(3, 3, 3), (1, 1, 1)] }',
    ) as Record<string, [string, number[], number[]]>;
    expect(Object.keys(found)).toEqual(['A translation', 'A scale']);
    const [interpolation, times, values] = found['A translation'];
    expect(interpolation).toBe('LINEAR');
    expect(times).toEqual([0, UNDER_1, 1, 2 - 2 ** -23, 2, 3]);
    // Held up to the block, at rest behind it.
    expect(values.filter((_, i) => i % 3 === 0)).toEqual([1, 1, 0, 0, 3, 4]);
    // Scales went on up to the block.
    const scales = found['A scale'][2].filter((_, i) => i % 3 === 0);
    expect(scales.map((scale) => Math.round(scale * 1000) / 1000)).toEqual([1, 2, 1, 1, 3, 3]);
  });

  it('are steps where the stage holds its values', () => {
    const body = skeletonText('Skel', ['A'], 'rel skel:animationSource = </Anim>');
    const text = `${HEAD}${body}${animationText('Anim', ['A'], 'float3[] translations.timeSamples = { 0: [(1, 0, 0)], 1: [(2, 0, 0)] }')}`;
    const scene = readUsdScene(openStage(parseUsda(text), { interpolation: 'held' }));
    const { definition, animation } = scene.skeletons[0].animated;
    if (animation === null) throw new Error('not bound');
    const rest = new Float64Array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    const clock = { origin: 0, codesPerSecond: 1 };
    const found = jointTracks(scene.stage, definition, animation, rest, clock, makeKeyBudget(), []);
    expect(found.map(({ interpolation, path }) => [interpolation, path])).toEqual([['STEP', 'translation']]);
  });

  it('take quaternions of zeros for no turn, as UsdSkel does', () => {
    expect(tracks('quatf[] rotations = [(0, 0, 0, 0), (0, 0, 0, 2)]')).toEqual({
      'B rotation': ['LINEAR', [0], [0, 0, 1, 0]],
    });
  });

  it('count scales that are the rest but for half precision as rest', () => {
    const matrix = '((0.1, 0, 0, 0), (0, 0.1, 0, 0), (0, 0, 0.1, 0), (0, 0, 0, 1))';
    const text = `${HEAD}def Skeleton "S" {
 uniform token[] joints = ["A"]
 uniform matrix4d[] restTransforms = [${matrix}]
 rel skel:animationSource = </Anim>
}${animationText('Anim', ['A'], 'half3[] scales = [(0.1, 0.1, 0.1)]')}`;
    const scene = readUsdScene(openStage(parseUsda(text)));
    const { definition, animation } = scene.skeletons[0].animated;
    if (animation === null) throw new Error('not bound');
    const rest = Float64Array.from(scene.nodes.rest.slice(10));
    const clock = { origin: 0, codesPerSecond: 1 };
    expect(jointTracks(scene.stage, definition, animation, rest, clock, makeKeyBudget(), [])).toEqual([]);
  });
});
