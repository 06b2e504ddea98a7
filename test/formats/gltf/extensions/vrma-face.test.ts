import { describe, expect, it } from 'vitest';
import type { Interpolation, Track } from '../../../../src/core/animation/clip.ts';
import type { Asset } from '../../../../src/core/asset/asset.ts';
import { concatParts, parseGltf, readGltf, serializeGltf } from '../../../../src/formats/gltf/index.ts';
import { appendClips } from '../../../../src/formats/gltf/write/write-clips.ts';
import { documentOf } from '../../../support/make/glb.ts';
import { kinds, NODES, node, REQUIRED } from './vrm-files.ts';

const HAPPY = NODES.length;
const SMIRK = HAPPY + 1;
const LOOK_AT = HAPPY + 2;
const extraNodes = [{ name: 'happy' }, { name: 'smirk' }, { name: 'lookAt' }];
const FACE = {
  expressions: { preset: { happy: { node: HAPPY } }, custom: { smirk: { node: SMIRK } } },
  lookAt: { node: LOOK_AT, offsetFromHeadBone: [0, 0.06, 0.02] },
};

function readFile(face: object, tracks: readonly Track[]): Asset {
  const extension = { ...kinds.vrma(REQUIRED).VRMC_vrm_animation, ...face };
  const doc = documentOf({ nodes: [...NODES, ...extraNodes], extensions: { VRMC_vrm_animation: extension } });
  const sourceNodes = Int32Array.from({ length: LOOK_AT + 1 }, (_, i) => i);
  if (tracks.length > 0) appendClips(doc, [{ name: 'a', clip: { name: 'a', duration: 1, tracks }, sourceNodes }]);
  return readGltf(parseGltf(concatParts(serializeGltf(doc).parts)));
}

const weights = (target: number, values: number[], interpolation: Interpolation = 'LINEAR'): Track => {
  const count = interpolation === 'CUBICSPLINE' ? values.length / 3 : values.length;
  const times = Float32Array.from({ length: count }, (_, k) => k / 2);
  const translations = Float32Array.from(values.flatMap((value) => [value, 7, -3]));
  return { target, path: 'translation', interpolation, times, values: translations };
};
const turn = (target: number): Track => ({
  target,
  path: 'rotation',
  interpolation: 'STEP',
  times: Float32Array.of(0, 1),
  values: Float32Array.of(0, 0, 0, 1, 0, 0.6, 0, 0.8),
});

describe('face of a VRMA', () => {
  it('consists of expressions, weighted by x, and a look-at, without a skeleton', () => {
    const asset = readFile(FACE, [weights(HAPPY, [0, 0.5, 1]), weights(SMIRK, [1, 0], 'STEP'), turn(LOOK_AT)]);
    expect(asset.issues).toEqual([]);
    const [{ expressions, lookAt, clips, otherChannels, duration }] = asset.clips;
    expect(expressions).toEqual([
      {
        name: 'happy',
        sourceNode: HAPPY,
        interpolation: 'LINEAR',
        times: Float32Array.of(0, 0.5, 1),
        values: Float64Array.of(0, 0.5, 1),
      },
      {
        name: 'smirk',
        sourceNode: SMIRK,
        interpolation: 'STEP',
        times: Float32Array.of(0, 0.5),
        values: Float64Array.of(1, 0),
      },
    ]);
    expect(lookAt).toMatchObject({ sourceNode: LOOK_AT, interpolation: 'STEP', offsetFromHeadBone: [0, 0.06, 0.02] });
    expect([...(lookAt?.values ?? [])].map((value) => Math.round(value * 10) / 10)).toEqual([
      0, 0, 0, 1, 0, 0.6, 0, 0.8,
    ]);
    expect(clips.flatMap(({ tracks }) => tracks)).toEqual([]);
    expect([otherChannels, duration]).toEqual([0, 1]);
  });

  it('keeps the tangents of cubic splines', () => {
    const asset = readFile(FACE, [weights(HAPPY, [0, 0.25, 1, 2, 0.5, 0], 'CUBICSPLINE')]);
    expect([...(asset.clips[0].expressions?.[0].values ?? [])]).toEqual([0, 0.25, 1, 2, 0.5, 0]);
  });

  it('does not change bones, nor clips without a face', () => {
    const [clip] = readFile(FACE, [turn(node('spine'))]).clips;
    expect(clip.clips[0].tracks).toHaveLength(1);
    expect('expressions' in clip || 'lookAt' in clip).toBe(false);
  });

  it('reports entries without an existing node, and a node with two expressions', () => {
    const preset = { happy: { node: 999 }, sad: null, angry: { node: HAPPY } };
    const asset = readFile({ expressions: { preset, custom: { smirk: { node: HAPPY } } }, lookAt: { node: -1 } }, []);
    expect(asset.issues.map(({ code, where }) => [code, where?.pointer])).toEqual([
      ['VRM_FACE', '/extensions/VRMC_vrm_animation/expressions/preset/happy'],
      ['VRM_FACE', '/extensions/VRMC_vrm_animation/expressions/preset/sad'],
      ['VRM_FACE', '/extensions/VRMC_vrm_animation/expressions/custom/smirk'],
      ['VRM_FACE', '/extensions/VRMC_vrm_animation/lookAt'],
    ]);
  });

  it.each([
    { expressions: null, lookAt: null },
    { expressions: [], lookAt: [] },
    { expressions: { preset: 3, custom: 'a' }, lookAt: 5 },
    { expressions: { preset: { constructor: { node: HAPPY } } }, lookAt: { offsetFromHeadBone: [1, 2] } },
  ])('ignores malformed faces: %j', (face) => {
    expect(readFile(face, [weights(HAPPY, [0, 1]), turn(LOOK_AT)]).clips).toHaveLength(1);
  });
});
