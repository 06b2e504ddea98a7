import { expect, it } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import type { Asset, MorphTrack } from '../../../src/core/asset/asset.ts';
import { limitAsset } from '../../../src/core/asset/limit-asset.ts';
import { tinyHumanoid } from '../../support/make/tiny-humanoid.ts';

const { skeleton } = tinyHumanoid({ name: 'hips' }, { name: 'spine', parent: 'hips' });

function track(path: Track['path'], times: number[], values: number[], change: Partial<Track> = {}): Track {
  return {
    target: 0,
    path,
    interpolation: 'LINEAR',
    times: Float32Array.from(times),
    values: Float32Array.from(values),
    ...change,
  };
}

function assetOf(tracks: readonly Track[], change: Partial<Asset> = {}, morphs: readonly MorphTrack[] = []): Asset {
  const clip = { name: 'walk', duration: 5, tracks };
  return {
    format: 'gltf',
    metersPerUnit: 1,
    up: null,
    skeletons: [{ skeleton, sourceNodes: Int32Array.of(0, 1), declared: null }],
    clips: [{ name: 'walk', duration: 5, clips: [clip], morphs, otherChannels: 0 }],
    issues: [],
    ...change,
  };
}

function tracksOf(asset: Asset): readonly Track[] {
  return asset.clips[0].clips[0].tracks;
}

it('limitAsset: returns the same asset when all numbers are in range', () => {
  const asset = assetOf([track('translation', [0, 5], [0, 1e9, 0, 1, 2, 3]), track('scale', [0], [1, 0, 1])]);
  expect(limitAsset(asset)).toBe(asset);
});

it('limitAsset: returns the same asset for a spline with steep tangents', () => {
  const spline = [0, 0, 0, 0, 0, 0, 0, 1, 30, 0, 0, 9, 30, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 0];
  const asset = assetOf([track('rotation', [0, 1], spline, { interpolation: 'CUBICSPLINE' })]);
  expect(limitAsset(asset)).toBe(asset);
});

it('limitAsset: leaves out keys that are too late or too large, and tracks without keys', () => {
  const far = track('translation', [0, 1, 1e37], [0, 0, 0, 1e10, 0, 0, 2, 0, 0]);
  const asset = limitAsset(assetOf([far, track('scale', [1e6], [1, 1, 1]), track('rotation', [1], [0, 0, 0, 1])]));
  expect(tracksOf(asset).map(({ path, times }) => [path, [...times]])).toEqual([
    ['translation', [0]],
    ['rotation', [1]],
  ]);
  expect(asset.issues.map(({ code, message }) => [code, message.includes('2 tracks')])).toEqual([
    ['NUMBERS_OUT_OF_RANGE', true],
  ]);
});

it('limitAsset: leaves out keys before time 0', () => {
  const early = track('translation', [Number.NEGATIVE_INFINITY, 1], [0, 0, 0, 1, 2, 3]);
  const [{ times, values }] = tracksOf(limitAsset(assetOf([early])));
  expect([[...times], [...values]]).toEqual([[1], [1, 2, 3]]);
});

it('limitAsset: sets tangents out of range and scales that are almost 0 to 0', () => {
  const values = [0, 0, 0, 1, 1, 1e-20, 3e38, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0];
  const [limited] = tracksOf(limitAsset(assetOf([track('scale', [0, 1], values, { interpolation: 'CUBICSPLINE' })])));
  expect([...limited.values]).toEqual(values.map((value) => (value === 1e-20 || value === 3e38 ? 0 : value)));
});

it('limitAsset: makes a cubic track with one key left a STEP track', () => {
  const values = [0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0];
  const [limited] = tracksOf(
    limitAsset(assetOf([track('translation', [0, 1e6], values, { interpolation: 'CUBICSPLINE' })])),
  );
  expect([limited.interpolation, ...limited.values]).toEqual(['STEP', 1, 2, 3]);
});

it('limitAsset: leaves out the scale of nodes whose product with the nodes above is out of range', () => {
  const large = [1e6, 1, 1];
  const asset = limitAsset(assetOf([track('scale', [0], large), track('scale', [0], large, { target: 1 })]));
  expect(tracksOf(asset).map(({ target }) => target)).toEqual([0]);
});

it('limitAsset: keeps scales whose splines have steep tangents and small values', () => {
  const squash = [-1e6, -1e6, -1e6, 1, 1, 1, 1e6, 1e6, 1e6];
  const spline = { interpolation: 'CUBICSPLINE' } as const;
  const keys = [...squash, ...squash];
  const tracks = [0, 1].map((target) => track('scale', [0, 1e-3], keys, { ...spline, target }));
  const asset = assetOf(tracks);
  expect(limitAsset(asset)).toBe(asset);
  // The same for a long interval without tangents after it.
  const flat = [0, 0, 0, 1, 1, 1, 0, 0, 0];
  const held = [...squash, ...squash.slice(0, 6), ...flat.slice(6), ...flat];
  const longer = assetOf([0, 1].map((target) => track('scale', [0, 1e-3, 100], held, { ...spline, target })));
  expect(limitAsset(longer)).toBe(longer);
  const slow = [0, 1].map((target) => track('scale', [0, 1], keys, { ...spline, target }));
  expect(tracksOf(limitAsset(assetOf(slow))).map(({ target }) => target)).toEqual([0]);
});

it('limitAsset: limits morph weights, the bind pose and the unit', () => {
  const morph: MorphTrack = {
    sourceNode: 0,
    nodeName: '',
    targetCount: 1,
    interpolation: 'LINEAR',
    times: Float32Array.of(0, 1),
    values: Float32Array.of(0.5, 3e38),
  };
  const bind = new Float64Array(32).fill(1e300);
  const asset = limitAsset(
    assetOf([], {
      metersPerUnit: 1e300,
      skeletons: [{ skeleton: { ...skeleton, bind }, sourceNodes: Int32Array.of(0, 1), declared: null }],
      clips: assetOf([], {}, [morph]).clips,
    }),
  );
  expect([...asset.clips[0].morphs[0].values]).toEqual([0.5]);
  expect([asset.metersPerUnit, asset.skeletons[0].skeleton.bind]).toEqual([null, null]);
});
