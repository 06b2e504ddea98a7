import { describe, expect, it } from 'vitest';
import { readUsdAsset } from '../../../../../src/formats/usd/read/read-usd-asset.ts';
import { readUsdScene } from '../../../../../src/formats/usd/read/read-usd-scene.ts';
import { stageOf } from '../../skel/scene.ts';
import { animationText, assetOf, HEAD, skeletonText, tracksOf } from '../clip-scene.ts';

const MOVE = 'float3[] translations.timeSamples = { 1: [(1, 0, 0)], 3: [(2, 0, 0)] }';
const WALK = animationText('Walk', ['A'], MOVE);
const IDLE = animationText('Idle', ['A']);
const DRIFT =
  'double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 4: (0, 0, 8) }\n token[] xformOpOrder = ["xformOp:translate"]';
const BOUND = skeletonText('S', ['A'], 'rel skel:animationSource = </R/Walk>');

describe('readAnimations', () => {
  it('animates the prims above a skeleton in the clip of the bound animation', () => {
    const asset = assetOf(`def SkelRoot "R" {\n ${DRIFT}${BOUND}${IDLE}${WALK}}`);
    expect(asset.clips.map(({ name, duration }) => [name, duration])).toEqual([
      ['Walk', 4],
      ['Idle', 0],
    ]);
    expect(tracksOf(asset, asset.clips[0])).toEqual({
      'R translation': ['LINEAR', [0, 4], [0, 0, 0, 0, 0, 8]],
      'A translation': ['LINEAR', [1, 3], [1, 0, 0, 2, 0, 0]],
    });
    expect(tracksOf(asset, asset.clips[1])).toEqual({});
  });

  it('shares keys between animations that inherit the same values', () => {
    const heirs = ['Own', 'Two', 'One'].map((name, k) => {
      const own = k === 0 ? 'float3[] translations.timeSamples = { 1: [(5, 0, 0)], 3: [(2, 0, 0)] }' : '';
      return `def SkelAnimation "${name}" (inherits = </Template>) {\n${own}\n}\n`;
    });
    const template = WALK.replace('def SkelAnimation "Walk"', 'class SkelAnimation "Template"');
    const asset = assetOf(`${template}def SkelRoot "R" {${skeletonText('S', ['A'])}${heirs.join('')}}`);
    expect(asset.clips.map(({ name }) => name)).toEqual(['Own', 'Two', 'One']);
    const [own, two, one] = asset.clips.map(({ clips: [{ tracks }] }) => tracks[0]);
    expect(one.values).toBe(two.values);
    expect([...one.values, ...own.values]).toEqual([1, 0, 0, 2, 0, 0, 5, 0, 0, 2, 0, 0]);
  });

  it('adds no joint keys at the times of blend shape weights', () => {
    const gaps = 'float3[] translations.timeSamples = { 1: [(1, 0, 0)], 3: None }';
    const weights =
      'uniform token[] blendShapes = ["x"]\n float[] blendShapeWeights.timeSamples = { 0: [0], 1.5: [1], 2: [0] }';
    const asset = assetOf(`def SkelRoot "R" {${BOUND}${animationText('Walk', ['A'], gaps, weights)}}`);
    const alone = assetOf(`def SkelRoot "R" {${BOUND}${animationText('Walk', ['A'], gaps)}}`);
    expect(tracksOf(asset, asset.clips[0])).toEqual(tracksOf(alone, alone.clips[0]));
  });

  it('keeps one rest key per joint of a clip that never leaves the rest pose', () => {
    const still = 'quatf[] rotations.timeSamples = { 0: [(1, 0, 0, 0)], 4: [(1, 0, 0, 0)] }';
    const asset = assetOf(`def SkelRoot "R" {${BOUND}${WALK}${animationText('Pose', ['A'], still)}}`);
    expect([asset.clips[1].name, asset.clips[1].duration]).toEqual(['Pose', 4]);
    expect(tracksOf(asset, asset.clips[1])).toEqual({
      'A translation': ['LINEAR', [0], [0, 0, 0]],
      'A rotation': ['LINEAR', [0], [0, 0, 0, 1]],
      'A scale': ['LINEAR', [0], [1, 1, 1]],
    });
  });

  it('animates prims in an unnamed clip if no animation is bound', () => {
    const asset = assetOf(`def SkelRoot "R" {\n ${DRIFT}${skeletonText('S', ['A'])}${WALK}}`);
    expect(asset.clips.map(({ name }) => name)).toEqual(['', 'Walk']);
    expect(Object.keys(tracksOf(asset, asset.clips[0]))).toEqual(['R translation']);
    expect(Object.keys(tracksOf(asset, asset.clips[1]))).toEqual(['A translation']);
  });

  it('counts other animated attributes in the first clip', () => {
    const asset = assetOf(`def SkelRoot "R" {
  token visibility.timeSamples = { 0: "inherited", 1: "invisible" }${BOUND}${WALK}${IDLE}
  def Mesh "M" {
    point3f[] points.timeSamples = { 0: [(0, 0, 0)], 1: [(1, 0, 0)] }
    ${DRIFT}
  }
}`);
    expect(asset.clips.map(({ otherChannels }) => otherChannels)).toEqual([3, 0]);
  });

  it('starts at the startTimeCode of the stage', () => {
    const text = `def SkelRoot "R" {${BOUND}${WALK}}`;
    const at = (metadata: string): unknown => {
      const { clips } = readUsdAsset(readUsdScene(stageOf(`#usda 1.0\n(\n ${metadata}\n)\n${text}`)));
      return [...clips[0].clips[0].tracks[0].times];
    };
    expect(at('startTimeCode = 1\n timeCodesPerSecond = 2')).toEqual([0, 1]);
    expect(at('startTimeCode = 2\n timeCodesPerSecond = 1')).toEqual([1, 3]);
  });

  it('returns only the names of unwanted clips', () => {
    const scene = readUsdScene(stageOf(`${HEAD}def SkelRoot "R" {${BOUND}${WALK}${IDLE}}`));
    const { clips } = readUsdAsset(scene, { wantsClip: (name) => name === 'Idle' });
    expect(clips[0]).toEqual({
      name: 'Walk',
      duration: 0,
      clips: [{ name: 'Walk', duration: 0, tracks: [] }],
      morphs: [],
      otherChannels: 0,
    });
  });

  it('shares keys between instances', () => {
    const instance = (name: string): string => `def "${name}" (instanceable = true\n references = </Proto>) {\n}\n`;
    const proto = `class SkelRoot "Proto" {${skeletonText('S', ['A'], 'rel skel:animationSource = </Proto/Walk>')}${WALK}}\n`;
    const { clips } = assetOf(proto + instance('One') + instance('Two'));
    expect(clips).toHaveLength(1);
    const [one, two] = clips[0].clips.map(({ tracks }) => tracks[0]);
    expect(one.values.length).toBe(6);
    expect(one.values).toBe(two.values);
  });
});
