import { describe, expect, it } from 'vitest';
import type { Track } from '../../../../../src/core/animation/clip.ts';
import { sampleTrack } from '../../../../../src/core/animation/sample.ts';
import { createKeyLimit } from '../../../../../src/formats/usd/read/animation/key-limit.ts';
import { type PrimTrack, primTracks } from '../../../../../src/formats/usd/read/animation/prim-tracks.ts';
import { openStage } from '../../../../../src/formats/usd/stage/open-stage.ts';
import { parseUsda } from '../../../../../src/formats/usd/text/parse-usda.ts';
import { expectNear, expectSameRotation } from '../../../../support/near.ts';
import { aboutAxis } from '../../../../support/reference/plain.ts';
import { USD_QUATF, USD_RESAMPLED } from '../../../../support/tolerances.ts';

const REST = new Float64Array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);

function tracks(ops: readonly string[], attributes: string, interpolation: 'linear' | 'held' = 'linear'): PrimTrack[] {
  const order = `token[] xformOpOrder = [${ops.map((op) => `"${op}"`).join(', ')}]`;
  const stage = openStage(parseUsda(`#usda 1.0\ndef Xform "P" {\n ${attributes}\n ${order}\n}`), { interpolation });
  return primTracks({ stage, timeCodes: { origin: 0, perSecond: 1 }, keyLimit: createKeyLimit() }, '/P', REST, 0, 1);
}

function at(track: PrimTrack, time: number): number[] {
  const out = new Float64Array(track.path === 'rotation' ? 4 : 3);
  sampleTrack({ ...track, target: 0 } as Track, time, out, 0);
  return [...out];
}

describe('primTracks', () => {
  it('keeps the samples of translate, orient and scale ops', () => {
    const found = tracks(
      ['xformOp:translate', 'xformOp:orient', 'xformOp:scale:a'],
      `double3 xformOp:translate.timeSamples = { 0: (1, 2, 3), 1: (2, 2, 3) }
 quatf xformOp:orient.timeSamples = { 0: (1, 0, 0, 0), 2: (0, 3, 0, 0) }
 float3 xformOp:scale:a.timeSamples = { 0: (1, 1, 1), 2: (1, 1, 1) }`,
    );
    expect(found.map(({ path, times, values }) => [path, [...times], [...values]])).toEqual([
      ['translation', [0, 1], [1, 2, 3, 2, 2, 3]],
      ['rotation', [0, 2], [0, 0, 0, 1, 1, 0, 0, 0]],
    ]);
  });

  it('resamples Euler angles over a full turn', () => {
    const [rotation] = tracks(
      ['xformOp:rotateXYZ'],
      'float3 xformOp:rotateXYZ.timeSamples = { 0: (0, 0, 0), 1: (0, 360, 0) }',
    );
    expect(rotation.path).toBe('rotation');
    for (const time of [0.25, 0.375, 0.5]) {
      expectSameRotation(at(rotation, time), aboutAxis([0, 1, 0], 2 * Math.PI * time), USD_RESAMPLED);
    }
  });

  it('resamples matrices that USD interpolates by component', () => {
    const rotated = '((0, 1, 0, 0), (-1, 0, 0, 0), (0, 0, 1, 0), (2, 0, 0, 1))';
    const found = tracks(
      ['xformOp:transform'],
      `matrix4d xformOp:transform.timeSamples = { 0: ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)), 1: ${rotated} }`,
    );
    const byPath = Object.fromEntries(found.map((track) => [track.path, track]));
    expectNear(at(byPath['translation'], 0.5), [1, 0, 0], USD_QUATF);
    expectSameRotation(at(byPath['rotation'], 0.5), aboutAxis([0, 0, 1], Math.PI / 4), USD_RESAMPLED);
    // Interpolating the components shrinks the matrix halfway.
    expectNear(at(byPath['scale'], 0.5), [Math.SQRT1_2, Math.SQRT1_2, 1], USD_RESAMPLED);
  });

  it('jumps where an op is blocked', () => {
    const [translation] = tracks(
      ['xformOp:translate', '!invert!xformOp:translate:pivot'],
      `double3 xformOp:translate.timeSamples = { 0: (1, 0, 0), 1: None }
 double3 xformOp:translate:pivot = (0, 0, 0)`,
    );
    expectNear(at(translation, 0.9), [1, 0, 0], USD_QUATF);
    expectNear(at(translation, 1), [0, 0, 0], USD_QUATF);
  });

  it('creates STEP tracks for a stage without interpolation', () => {
    const [rotation] = tracks(['xformOp:rotateY'], 'float xformOp:rotateY.timeSamples = { 0: 90, 1: 45 }', 'held');
    expect([rotation.interpolation, ...rotation.times]).toEqual(['STEP', 0, 1]);
    expectSameRotation(at(rotation, 0.9), aboutAxis([0, 1, 0], Math.PI / 2), USD_QUATF);
  });

  it('returns no tracks without samples', () => {
    expect(tracks(['xformOp:translate'], 'double3 xformOp:translate = (1, 2, 3)')).toEqual([]);
  });
});
