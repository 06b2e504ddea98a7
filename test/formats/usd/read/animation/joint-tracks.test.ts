import { describe, expect, it } from 'vitest';
import { jointTracks } from '../../../../../src/formats/usd/read/animation/joint-tracks.ts';
import { createKeyLimit } from '../../../../../src/formats/usd/read/animation/key-limit.ts';
import { readUsdScene } from '../../../../../src/formats/usd/read/read-usd-scene.ts';
import { openStage } from '../../../../../src/formats/usd/stage/open-stage.ts';
import { parseUsda } from '../../../../../src/formats/usd/text/parse-usda.ts';
import { messagesOf } from '../../skel/scene.ts';
import { animated, animationText, HEAD, skeletonText, tracksOf } from '../clip-scene.ts';

const UNDER_1 = 1 - 2 ** -24;

function tracks(...attributes: readonly string[]): unknown {
  const asset = animated(...attributes);
  return tracksOf(asset, asset.clips[0]);
}

describe('jointTracks', () => {
  it('keeps the times of each attribute; constant values have one key, values at rest none', () => {
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

  it('creates a pose from an animation with default values only', () => {
    expect(tracks('half3[] scales = [(2, 2, 2), (1, 1, 1)]')).toEqual({ 'A scale': ['LINEAR', [0], [2, 2, 2]] });
  });

  it.each([
    ['half3[] scales = None', 'scales', 'scale 1 was used'],
    ['quatf[] rotations = None', 'rotations', 'the rotations of the rest pose were used'],
  ])('reads an animation with %j, with an issue that names the attribute', (block, name, used) => {
    const asset = animated(block, 'float3[] translations.timeSamples = { 0: [(1, 2, 3), (0, 5, 0)] }');
    expect(tracksOf(asset, asset.clips[0])).toEqual({
      'A translation': ['LINEAR', [0], [1, 2, 3]],
      'B translation': ['LINEAR', [0], [0, 5, 0]],
    });
    expect(messagesOf(asset.issues)).toContainEqual(
      expect.stringContaining(
        `/Root/Anim has no \`${name}\`. UsdSkel needs translations, rotations and scales; ${used}.`,
      ),
    );
  });

  it('returns no tracks if the array sizes do not match, with an issue', () => {
    const asset = animated('float3[] translations.timeSamples = { 0: [(1, 2, 3)], 1: [(1, 2, 4)] }');
    expect(tracksOf(asset, asset.clips[0])).toEqual({});
    expect(messagesOf(asset.issues)).toContainEqual(
      expect.stringMatching(
        /^SkelAnimation \/Root\/Anim has invalid joint transforms: .*1 translations, 2 rotations and 2 scales.* The rest pose is used instead\./,
      ),
    );
  });

  it('returns to the rest pose while one of the attributes is blocked', () => {
    const found = tracks(
      'float3[] translations.timeSamples = { 0: [(1, 0, 0), (0, 0, 0)], 1: None, 2: [(3, 0, 0), (0, 0, 0)], 3: [(4, 0, 0), (0, 0, 0)] }',
      'half3[] scales.timeSamples = { 0: [(1, 1, 1), (1, 1, 1)], 2: [(3, 3, 3), (1, 1, 1)] }',
    ) as Record<string, [string, number[], number[]]>;
    expect(Object.keys(found)).toEqual(['A translation', 'A scale']);
    const [interpolation, times, values] = found['A translation'];
    expect(interpolation).toBe('LINEAR');
    expect(times).toEqual([0, UNDER_1, 1, 2 - 2 ** -23, 2, 3]);
    // Constant up to the block, then at rest.
    expect(values.filter((_, i) => i % 3 === 0)).toEqual([1, 1, 0, 0, 3, 4]);
    // Scales are interpolated up to the block.
    const scales = found['A scale'][2].filter((_, i) => i % 3 === 0);
    expect(scales.map((scale) => Math.round(scale * 1000) / 1000)).toEqual([1, 2, 1, 1, 3, 3]);
  });

  it('creates STEP tracks for a stage without interpolation', () => {
    const skeleton = skeletonText('Skel', ['A'], 'rel skel:animationSource = </Anim>');
    const text = `${HEAD}${skeleton}${animationText('Anim', ['A'], 'float3[] translations.timeSamples = { 0: [(1, 0, 0)], 1: [(2, 0, 0)] }')}`;
    const scene = readUsdScene(openStage(parseUsda(text), { interpolation: 'held' }));
    const { definition, animation } = scene.skeletons[0].animated;
    if (animation === null) throw new Error('not bound');
    const rest = new Float64Array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    const timeCodes = { origin: 0, perSecond: 1 };
    const found = jointTracks(
      { stage: scene.stage, timeCodes, keyLimit: createKeyLimit(), issues: [] },
      definition,
      animation,
      rest,
    );
    expect(found.map(({ interpolation, path }) => [interpolation, path])).toEqual([['STEP', 'translation']]);
  });

  it('reads zero quaternions as the identity, as UsdSkel does', () => {
    expect(tracks('quatf[] rotations = [(0, 0, 0, 0), (0, 0, 0, 2)]')).toEqual({
      'B rotation': ['LINEAR', [0], [0, 0, 1, 0]],
    });
  });

  it('treats scales that equal the rest pose in half precision as at rest', () => {
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
    const timeCodes = { origin: 0, perSecond: 1 };
    expect(
      jointTracks(
        { stage: scene.stage, timeCodes, keyLimit: createKeyLimit(), issues: [] },
        definition,
        animation,
        rest,
      ),
    ).toEqual([]);
  });
});
