import { describe, expect, test } from 'vitest';
import type { Interpolation, Track } from '../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { regauge, without } from '../../support/make/change-rig.ts';
import { clipOf, tinyHumanoid, track } from '../../support/make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { aboutAxis, IDENTITY, inverse, product, type Quaternion, read } from '../../support/reference/plain.ts';
import { EXACT, LAW_F32 } from '../../support/tolerances.ts';

const body = tinyHumanoid(
  { name: 'hips', at: [0, 1, 0] },
  { name: 'spine', parent: 'hips', at: [0, 0.2, 0] },
  { name: 'head', parent: 'spine', at: [0, 0.4, 0] },
);
const G = [aboutAxis([1, 2, 3], 1), aboutAxis([3, 1, 2], 2), aboutAxis([-1, 0, 1], 3)];
/** The same character with other local axes. */
const other = regauge(body, G).humanoid;
const plan = planRetarget(body, other);

const X = aboutAxis([1, 0, 0], 0.8);
const Y = aboutAxis([0, 1, 0], 1.3);

/** Converts a local rotation of the spine to the other axes. */
function spineOf(q: Quaternion): Quaternion {
  return product(inverse(G[0]), q, G[1]);
}

function find(tracks: readonly Track[], target: number, path: Track['path']): Track {
  const found = tracks.find((one) => one.target === target && one.path === path);
  if (found === undefined) throw new Error(`no ${path} track of node ${target}`);
  return found;
}

describe('retargetClip', () => {
  test.each<Interpolation>(['STEP', 'LINEAR'])(
    'keeps the keys of %s tracks and shares their times',
    (interpolation) => {
      const source = track(body, 'spine', 'rotation', interpolation, [0.5, 1, 2], [X, Y, IDENTITY]);
      const result = find(retargetClip(plan, clipOf(source)).tracks, 1, 'rotation');
      expect(result.interpolation).toBe(interpolation);
      expect(result.times).toBe(source.times);
      [X, Y, IDENTITY].forEach((q, key) => {
        expectSameRotation(read(result.values, 4 * key, 4), spineOf(q), EXACT);
      });
    },
  );

  test('maps float32 keys of the hips into the block of the rotations, float64 keys into their own', () => {
    const spine = track(body, 'spine', 'rotation', 'LINEAR', [0, 1], [X, Y]);
    const steps = [
      [0, 1, 0],
      [0, 1, 1],
      [1, 1, 2],
    ];
    const hips = track(body, 'hips', 'translation', 'LINEAR', [0, 1, 2], steps);
    const single = (source: Track): Track => ({ ...source, values: Float32Array.from(source.values) });
    const twin = find(retargetClip(plan, clipOf(spine, hips)).tracks, 0, 'translation');
    for (const source of [hips, single(hips)]) {
      const { tracks } = retargetClip(plan, clipOf(single(spine), source));
      const { values } = find(tracks, 0, 'translation');
      expect(values.buffer === find(tracks, 1, 'rotation').values.buffer).toBe(source !== hips);
      expectNear(values, twin.values, LAW_F32);
    }
  });

  test('keeps splines: tangents are mapped as values', () => {
    const tangent = [0.5, -0.25, 0.125, 0.75];
    const values = [[0, 0, 0, 0], X, tangent, tangent.map((c) => -c), Y, [0, 0, 0, 0]];
    const source = track(body, 'spine', 'rotation', 'CUBICSPLINE', [0, 1], values);
    const result = find(retargetClip(plan, clipOf(source)).tracks, 1, 'rotation');
    expect(result.interpolation).toBe('CUBICSPLINE');
    expectNear(result.values, values.flatMap(spineOf), EXACT);
  });

  test('keeps the keys of an inverted rotation', () => {
    // In the source the hips are parented to the spine: the spine of the target follows the inverse of the hips of the source.
    const upsideDown = tinyHumanoid({ name: 'spine', at: [0, 1, 0] }, { name: 'hips', parent: 'spine' });
    const source = track(upsideDown, 'hips', 'rotation', 'LINEAR', [0, 1], [X, Y]);
    const result = find(retargetClip(planRetarget(upsideDown, body), clipOf(source)).tracks, 1, 'rotation');
    expect(result.times).toBe(source.times);
    expectSameRotation(read(result.values, 0, 4), inverse(X), EXACT);
    expectSameRotation(read(result.values, 4, 4), inverse(Y), EXACT);
  });

  test('resamples at all keys if several rotations drive a bone', () => {
    const less = without(body, [BONE.spine]);
    const clip = clipOf(
      track(body, 'spine', 'rotation', 'LINEAR', [0, 2], [IDENTITY, X]),
      track(body, 'head', 'rotation', 'LINEAR', [0, 0.75, 2], [IDENTITY, Y, IDENTITY]),
    );
    const result = find(retargetClip(planRetarget(body, less), clip).tracks, 2, 'rotation');
    expect(result.interpolation).toBe('LINEAR');
    expect(Array.from(result.times)).toEqual(expect.arrayContaining([0, 0.75, 2]));
    const at = result.times.indexOf(0.75);
    expectSameRotation(read(result.values, 4 * at, 4), product(aboutAxis([1, 0, 0], 0.3), Y), EXACT);
  });

  test('writes one key for a constant track', () => {
    const clip = clipOf(track(body, 'spine', 'rotation', 'LINEAR', [0, 1, 2], [X, X, X]));
    const [result] = retargetClip(plan, { ...clip, duration: 0 }).tracks;
    expect(result).toMatchObject({ target: 1, path: 'rotation', interpolation: 'STEP', times: Float32Array.of(0) });
    expectSameRotation(result.values, spineOf(X), EXACT);
  });

  test('leaves out bones at rest in both, and writes bones whose rest is not the reference', () => {
    expect(retargetClip(plan, clipOf()).tracks).toEqual([]);
    const rest = Float64Array.from(other.skeleton.rest);
    rest.set(product(read(rest, 13, 4), X), 13);
    const bent = { ...other, skeleton: { ...other.skeleton, rest } };
    const { tracks } = retargetClip(planRetarget(body, bent), clipOf());
    expect(tracks.map(({ target, path }) => [target, path])).toEqual([[1, 'rotation']]);
    expectSameRotation(tracks[0].values, read(other.skeleton.rest, 13, 4), EXACT);
  });

  test('maps the hips by an affine map: values get the offset, tangents do not', () => {
    const half = tinyHumanoid({ name: 'hips', at: [0, 0.5, 0] });
    const values = [
      [9, 9, 9],
      [1, 1, 1],
      [2, 4, 6],
      [8, 6, 4],
      [3, 1, 1],
      [9, 9, 9],
    ];
    const source = track(body, 'hips', 'translation', 'CUBICSPLINE', [0, 1], values);
    const result = find(retargetClip(planRetarget(body, half), clipOf(source)).tracks, 0, 'translation');
    expect(result.interpolation).toBe('CUBICSPLINE');
    expect(result.times).toBe(source.times);
    expectNear(result.values.subarray(3, 15), [0.5, 0.5, 0.5, 1, 2, 3, 4, 3, 2, 1.5, 0.5, 0.5], EXACT);
  });

  test('transfers the translation of a node above the hips', () => {
    const mounted = tinyHumanoid({ name: 'root' }, { name: 'hips', parent: 'root', at: [0, 1, 0] });
    const source = track(
      mounted,
      'root',
      'translation',
      'LINEAR',
      [0, 1],
      [
        [0, 0, 0],
        [0, 0, 4],
      ],
    );
    const { tracks } = retargetClip(planRetarget(mounted, body), clipOf(source));
    const result = find(tracks, 0, 'translation');
    expectNear(result.values, [0, 1, 0, 0, 1, 4], EXACT);
    expect(Array.from(result.times)).toEqual([0, 1]);
  });

  test('writes keys on a uniform grid with fps, the last one at the end', () => {
    const clip = clipOf(track(body, 'spine', 'rotation', 'LINEAR', [0, 0.5], [IDENTITY, X]));
    const result = find(retargetClip(plan, clip, { fps: 5 }).tracks, 1, 'rotation');
    expect(Array.from(result.times)).toEqual([0, 0.2, 0.4, 0.5].map(Math.fround));
    expectSameRotation(read(result.values, 4, 4), spineOf(aboutAxis([1, 0, 0], 0.8 * (Math.fround(0.2) / 0.5))), EXACT);
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('throws for fps %s', (fps) => {
    expect(() => retargetClip(plan, clipOf(), { fps })).toThrow(/^retargetClip: fps is/);
  });

  test.each([-1, 3])('throws for a track of node %s, which the source does not have', (target) => {
    const unknown: Track = {
      target,
      path: 'rotation',
      interpolation: 'STEP',
      times: new Float32Array(1),
      values: new Float32Array(4),
    };
    expect(() => retargetClip(plan, clipOf(unknown))).toThrow(
      new RangeError(
        `retargetClip: a track animates node ${target}, but the source of the plan has 3 nodes. ` +
          'Pass a clip of the source that the plan was made for.',
      ),
    );
  });

  test('uses the new name, or keeps the old one', () => {
    expect(retargetClip(plan, clipOf()).name).toBe('clip');
    expect(retargetClip(plan, clipOf(), { name: 'walk' }).name).toBe('walk');
  });

  test('returns float32 values for float32 keys', () => {
    const source = track(body, 'spine', 'rotation', 'LINEAR', [0, 1], [X, Y]);
    const single = { ...source, values: Float32Array.from(source.values) };
    expect(find(retargetClip(plan, clipOf(single)).tracks, 1, 'rotation').values).toBeInstanceOf(Float32Array);
    expect(find(retargetClip(plan, clipOf(source)).tracks, 1, 'rotation').values).toBeInstanceOf(Float64Array);
  });
});

describe('retargetClip: the duration', () => {
  const dropped = track(
    body,
    'spine',
    'scale',
    'LINEAR',
    [0, 3],
    [
      [1, 1, 1],
      [2, 2, 2],
    ],
  );

  test.each<Interpolation>(['STEP', 'LINEAR'])(
    'is kept by one more key if a %s track ends before a channel that is dropped',
    (interpolation) => {
      const clip = clipOf(track(body, 'spine', 'rotation', interpolation, [0, 1], [X, Y]), dropped);
      const result = retargetClip(plan, clip);
      const spine = find(result.tracks, 1, 'rotation');
      expect(result.duration).toBe(3);
      expect(Array.from(spine.times)).toEqual([0, 1, 3]);
      expectSameRotation(read(spine.values, 8, 4), spineOf(Y), EXACT);
      expect(result.tracks.filter(({ times }) => times.at(-1) === 3)).toHaveLength(1);
    },
  );

  test('is kept by extending a spline at its last value', () => {
    const values = [[0, 0, 0, 0], X, [0, 0, 0, 0], [0, 0, 0, 0], Y, [5, 5, 5, 5]];
    const clip = clipOf(track(body, 'spine', 'rotation', 'CUBICSPLINE', [0, 1], values), dropped);
    const result = retargetClip(plan, clip);
    const local = new Float64Array(30);
    for (const time of [1, 1.5, 2.2, 3]) {
      sampleClip(result, time, local);
      expectSameRotation(read(local, 13, 4), spineOf(Y), EXACT);
    }
    expect(find(result.tracks, 1, 'rotation').times.at(-1)).toBe(3);
  });

  test('is kept by a constant track', () => {
    const result = retargetClip(plan, clipOf(track(body, 'spine', 'rotation', 'STEP', [0], [X]), dropped));
    expect(Array.from(find(result.tracks, 1, 'rotation').times)).toEqual([0, 3]);
  });

  test('needs no key if no track is left', () => {
    expect(retargetClip(plan, clipOf(dropped))).toEqual({ name: 'clip', duration: 3, tracks: [] });
  });
});
