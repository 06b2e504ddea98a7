import { describe, expect, it } from 'vitest';
import { localToModelMatrices } from '../../../../../src/core/skeleton/pose.ts';
import { makeLayer } from '../../../../../src/formats/usd/author/author-prims.ts';
import { roundToHalf } from '../../../../../src/formats/usd/layer/half.ts';
import { numbersOf, textsOf } from '../../../../../src/formats/usd/skel/typed-values.ts';
import { attributeValue, timeSamplesOf } from '../../../../../src/formats/usd/stage/attribute-values.ts';
import { openStage } from '../../../../../src/formats/usd/stage/open-stage.ts';
import type { Stage } from '../../../../../src/formats/usd/stage/stage.ts';
import { serializeUsda } from '../../../../../src/formats/usd/text/serialize-usda.ts';
import {
  halfRoundingError,
  roundScalesToHalf,
  type SkelMotion,
  writeSkelAnimation,
} from '../../../../../src/formats/usd/write/animation/write-skel-animation.ts';
import { USD_STAGE_F64 } from '../../../../support/tolerances.ts';
import { track } from '../small-geometry.ts';

const CODES = { origin: 10, perSecond: 2 };
const pose = (y: number, scale = 1): number[] => [0, y, 0, 0, 0, 0, 1, scale, scale, scale];

/** A motion of two joints, the second below the first. */
function motionOf(more: Partial<SkelMotion> = {}): SkelMotion {
  const still = {
    joints: ['a', 'a/b'],
    parents: [-1, 0],
    rest: [...pose(0), ...pose(2)],
    tracks: [undefined, undefined],
  };
  return { ...still, blendShapes: [], weights: [], duration: 3, ...more };
}

function stageOf(motion: SkelMotion): Stage {
  const layer = makeLayer({});
  writeSkelAnimation(layer, '/Walk', 'a walk', motion, CODES);
  return openStage(layer);
}

const at = (stage: Stage, name: string, time: number, width: number): number[] => {
  return Array.from(numbersOf(attributeValue(stage, '/Walk', name, time), width) ?? []);
};
const timesOf = (stage: Stage, name: string): number[] => Array.from(timeSamplesOf(stage, '/Walk', name));

describe('writeSkelAnimation', () => {
  it('writes all joints in all three properties, each at its own times', () => {
    const lift = track(0, 'translation', [0, 1, 3], [0, 2, 0, 0, 4, 0, 0, 2, 0]);
    const spin = track(0, 'rotation', [0, 2], [0, 0, 0, 1, 0, 0, 1, 0]);
    const stage = stageOf(motionOf({ tracks: [{ rotation: spin }, { translation: lift }] }));
    expect(textsOf(attributeValue(stage, '/Walk', 'joints', 'default'))).toEqual(['a', 'a/b']);
    expect(timesOf(stage, 'translations')).toEqual([10, 12, 16]);
    expect(timesOf(stage, 'rotations')).toEqual([10, 14]);
    expect(timesOf(stage, 'scales')).toEqual([10, 16]);
    expect(at(stage, 'translations', 12, 3)).toEqual([0, 0, 0, 0, 4, 0]);
    expect(at(stage, 'rotations', 14, 4)).toEqual([0, 0, 1, 0, 0, 0, 0, 1]);
    expect(at(stage, 'scales', 16, 3)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('writes two samples without a duration, because some renderers do not skin a single sample', () => {
    expect(timesOf(stageOf(motionOf({ duration: 0 })), 'rotations')).toEqual([10, 11]);
  });

  it('omits unanimated joints whose scale half precision cannot store', () => {
    const rest = [...pose(0, 0.01), ...pose(2)];
    expect(textsOf(attributeValue(stageOf(motionOf({ rest })), '/Walk', 'joints', 'default'))).toEqual(['a/b']);
    const none = stageOf(motionOf({ joints: ['a'], parents: [-1], rest: pose(0, 0.01), tracks: [undefined] }));
    expect(attributeValue(none, '/Walk', 'joints', 'default')).toBeNull();
  });

  it('rounds animated scales to half precision and keeps the positions of child joints', () => {
    const grow = track(0, 'scale', [0, 1], [1, 1, 1, 1.0003, 1.0003, 1.0003]);
    const stage = stageOf(motionOf({ tracks: [{ scale: grow }, undefined] }));
    // Half-precision numbers near 1 are 2^-10 apart.
    expect(at(stage, 'scales', 12, 3).slice(0, 3)).toEqual([1, 1, 1]);
    expect(at(stage, 'translations', 12, 3)[4]).toBeCloseTo(2 * 1.0003, 6);
  });

  it('writes blend shape weights, with the static weights as the default value', () => {
    const keys = { interpolation: 'LINEAR', times: Float64Array.of(0, 1), values: Float64Array.of(0, 1) } as const;
    const smile = { sourceNode: 0, nodeName: '', targetCount: 1, ...keys };
    const weights = [
      { track: smile, target: 0, weight: 0.25 },
      { track: undefined, target: 0, weight: 0.5 },
    ];
    const face = { joints: [], parents: [], rest: [], tracks: [], blendShapes: ['smile', 'blink'] };
    const stage = stageOf(motionOf({ ...face, weights }));
    expect(textsOf(attributeValue(stage, '/Walk', 'blendShapes', 'default'))).toEqual(['smile', 'blink']);
    expect(at(stage, 'blendShapeWeights', 11, 1)).toEqual([0.5, 0.5]);
    expect(Array.from(numbersOf(attributeValue(stage, '/Walk', 'blendShapeWeights', 'default'), 1) ?? [])).toEqual([
      0.25, 0.5,
    ]);
    expect(attributeValue(stage, '/Walk', 'joints', 'default')).toBeNull();
    expect(timesOf(stageOf(motionOf({ ...face, weights: [weights[1], weights[1]] })), 'blendShapeWeights')).toEqual([]);
  });

  it('writes the name of the clip as displayName', () => {
    const layer = makeLayer({});
    writeSkelAnimation(layer, '/Walk', 'a walk', motionOf(), CODES);
    expect(serializeUsda(layer)).toContain('displayName = "a walk"');
  });
});

const PARENTS = Int32Array.of(-1, 0, 1);
/** A scale of 0.01 above bones of length 100, bent. */
const POSE = Float64Array.of(
  ...[1, 2, 3, 0, 0, 0, 1, 0.01, 0.01, 0.01],
  ...[0, 100, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2, 1.0007, 0.9991, 1],
  ...[0, 100, 0, 0, 0, 0, 1, 1, 1, -1],
);

describe('scales in half precision', () => {
  it('roundScalesToHalf: keeps the position of every joint', () => {
    const pose = POSE.slice();
    roundScalesToHalf(pose, PARENTS, [1, 1, 1]);
    const [expected, actual] = [POSE, pose].map((local) => {
      const worlds = new Float64Array(48);
      localToModelMatrices(worlds, PARENTS, local);
      return worlds;
    });
    for (const joint of [0, 1, 2]) {
      const error = [12, 13, 14].map((c) => Math.abs(expected[16 * joint + c] - actual[16 * joint + c]));
      expect(Math.max(...error)).toBeLessThan(USD_STAGE_F64);
      const sizes = [7, 8, 9].map((c) => pose[10 * joint + c]);
      expect(sizes).toEqual(sizes.map(roundToHalf));
    }
    expect(pose[29]).toBe(-1);
    expect(Math.abs(expected[32] - actual[32])).toBeLessThan(0.01 * 2 ** -10);
  });

  it('roundScalesToHalf: does not change joints that are not kept', () => {
    const pose = POSE.slice();
    roundScalesToHalf(pose, PARENTS, [0, 1, 1]);
    expect(Array.from(pose.subarray(0, 10))).toEqual(Array.from(POSE.subarray(0, 10)));
  });

  it('halfRoundingError: returns the relative error', () => {
    expect(halfRoundingError(0)).toBe(0);
    expect(halfRoundingError(0.5)).toBe(0);
    expect(halfRoundingError(0.01)).toBeGreaterThan(1e-4);
  });
});
