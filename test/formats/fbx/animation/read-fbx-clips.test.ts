import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Track } from '../../../../src/core/animation/clip.ts';
import { sampleTrack } from '../../../../src/core/animation/sample.ts';
import type { Asset, AssetClip, ReadClipsOptions } from '../../../../src/core/asset/asset.ts';
import { DEGREE, fromEuler } from '../../../../src/core/math/euler.ts';
import * as mat4 from '../../../../src/core/math/mat4.ts';
import * as quat from '../../../../src/core/math/quat.ts';
import { evaluateCurve } from '../../../../src/formats/fbx/animation/fbx-curve.ts';
import {
  channelKey,
  type FbxTake,
  type TakeReader,
  ticksPerSecond,
} from '../../../../src/formats/fbx/animation/fbx-take.ts';
import { readAnimationCurve } from '../../../../src/formats/fbx/animation/read-animation-curve.ts';
import { listTakes, readTake } from '../../../../src/formats/fbx/animation/read-fbx-clips.ts';
import type { FbxRecord } from '../../../../src/formats/fbx/document/fbx-tree.ts';
import { type FbxScene, readScene } from '../../../../src/formats/fbx/nodes/fbx-scene.ts';
import { readFbx, readFbxTree } from '../../../../src/formats/fbx/read-fbx.ts';
import { asset, HAS_ASSETS } from '../../../support/assets.ts';
import { IS_FULL_RUN, lawRuns } from '../../../support/law-runs.ts';
import { columns, localTransform, type NodeValues } from '../../../support/reference/fbx-transform.ts';
import { KEY_TIME_ROUNDING, RESAMPLED_RADIANS, RESAMPLED_SCALE, RESAMPLED_SIZE } from '../../../support/tolerances.ts';
import { validateClip } from '../../../support/validate-clip.ts';
import {
  animation,
  curveRecord,
  type DrawnChannel,
  type DrawnCurve,
  type DrawnStack,
  FLAGS,
  SECOND,
  ticks,
} from '../fbx-animation.ts';
import { rec } from '../fbx-bytes.ts';
import { model, sceneOf, treeOf, type Values } from '../fbx-scene.ts';

/** The height of the two bones that tests animate. */
const HEIGHT = 100;

/** Hips (1) and a bone above them (2), animated. */
function readStacks(
  stacks: readonly DrawnStack[],
  { hips = {}, spine = {}, options = {} }: { hips?: Values; spine?: Values; options?: ReadClipsOptions } = {},
): Asset {
  const { objects, connections } = animation(stacks);
  const models = [
    model(1, 'Hips', 'LimbNode', hips),
    model(2, 'Spine', 'LimbNode', { 'Lcl Translation': [0, HEIGHT, 0], ...spine }),
    model(3, 'Camera', 'Camera'),
  ];
  return readFbxTree(
    treeOf({
      objects: [...models, ...objects],
      connections: [[1, 0], [2, 1], [3, 0], ...connections],
    }),
    options,
  );
}

const animate = (property: string, ...curves: readonly (DrawnCurve | null)[]): DrawnChannel => ({
  model: 1,
  property,
  curves,
});
const stackOf = (...channels: readonly DrawnChannel[]): DrawnStack => ({ layers: [{ channels }] });

const tracksOf = (clip: AssetClip): readonly Track[] => clip.clips[0].tracks;

/** Expects tracks of the hips to be within tolerance of curves, evaluated axis by axis, at many times. */
function expectOnCurves(clip: AssetClip, curves: readonly DrawnCurve[]): void {
  const exact = curves.map((curve) => readAnimationCurve(curveRecord(1, curve), SECOND, new Map())!);
  const [found, rotation] = [new Float64Array(4), new Float64Array(4)];
  const { times } = curves[0];
  for (let k = 0; k <= 311; k++) {
    const time = Math.fround((k / 311) * times[times.length - 1]);
    const [x, y, z] = exact.map((curve) => evaluateCurve(curve, time));
    for (const track of tracksOf(clip)) {
      sampleTrack(track, time, found, 0, 0);
      if (track.path === 'rotation') {
        fromEuler(rotation, 0, x, y, z, 'ZYX', DEGREE);
        expect(quat.angleBetween(found, 0, rotation, 0)).toBeLessThan(RESAMPLED_RADIANS + KEY_TIME_ROUNDING);
      } else {
        expect(Math.hypot(found[0] - x, found[1] - y, found[2] - z)).toBeLessThan(RESAMPLED_SIZE * HEIGHT);
      }
    }
  }
}

describe('readFbxClips', () => {
  it('returns one clip per stack, split by skeleton; names may repeat', () => {
    const turn = animate('Lcl Rotation', { times: [0, 1], values: [0, 30] });
    const { clips, issues } = readStacks([
      { name: 'a', ...stackOf(turn) },
      { name: 'none', layers: [] },
      { name: 'a', ...stackOf({ ...turn, model: 2 }) },
    ]);
    expect(issues).toEqual([]);
    expect(clips.map(({ name, duration }) => [name, duration])).toEqual([
      ['a', 1],
      ['a', 1],
    ]);
    expect(clips.map((clip) => tracksOf(clip).map(({ target, path }) => [target, path]))).toEqual([
      [[0, 'rotation']],
      [[1, 'rotation']],
    ]);
    for (const clip of clips) expect(validateClip(clip.clips[0], 2).reasons).toEqual([]);
  });

  it('returns only the name of clips that wantsClip rejects', () => {
    const turn = animate('Lcl Rotation', { times: [0, 1], values: [0, 30] });
    const asked: [string, number][] = [];
    const wantsClip = (name: string, index: number): boolean => {
      asked.push([name, index]);
      return index === 1;
    };
    const stacks = ['a', 'b'].map((name) => ({ name, ...stackOf(turn) }));
    const { clips } = readStacks(stacks, { options: { wantsClip } });
    expect(asked).toEqual([
      ['a', 0],
      ['b', 1],
    ]);
    expect(clips[0]).toEqual({
      name: 'a',
      duration: 0,
      clips: [{ name: 'a', duration: 0, tracks: [] }],
      morphs: [],
      otherChannels: 0,
    });
    expect(tracksOf(clips[1]).length).toBe(1);
  });

  it('needs no additional keys for a uniform rotation about one axis', () => {
    const { clips } = readStacks([stackOf(animate('Lcl Rotation', { times: [0, 0.5, 1], values: [0, 60, 0] }))]);
    const [{ times, values }] = tracksOf(clips[0]);
    expect([...times]).toEqual([0, 0.5, 1]);
    expect([...values].map(Math.fround)).toEqual([0, 0, 0, 1, 0.5, 0, 0, Math.sqrt(0.75), 0, 0, 0, 1].map(Math.fround));
  });

  it('reads smooth curves on their frames, as splines that stay within 0.0005° between them', () => {
    // 30 frames per second, a fast joint: neighboring keys are up to 10° apart, about axes that change.
    const times = Array.from({ length: 31 }, (_, frame) => frame / 30);
    const curves = [35, 25, 15].map((most, axis) => {
      return { times, values: times.map((t) => most * Math.sin(6 * t + 2 * axis)), flags: FLAGS.auto };
    });
    const { clips } = readStacks([stackOf(animate('Lcl Rotation', ...curves), animate('Lcl Translation', ...curves))]);
    for (const track of tracksOf(clips[0])) {
      expect([track.path, track.interpolation, ...track.times]).toEqual([
        track.path,
        'CUBICSPLINE',
        ...Float32Array.from(times),
      ]);
    }
    expectOnCurves(clips[0], curves);
  });

  it('adds keys only in the frames that a spline does not follow', () => {
    const times = Array.from({ length: 31 }, (_, frame) => frame / 30);
    const curves = [0, 1, 2].map((axis) => {
      return { times, values: times.map((_, k) => (k < 15 ? 0 : k === 15 ? 150 : 150 - 70 * axis)), flags: FLAGS.auto };
    });
    const { clips } = readStacks([stackOf(animate('Lcl Rotation', ...curves))]);
    const [track] = tracksOf(clips[0]);
    const added = [...track.times].filter((time) => !times.some((frame) => Math.fround(frame) === time));
    expect(added.length).toBeGreaterThan(0);
    expect(added.every((time) => time > 13 / 30 && time < 17 / 30)).toBe(true);
    expectOnCurves(clips[0], curves);
  });

  it('stays within 0.005° of smooth curves with any values, on frames and between them', () => {
    const value = fc.double({ min: -170, max: 170, noNaN: true }).map(Math.fround);
    const property = fc.property(
      fc.array(fc.tuple(value, value, value), { minLength: 2, maxLength: 8 }),
      fc.constantFrom(24, 30, 120),
      (angles, fps) => {
        const times = angles.map((_, k) => k / fps);
        const curves = [0, 1, 2].map((c) => ({ times, values: angles.map((one) => one[c]), flags: FLAGS.auto }));
        const { clips } = readStacks([stackOf(animate('Lcl Rotation', ...curves))]);
        expectOnCurves(clips[0], curves);
      },
    );
    fc.assert(property, { seed: 8, numRuns: lawRuns(40) });
  });

  it('follows the path of the Euler angles, even beyond 180°', () => {
    const { clips } = readStacks([stackOf(animate('Lcl Rotation', null, { times: [0, 1], values: [0, 350] }))]);
    const [track] = tracksOf(clips[0]);
    const out = new Float64Array(4);
    for (const [time, degrees] of [
      [0.25, 87.5],
      [0.5, 175],
      [0.75, 262.5],
    ]) {
      sampleTrack(track, time, out, 0, 0);
      const half = (degrees * Math.PI) / 360;
      expect(quat.angleBetween(out, 0, [0, Math.sin(half), 0, Math.cos(half)], 0)).toBeLessThan(KEY_TIME_ROUNDING);
    }
    for (let i = 4; i < track.values.length; i += 4) {
      expect(quat.dot(track.values, i - 4, track.values, i)).toBeGreaterThanOrEqual(0);
    }
  });

  it('jumps within one float32 step at jumps of curves', () => {
    const jump = animate('Lcl Translation', { times: [0, 0.1, 1], values: [0, 8, 8], flags: FLAGS.constant });
    const next = animate('Lcl Translation', { times: [0, 0.1, 1], values: [0, 8, 8], flags: FLAGS.next });
    for (const [channel, at] of [
      [jump, 0.1],
      [next, 0],
    ] as const) {
      const [{ times, values }] = tracksOf(readStacks([stackOf(channel)]).clips[0]);
      const k = times.findIndex((time) => time >= at && values[3 * times.indexOf(time)] === 8);
      expect(values[3 * k - 3]).toBe(0);
      expect(times[k] - times[k - 1]).toBeLessThan(1e-7);
      expect(Math.abs(times[k] - at)).toBeLessThan(1e-7);
    }
  });

  it('cuts a clip to the declared range, with keys at its ends if curves continue', () => {
    const values = { LocalStart: [ticks(1)], LocalStop: [ticks(3)] };
    const line = { times: [0, 2, 4], values: [0, 20, 40] };
    const { clips } = readStacks([{ values, ...stackOf(animate('Lcl Translation', line)) }]);
    const [track] = tracksOf(clips[0]);
    expect([...track.times]).toEqual([0, 1, 2]);
    expect([...track.values].filter((_, c) => c % 3 === 0)).toEqual([10, 20, 30]);
    expect(clips[0].duration).toBe(2);
  });

  it('is constant until the first key of a declared range, and ends with the last key', () => {
    const values = { LocalStart: [ticks(0)], LocalStop: [ticks(9)] };
    const line = { times: [1, 2], values: [0, 20] };
    const { clips } = readStacks([{ values, ...stackOf(animate('Lcl Translation', line)) }]);
    expect([...tracksOf(clips[0])[0].times]).toEqual([1, 2]);
    expect(clips[0].duration).toBe(2);
  });

  it('starts at the first key without a declared range, or if the range contains no key', () => {
    const line = { times: [5, 6], values: [0, 20] };
    for (const values of [{}, { LocalStart: [ticks(0)], LocalStop: [ticks(1)] }]) {
      const { clips } = readStacks([{ values, ...stackOf(animate('Lcl Translation', line)) }]);
      expect([...tracksOf(clips[0])[0].times]).toEqual([0, 1]);
    }
  });

  const declare = (from: number, to: number): Values => ({ LocalStart: [ticks(from)], LocalStop: [ticks(to)] });
  const rangeIssues = ({ issues }: Asset): string[] =>
    issues.filter(({ code }) => code === 'FBX_TAKE_RANGE').map(({ message }) => message);

  it('reads all keys if most of the movement is outside of the declared range', () => {
    const line = { times: [0, 1, 2, 13], values: [0, 20, 40, 90] };
    const read = readStacks([{ values: declare(0, 0.77), ...stackOf(animate('Lcl Translation', line)) }]);
    expect([...tracksOf(read.clips[0])[0].times]).toEqual([0, 1, 2, 13]);
    expect(rangeIssues(read)).toEqual([
      expect.stringMatching(
        /^The animation "Take 001" declares the range 0–0.77 s, but has keys in 0–13 s; 6 % .* All keys/,
      ),
    ]);
  });

  it('reports movement outside of a declared range that has most of it', () => {
    const line = { times: [0, 2, 4], values: [0, 20, 40] };
    const read = readStacks([{ values: declare(1, 3.5), ...stackOf(animate('Lcl Translation', line)) }]);
    expect(read.clips[0].duration).toBe(2.5);
    expect(rangeIssues(read)).toEqual([expect.stringContaining('The declared range was used.')]);
  });

  it('reports no keys outside of the declared range that do not move', () => {
    const line = { times: [0, 1, 9], values: [0, 20, 20] };
    const read = readStacks([{ values: declare(0, 1), ...stackOf(animate('Lcl Translation', line)) }]);
    expect(read.clips[0].duration).toBe(1);
    expect(rangeIssues(read)).toEqual([]);
  });

  it('keeps the declared ranges of takes that divide one timeline', () => {
    const line = { times: [0, 1, 2, 5], values: [0, 20, 40, 90] };
    const channel = animate('Lcl Translation', line);
    const read = readStacks([
      { name: 'idle', values: declare(0, 1), ...stackOf(channel) },
      { name: 'walk', values: declare(1, 2), ...stackOf(channel) },
    ]);
    expect(read.clips.map(({ duration }) => duration)).toEqual([1, 1]);
    expect(rangeIssues(read)).toEqual([]);
  });

  it('repeats curves up to the end of the range', () => {
    const more: FbxRecord[] = [rec('Post-Extrapolation', [], [rec('Type', ['R']), rec('Repetition', [-1])])];
    const values = { LocalStop: [ticks(2.5)] };
    const line = { times: [0, 1], values: [0, 20], more };
    const { clips, issues } = readStacks([{ values, ...stackOf(animate('Lcl Translation', line)) }]);
    expect(issues).toEqual([]);
    const [track] = tracksOf(clips[0]);
    const out = new Float64Array(3);
    for (const [time, x] of [
      [0.5, 10],
      [1, 20],
      [1.5, 10],
      [2.25, 5],
      [2.5, 10],
    ]) {
      sampleTrack(track, time, out, 0, 0);
      expect(Math.abs(out[0] - x)).toBeLessThan(1e-4);
    }
    expect(clips[0].duration).toBe(2.5);
  });

  it('returns a pose for curves with one key', () => {
    const { clips } = readStacks([stackOf(animate('Lcl Rotation', { times: [0.5], values: [90] }))]);
    expect(clips[0].duration).toBe(0);
    expect([...tracksOf(clips[0])[0].times]).toEqual([0]);
  });

  it('leaves out tracks at rest, but not constant tracks away from rest', () => {
    const still = (value: number): DrawnCurve => ({ times: [0, 1, 2], values: [value, value, value] });
    const { clips } = readStacks(
      [
        stackOf(
          animate('Lcl Translation', still(0.1), still(0), still(0)),
          animate('Lcl Rotation', still(10), still(0), still(0)),
          animate('Lcl Scaling', still(1), still(1), still(1)),
        ),
      ],
      { hips: { 'Lcl Translation': [0.1, 0, 0] } },
    );
    expect(tracksOf(clips[0]).map(({ path }) => path)).toEqual(['rotation']);
    expect(clips[0].duration).toBe(2);
  });

  it('moves nodes that rotate about a pivot', () => {
    const turn = animate('Lcl Rotation', null, null, { times: [0, 1], values: [0, 90] });
    const { clips } = readStacks([stackOf(turn)], { hips: { RotationPivot: [50, 0, 0] } });
    const translation = tracksOf(clips[0]).find(({ path }) => path === 'translation') as Track;
    const out = new Float64Array(3);
    for (const time of [0, 0.3, 0.77, 1]) {
      sampleTrack(translation, time, out, 0, 0);
      const angle = (time * Math.PI) / 2;
      expect(Math.abs(out[0] - 50 * (1 - Math.cos(angle)))).toBeLessThan(RESAMPLED_SIZE * HEIGHT);
      expect(Math.abs(out[1] + 50 * Math.sin(angle))).toBeLessThan(RESAMPLED_SIZE * HEIGHT);
    }
  });

  it('keeps the size of children with inherit type Rrs while their parent grows', () => {
    const grow = { times: [0, 1], values: [1, 4] };
    const { clips } = readStacks([stackOf(animate('Lcl Scaling', grow, grow, grow))], { spine: { InheritType: [2] } });
    const scales = tracksOf(clips[0]).filter(({ path }) => path === 'scale');
    const out = new Float64Array(6);
    for (const time of [0, 0.4, 1]) {
      for (const [k, track] of scales.entries()) sampleTrack(track, time, out, k * 3, 0);
      expect(Math.abs(out[0] - (1 + 3 * time))).toBeLessThan(RESAMPLED_SCALE);
      expect(Math.abs(out[3] - 1 / (1 + 3 * time))).toBeLessThan(RESAMPLED_SCALE);
    }
  });

  it('counts channels of other nodes and properties', () => {
    const line = { times: [0, 1], values: [0, 1] };
    const { clips } = readStacks([
      stackOf(
        { model: 3, property: 'Lcl Translation', curves: [line] },
        { model: 1, property: 'Visibility', curves: [line] },
        { model: 3, property: 'Lcl Rotation', curves: [] },
      ),
    ]);
    expect(clips[0].otherChannels).toBe(2);
    expect(tracksOf(clips[0])).toEqual([]);
  });

  it('is within tolerance of the SDK formula, in all orders, with pre- and post-rotation and pivots', () => {
    const number = (most: number) => fc.double({ min: -most, max: most, noNaN: true }).map(Math.fround);
    const vector = (most: number) => fc.tuple(number(most), number(most), number(most));
    fc.assert(
      fc.property(
        fc.nat(5),
        vector(180),
        vector(180),
        fc.array(vector(120), { minLength: 2, maxLength: 4 }),
        vector(20),
        vector(20),
        fc.tuple(fc.boolean(), vector(30)),
        (order, preRotation, postRotation, angles, rotationOffset, scalingOffset, [hasPivot, pivot]) => {
          const rotationPivot = hasPivot ? pivot : [0, 0, 0];
          const times = angles.map((_, k) => k / 4);
          const curves = [0, 1, 2].map((c) => ({ times, values: angles.map((one) => one[c]) }));
          const { clips } = readStacks([stackOf(animate('Lcl Rotation', ...curves))], {
            hips: {
              RotationActive: [1],
              RotationOrder: [order],
              PreRotation: preRotation,
              PostRotation: postRotation,
              RotationOffset: rotationOffset,
              ScalingOffset: scalingOffset,
              RotationPivot: rotationPivot,
            },
          });
          const tracks = tracksOf(clips[0]);
          const matrix = new Float64Array(16);
          const exact = new Float64Array(10);
          const found = new Float64Array(4);
          for (let time = 0; time <= times[times.length - 1]; time += 0.0123) {
            const k = Math.min(Math.floor(time * 4), angles.length - 2);
            const rotation = angles[k].map((angle, c) => angle + (angles[k + 1][c] - angle) * (time * 4 - k));
            const values: NodeValues = {
              translation: [0, 0, 0],
              rotation,
              scale: [1, 1, 1],
              order,
              preRotation,
              postRotation,
              rotationOffset,
              rotationPivot,
              scalingOffset,
              scalingPivot: [0, 0, 0],
            };
            matrix.set(columns(localTransform(values)));
            mat4.decompose(exact, 0, matrix, 0);
            for (const track of tracks) {
              sampleTrack(track, time, found, 0, 0);
              if (track.path === 'rotation') {
                expect(quat.angleBetween(found, 0, exact, 3)).toBeLessThan(RESAMPLED_RADIANS + KEY_TIME_ROUNDING);
              } else {
                for (let c = 0; c < 3; c++) expect(Math.abs(found[c] - exact[c])).toBeLessThan(RESAMPLED_SIZE * HEIGHT);
              }
            }
          }
        },
      ),
      { seed: 7, numRuns: lawRuns(60) },
    );
  });
});

describe('readFbxClips: damaged animations', () => {
  it.runIf(IS_FULL_RUN)('limits the keys of extreme motion and reports it', () => {
    const times = Array.from({ length: 400 }, (_, k) => k);
    const wild = [3e38, -3e38, 1e9].map((most) => ({
      times,
      values: times.map((k) => (k % 2 === 0 ? most : -most / 3)),
      flags: FLAGS.auto,
    }));
    const { clips, issues } = readStacks([
      stackOf(animate('Lcl Rotation', ...wild), animate('Lcl Translation', ...wild), {
        ...animate('Lcl Scaling', ...wild),
        model: 2,
      }),
    ]);
    for (const { times: keys } of tracksOf(clips[0])) expect(keys.length).toBeLessThan(40_000);
    expect(validateClip(clips[0].clips[0], 2).reasons).toEqual([]);
    expect(new Set(issues.map(({ code }) => code))).toEqual(new Set(['FBX_ANIMATION', 'NUMBERS_OUT_OF_RANGE']));
    expect(issues.map(({ message }) => message).join('\n')).toContain('"Hips"');
  });

  it('limits the keys of millions of years and of infinite repetitions', () => {
    const more: FbxRecord[] = [rec('Post-Extrapolation', [], [rec('Type', ['R']), rec('Repetition', [-1])])];
    const far = 2e8;
    const values = { LocalStop: [ticks(far)] };
    const long = readStacks([
      stackOf(animate('Lcl Rotation', { times: [-far, 0, far], values: [0, 1e6, 0], flags: FLAGS.auto })),
    ]);
    expect(tracksOf(long.clips[0])[0].times.length).toBeLessThan(10_000);
    const endless = readStacks([
      { values, ...stackOf(animate('Lcl Rotation', { times: [0, 1], values: [0, 90], more })) },
    ]);
    expect(endless.issues.map(({ message }) => message)).toEqual([
      'The animation of "Hips" repeats too often; it was kept constant before and after its keys. Bake the repetitions into keys.',
    ]);
    expect(endless.clips[0].duration).toBe(1);
  });

  it('leaves out values beyond float32', () => {
    const huge = { times: [0, 1], values: [3e38, 3e38] };
    const { clips, issues } = readStacks([stackOf(animate('Lcl Translation', huge))], {
      hips: { RotationOffset: [3e38, 0, 0] },
    });
    expect(tracksOf(clips[0])).toEqual([]);
    expect(issues.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The transform of "Hips" exceeds the range of anyrig/),
      'The animation of "Hips" was left out, because it has numbers beyond float32. Correct the values.',
    ]);
  });

  it('repairs and counts unsorted and invalid keys', () => {
    const odd = { times: [1, 0, 0], values: [5, Number.NaN, 3] };
    const { clips, issues } = readStacks([stackOf(animate('Lcl Translation', odd, odd))]);
    expect([...tracksOf(clips[0])[0].values]).toEqual([3, 3, 0, 5, 5, 0]);
    expect(issues.map(({ message }) => message)).toEqual([
      '2 animation curves have keys whose time or value is invalid; these keys were left out. Export the file again to get all of it.',
      '2 animation curves have keys that are not in the order of time; the keys were sorted. Export the file again to get all of it.',
    ]);
  });

  // Hundreds of millions of keys take seconds.
  it.runIf(IS_FULL_RUN)('limits the evaluated keys if thousands of nodes share a long curve', () => {
    const count = 4000;
    const times = Float64Array.from({ length: 100_000 }, (_, k) => k * 1e9);
    const curve = rec(
      'AnimationCurve',
      [9, '\0\x01AnimCurve', ''],
      [
        rec('KeyTime', [BigInt64Array.from(times, BigInt)]),
        // It moves in the declared second only.
        rec('KeyValueFloat', [Float32Array.from(times, (_, k) => (k < 40 ? k % 7 : 0))]),
        rec('KeyAttrFlags', [Int32Array.of(FLAGS.linear)]),
      ],
    );
    const { objects, connections } = animation([{ values: { LocalStop: [ticks(1)] }, layers: [{ channels: [] }] }]);
    const node = rec('AnimationCurveNode', [8, 'N\0\x01AnimCurveNode', '']);
    const ids = Array.from({ length: count }, (_, k) => 100_000 + k);
    const { clips, issues } = readFbxTree(
      treeOf({
        objects: [...objects, node, curve, ...ids.map((id) => model(id, `n${id}`, 'LimbNode'))],
        connections: [
          ...connections,
          [8, 1001],
          [9, 8, 'd|X'],
          ...ids.flatMap((id) => [[id, id === 100_000 ? 0 : 100_000] as const, [8, id, 'Lcl Translation'] as const]),
        ],
      }),
    );
    const { tracks } = clips[0].clips[0];
    expect(tracks.length).toBeGreaterThan(1000);
    expect(tracks.length).toBeLessThan(count);
    expect(issues.map(({ message }) => message)).toEqual([
      `The animation of "n${100_000 + tracks.length}" and ${count - tracks.length - 1} more nodes was left out, because the file has more keys than the limit of anyrig. Split the file.`,
    ]);
  });
});

describe.skipIf(!HAS_ASSETS)('readFbxClips: real files', () => {
  const read = (name: string): Asset => readFbx(new Uint8Array(readFileSync(asset('assets', 'fbx', `${name}.fbx`))));

  it('returns the names, durations and tracks of the files', () => {
    const found = [
      'mixamo_Walking',
      'ozz_pab_walk',
      'ozz_pab_run',
      'ozz_pab_skeleton',
      'm2m_CMU_91_48',
      'ufbx_maya_kenney_character_7700_binary',
    ].map((name) => {
      const { clips } = read(name);
      return clips.map(
        (clip) => `${clip.name} ${clip.duration.toFixed(3)} ${clip.clips.map(({ tracks }) => tracks.length)}`,
      );
    });
    expect(found.flat()).toEqual([
      'mixamo.com 0.967 53',
      'walk 1.333 32',
      'run 0.667 32',
      'Take 001 0.000 7',
      '91_48|91_48 3.633 18',
      'Take 001 0.667 37',
    ]);
  });

  it('has about as many keys as the frames of the files, in less space than LINEAR keys of the same error', () => {
    // Frames: the keys that the curves of the tracks have together. LINEAR keys within ten times the tolerance would be 10,641, 7,081, 6,337, 3,248 and 1,525.
    const found = [
      ['mixamo_Walking', 1590, 86_000],
      ['ozz_pab_walk', 1312, 61_000],
      ['ozz_pab_run', 681, 43_000],
      ['m2m_CMU_91_48', 1963, 90_000],
      ['ufbx_maya_kenney_character_7700_binary', 629, 15_500],
    ] as const;
    for (const [name, frames, bytes] of found) {
      const { tracks } = read(name).clips[0].clips[0];
      const keyTimes = new Map(tracks.map(({ times }) => [times.join(), times.length]));
      const floats = tracks.reduce((sum, { values }) => sum + values.length, 0);
      const shared = [...keyTimes.values()].reduce((sum, count) => sum + count, 0);
      expect(
        tracks.reduce((sum, { times }) => sum + times.length, 0),
        name,
      ).toBeLessThan(1.5 * frames);
      expect(4 * (floats + shared), name).toBeLessThan(bytes);
    }
  });

  it('returns no clips for a character without animation', () => {
    for (const name of [
      'ufbx_maya_human_ik_7400_binary',
      'ufbx_maya_human_ik_6100_ascii',
      'ufbx_maya_character_7500_binary',
    ]) {
      expect(read(name).clips).toEqual([]);
    }
  });

  it('returns valid clips without issues', () => {
    for (const name of ['mixamo_Walking', 'ozz_pab_walk', 'm2m_CMU_91_48']) {
      const { clips, skeletons, issues } = read(name);
      expect(issues.filter(({ code }) => code === 'FBX_ANIMATION')).toEqual([]);
      for (const [k, clip] of clips[0].clips.entries()) {
        expect(validateClip(clip, skeletons[k].skeleton.names.length).reasons).toEqual([]);
      }
    }
  });
});

const LINE: DrawnCurve = { times: [0, 1], values: [0, 10] };
const ROTATION = { model: 1, property: 'Lcl Rotation', curves: [LINE, null, LINE] };

function sceneWith(stacks: readonly DrawnStack[]): FbxScene {
  const { objects, connections } = animation(stacks);
  return sceneOf({ objects: [model(1, 'Hips', 'LimbNode'), ...objects], connections: [[1, 0], ...connections] }).scene;
}

function takesOf(scene: FbxScene): { takes: FbxTake[]; reader: TakeReader } {
  const reader = { scene, ticksPerSecond: SECOND, faults: new Map(), curves: new Map() };
  return { takes: listTakes(scene).map((entry) => readTake(reader, entry)), reader };
}

describe('listTakes and readTake: FBX 7', () => {
  it('list the stacks with a curve; names may repeat', () => {
    const still = { model: 1, property: 'Lcl Rotation', curves: [], defaults: { 'd|X': [5] } };
    const scene = sceneWith([
      { name: 'walk', layers: [{ channels: [ROTATION] }] },
      { name: 'still', layers: [{ channels: [still] }] },
      { name: 'none', layers: [] },
      { name: 'walk', layers: [{ channels: [{ ...ROTATION, property: 'Visibility' }] }] },
    ]);
    expect(listTakes(scene).map(({ name }) => name)).toEqual(['walk', 'walk']);
    const [first, second] = takesOf(scene).takes;
    expect([first.otherChannels, second.otherChannels]).toEqual([0, 1]);
    expect([...second.layers[0].channels.keys()]).toEqual([]);
  });

  it('return curves and defaults by Model and path', () => {
    const channel = { ...ROTATION, defaults: { 'd|X': [1], 'd|Y': [2], 'd|Z': ['x'] } };
    const { takes } = takesOf(sceneWith([{ layers: [{ channels: [channel] }] }]));
    const vector = takes[0].layers[0].channels.get(channelKey('1', 'rotation'));
    expect(vector?.curves.map((curve) => curve?.values.length)).toEqual([2, undefined, 2]);
    expect(vector?.defaults).toEqual([1, 2, null]);
  });

  it('return the declared ranges: local, reference, then those of the Take with the same name', () => {
    const values = {
      LocalStart: [ticks(1)],
      LocalStop: [ticks(3)],
      ReferenceStart: [Number(ticks(0))],
      ReferenceStop: [ticks(4)],
    };
    const { objects, connections } = animation([
      { name: 'a', values, layers: [{ channels: [ROTATION] }] },
      { name: 'b', values: { LocalStart: [5], LocalStop: [5] }, layers: [{ channels: [ROTATION] }] },
    ]);
    const tree = treeOf({ objects: [model(1, 'Hips', 'LimbNode'), ...objects], connections });
    const takes = rec('Takes', [], [rec('Take', ['b'], [rec('LocalTime', [0, 2 * SECOND])])]);
    const scene = readScene({ ...tree, records: [...tree.records, takes] }, []);
    expect(takesOf(scene).takes.map(({ ranges }) => ranges)).toEqual([
      [
        { start: 1, end: 3 },
        { start: 0, end: 4 },
      ],
      [{ start: 0, end: 2 }],
    ]);
  });

  it('return layers from the bottom, with blend modes and weights', () => {
    const blends = takesOf(
      sceneWith([
        {
          layers: [
            { channels: [ROTATION], values: { Weight: [30] } },
            { channels: [ROTATION], values: { BlendMode: [1], RotationAccumulationMode: [1], Weight: [250] } },
            { channels: [ROTATION], values: { BlendMode: [2], ScaleAccumulationMode: [1] }, weight: LINE },
            { channels: [ROTATION], values: { BlendMode: [77] } },
          ],
        },
      ]),
    ).takes[0].layers.map(({ blending }) => blending);
    expect(blends.map(({ isBase }) => isBase)).toEqual([true, false, false, false]);
    expect(blends.map(({ mode }) => mode)).toEqual(['additive', 'override', 'passthrough', 'additive']);
    expect(blends.map(({ weight }) => weight)).toEqual([0.3, 1, 1, 1]);
    expect(blends.map(({ blendsAsRotation }) => blendsAsRotation)).toEqual([true, false, true, true]);
    expect(blends.map(({ multipliesScale }) => multipliesScale)).toEqual([true, true, false, true]);
    expect(blends.map(({ weightCurve }) => weightCurve?.values.length)).toEqual([undefined, undefined, 2, undefined]);
  });

  it('leave out muted layers, and others than solo layers if there are any', () => {
    const counts = (...values: readonly Record<string, readonly [number]>[]): boolean[] =>
      takesOf(
        sceneWith([{ layers: values.map((one) => ({ channels: [ROTATION], values: one })) }]),
      ).takes[0].layers.map(({ blending }) => blending.isBase);
    expect(counts({ Mute: [1] }, {})).toEqual([false]);
    expect(counts({}, { Solo: [1] }, { Solo: [1], Mute: [1] })).toEqual([false]);
    expect(counts({}, { Mute: [0] })).toEqual([true, false]);
  });

  it('use the first of two curve nodes for a channel of a layer, and read shared curves once', () => {
    const scene = sceneWith([
      { layers: [{ channels: [ROTATION, { ...ROTATION, curves: [{ times: [0], values: [7] }] }] }] },
    ]);
    const { takes, reader } = takesOf(scene);
    expect(takes[0].layers[0].channels.get(channelKey('1', 'rotation'))?.curves[0]?.values.length).toBe(2);
    expect([...reader.faults]).toEqual([
      ['animate a property that an earlier curve of the layer animates; the first ones were used', 1],
    ]);
    const before = [...reader.curves.values()];
    readTake(reader, listTakes(scene)[0]);
    expect([...reader.curves.values()]).toEqual(before);
  });

  it('ticksPerSecond: depends on the version', () => {
    const tree = treeOf({ version: 8000 });
    const header = (definition: number) =>
      rec('FBXHeaderExtension', [], [rec('OtherFlags', [], [rec('TCDefinition', [definition])])]);
    expect(ticksPerSecond(treeOf({ version: 7700 }))).toBe(SECOND);
    expect(ticksPerSecond(tree)).toBe(141120000);
    expect(ticksPerSecond({ ...tree, records: [header(0)] })).toBe(141120000);
    expect(ticksPerSecond({ ...tree, records: [header(127)] })).toBe(SECOND);
  });
});

describe('listTakes and readTake: FBX 6', () => {
  const part = (letter: string, ...keys: readonly (number | string)[]) =>
    rec('Channel', [letter], [rec('Default', [3]), ...(keys.length > 0 ? [rec('Key', keys)] : [])]);
  const transform = rec(
    'Channel',
    ['Transform'],
    [
      rec('Channel', ['R'], [part('X', 0, 1, 'L', SECOND, 2, 'L'), part('Y'), part('Z', 0, 5, 'L')]),
      rec('Channel', ['Q'], [part('X', 0, 1, 'L')]),
    ],
  );
  const take = (name: string, ...records: readonly ReturnType<typeof rec>[]) =>
    rec('Take', [name], [rec('LocalTime', [0, SECOND]), ...records]);

  function sceneWithTakes(...takes: readonly ReturnType<typeof rec>[]): FbxScene {
    const objects = [rec('Model', ['Model::Hips', 'LimbNode'])];
    const tree = treeOf({ version: 6100, objects });
    return readScene({ ...tree, records: [...tree.records, rec('Takes', [], [rec('Current', ['a']), ...takes])] }, []);
  }

  it('return takes with keys, and their curves by the names of Models', () => {
    const scene = sceneWithTakes(
      take('a', rec('Model', ['Model::Hips'], [transform, part('Visibility', 0, 1, 'L')])),
      take('empty', rec('Model', ['Model::Hips'], [rec('Channel', ['Transform'])])),
      take('b', rec('Model', ['Hips\0\x01Model'], [transform]), rec('Model', ['Model::Gone'], [transform])),
    );
    const { takes } = takesOf(scene);
    expect(takes.map(({ name, otherChannels }) => [name, otherChannels])).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
    for (const { layers, ranges } of takes) {
      expect(ranges).toEqual([{ start: 0, end: 1 }]);
      expect([...layers[0].channels.keys()]).toEqual([channelKey('Model::Hips', 'rotation')]);
      const [vector] = layers[0].channels.values();
      expect(vector.curves.map((curve) => curve && [...curve.values])).toEqual([[1, 2], null, [5]]);
      expect(vector.defaults).toEqual([3, 3, 3]);
    }
  });

  it('return nothing without a section of Takes', () => {
    expect(listTakes(sceneOf({ version: 6100 }).scene)).toEqual([]);
  });
});
