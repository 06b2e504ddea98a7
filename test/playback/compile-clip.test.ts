import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clip, Track } from '../../src/core/animation/clip.ts';
import { lastKeyTime } from '../../src/core/animation/clip.ts';
import { ROTATION_TOLERANCE } from '../../src/core/animation/resample-tolerance.ts';
import { sampleClip } from '../../src/core/animation/sample.ts';
import * as quat from '../../src/core/math/quat.ts';
import * as vec3 from '../../src/core/math/vec3.ts';
import { PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../../src/core/skeleton/skeleton.ts';
import { openFile } from '../../src/files/node.ts';
import { compileClip } from '../../src/playback/compile-clip.ts';
import { type CompiledClip, locateFrame, sampleCompiledClip } from '../../src/playback/compiled-clip.ts';
import { MOTIONS } from '../external/matrix/cover.ts';
import { rotation, track } from '../support/arbitraries.ts';
import { HAS_ASSETS } from '../support/assets.ts';
import { lawRuns, sampledCases } from '../support/law-runs.ts';
import { COMPILED_RADIANS, FLOAT32_POSE, HIGHEST_RATE_RADIANS, NLERP_RADIANS } from '../support/tolerances.ts';

const FPS = 30;

function skeletonOf(nodeCount: number): Skeleton {
  const rest = Float32Array.from({ length: POSE_STRIDE * nodeCount }, (_, i) => {
    const c = i % POSE_STRIDE;
    return c < PATH_OFFSET.rotation ? c + 1 : c < 6 ? 0 : 1;
  });
  return {
    name: 'test',
    names: Array.from({ length: nodeCount }, (_, node) => `n${node}`),
    parents: Int32Array.from({ length: nodeCount }, (_, node) => node - 1),
    rest,
    bind: null,
    joints: new Uint8Array(nodeCount),
  };
}

function clipOf(...tracks: Track[]): Clip {
  return { name: 'test', duration: lastKeyTime(tracks), tracks };
}

/** The clip as sampleClip shows it, and the compiled clip. */
function poses(skeleton: Skeleton, clip: Clip, compiled: CompiledClip, time: number): [Float64Array, Float32Array] {
  const exact = Float64Array.from(skeleton.rest);
  sampleClip(clip, time, exact);
  const shown = new Float32Array(compiled.base.length).fill(Number.NaN);
  sampleCompiledClip(compiled, time, shown);
  return [exact, shown];
}

/** A rotation track with a key per frame at 30 fps, each at most `most` radians from the one before. */
function smoothTrack(most: number): fc.Arbitrary<Track> {
  return fc
    .array(fc.tuple(rotation(), fc.double({ min: 0, max: most, noNaN: true })), { minLength: 3, maxLength: 12 })
    .map((steps) => {
      const times = Float32Array.from(steps, (_, key) => key / FPS);
      const values = new Float64Array(4 * steps.length);
      const step = new Float64Array(4);
      quat.identity(values, 0);
      steps.forEach(([axis, angle], key) => {
        if (key === 0) return;
        const length = Math.hypot(axis[0], axis[1], axis[2]) || 1;
        const unit = axis.slice(0, 3).map((x) => x / length);
        quat.fromAxisAngle(step, 0, unit.some((x) => x !== 0) ? unit : [1, 0, 0], 0, angle);
        quat.multiply(values, 4 * key, step, 0, values, 4 * key - 4);
        if (key % 3 === 0) for (let c = 4 * key; c < 4 * key + 4; c++) values[c] = -values[c];
      });
      return { target: 0, path: 'rotation', interpolation: 'LINEAR', times, values };
    });
}

describe('compileClip', () => {
  it('is within 0.005° of sampleClip at all times for keys at 30 fps up to 20° apart', () => {
    const skeleton = skeletonOf(1);
    const times = fc.array(fc.double({ min: -0.1, max: 1.1, noNaN: true }), { minLength: 20, maxLength: 20 });
    const property = fc.property(smoothTrack(0.35), times, (rotations, fractions) => {
      const clip = clipOf(rotations);
      const compiled = compileClip(skeleton, clip);
      expect(compiled.rotationError).toBeLessThanOrEqual(ROTATION_TOLERANCE);
      for (const fraction of fractions) {
        const [exact, shown] = poses(skeleton, clip, compiled, fraction * clip.duration);
        expect(quat.angleBetween(shown, 3, exact, 3)).toBeLessThan(COMPILED_RADIANS);
      }
    });
    fc.assert(property, { seed: 3, numRuns: lawRuns() });
  });

  it('measures the error of any track, apart from the frames in which a STEP track jumps', () => {
    const skeleton = skeletonOf(1);
    const property = fc.property(track(), fc.double({ min: 0, max: 1, noNaN: true }), (one, fraction) => {
      const clip = clipOf(one);
      const compiled = compileClip(skeleton, clip);
      const time = fraction * clip.duration;
      const jumpsNear = one.times.some((key) => Math.abs(key - time) <= 1 / compiled.frameRate);
      if (one.interpolation === 'STEP' && jumpsNear) return;
      const [exact, shown] = poses(skeleton, clip, compiled, time);
      const offset = PATH_OFFSET[one.path];
      if (one.path === 'rotation') quat.normalize(exact, offset, exact, offset);
      const error =
        one.path === 'rotation'
          ? quat.angleBetween(shown, offset, exact, offset)
          : vec3.distance(shown, offset, exact, offset);
      const { rotationError, translationError, scaleError } = compiled;
      const measured = { rotation: rotationError, translation: translationError, scale: scaleError }[one.path];
      // Three probes a frame: an error between them is at most a third greater.
      expect(error).toBeLessThan((4 / 3) * measured + FLOAT32_POSE);
    });
    fc.assert(property, { seed: 4, numRuns: lawRuns() });
  });

  it('keeps constant channels apart, also those that move by rounding noise', () => {
    const times = Float32Array.of(0, 1 / 30, 2 / 30);
    const translation = { path: 'translation', interpolation: 'LINEAR', times } as const;
    const compiled = compileClip(
      skeletonOf(4),
      clipOf(
        { ...translation, target: 1, values: Float32Array.of(5, 6, 7, 5, 6, 7 + 1e-7, 5, 6, 7) },
        { ...translation, target: 3, values: Float32Array.of(0, 0, 0, 1, 0, 0, 2, 0, 0) },
        { ...translation, target: 2, values: Float32Array.of(0, 0, 0, 1, 0, 0, 2, 0, 0) },
        {
          target: 2,
          path: 'rotation',
          interpolation: 'STEP',
          times: times.subarray(0, 1),
          values: Float32Array.of(0, 0, 0, 2),
        },
      ),
    );
    expect([...compiled.translated]).toEqual([2, 3]);
    expect(compiled.rotated.length).toBe(0);
    expect([...compiled.base.subarray(10, 13)]).toEqual([5, 6, 7]);
    expect([...compiled.base.subarray(23, 27)]).toEqual([0, 0, 0, 1]);
    expect(compiled.frameStride).toBe(8);
    expect(compiled.frameCount).toBe(3);
  });

  it('ends exactly at the duration where the frame time does not divide it', () => {
    const times = Float64Array.of(0, 1 / 30, 2 / 30, 3 / 30, 0.11);
    const values = Float64Array.of(0, 0, 0, 1, 0, 0, 3, 0, 0, 2, 0, 0, 8, 0, 0);
    const clip = clipOf({ target: 0, path: 'translation', interpolation: 'LINEAR', times, values });
    const skeleton = skeletonOf(1);
    const compiled = compileClip(skeleton, clip, { frameRate: 30 });
    expect(compiled.frameCount).toBe(5);
    for (const time of [0.01, 0.09, 0.101, 0.105, 0.109, 0.11, 7]) {
      const [exact, shown] = poses(skeleton, clip, compiled, time);
      expect(vec3.distance(shown, 0, exact, 0)).toBeLessThan(FLOAT32_POSE);
    }
  });

  it('compiles a clip without tracks to one frame with the rest pose', () => {
    const skeleton = skeletonOf(2);
    const clip: Clip = { name: 'still', duration: 2, tracks: [] };
    const compiled = compileClip(skeleton, clip);
    expect([compiled.frameCount, compiled.frameStride, compiled.duration]).toEqual([1, 0, 2]);
    const [exact, shown] = poses(skeleton, clip, compiled, 1);
    expect([...shown]).toEqual([...exact]);
  });

  it('throws for a track of a node that the skeleton lacks, and for invalid options', () => {
    const clip = clipOf({
      target: 2,
      path: 'scale',
      interpolation: 'STEP',
      times: Float32Array.of(0),
      values: Float32Array.of(1, 1, 1),
    });
    expect(() => compileClip(skeletonOf(2), clip)).toThrow(/node 2, but the skeleton has 2 nodes/);
    expect(() => compileClip(skeletonOf(3), clip, { frameRate: 0 })).toThrow(RangeError);
    expect(() => compileClip(skeletonOf(3), clip, { tolerance: Number.NaN })).toThrow(RangeError);
  });
});

describe('locateFrame', () => {
  const clip = compileClip(
    skeletonOf(1),
    clipOf({
      target: 0,
      path: 'translation',
      interpolation: 'LINEAR',
      times: Float64Array.of(0, 0.1, 0.2),
      values: Float64Array.of(0, 0, 0, 1, 0, 0, 2, 2, 2),
    }),
    { frameRate: 10 },
  );

  it('clamps times before, after and beside the clip', () => {
    const out = new Float64Array(2);
    const cases: [number, number, number][] = [
      [-1, 0, 0],
      [0, 0, 0],
      [0.05, 0, 0.5],
      [0.2, 1, 1],
      [9, 1, 1],
      [Number.POSITIVE_INFINITY, 1, 1],
      [Number.NaN, 0, 0],
    ];
    for (const [time, frame, fraction] of cases) {
      locateFrame(out, 0, clip, time);
      expect(out[0]).toBe(frame);
      expect(out[1]).toBeCloseTo(fraction, 12);
    }
  });
});

describe.skipIf(!HAS_ASSETS)('compileClip on real motions', () => {
  it.each(sampledCases(MOTIONS(), 6))(
    '%s: nlerp between frames is within 0.05° of the keys, unless they need more than 480 frames per second',
    async (path) => {
      const { asset } = await openFile(path);
      for (const [index, { skeleton }] of asset.skeletons.entries()) {
        for (const { clips } of asset.clips.slice(0, 3)) {
          const clip = clips[index];
          if (clip.tracks.length === 0 || clip.duration > 30) continue;
          const { rotationError, frameRate } = compileClip(skeleton, clip);
          expect(rotationError).toBeLessThan(frameRate < 480 ? NLERP_RADIANS : HIGHEST_RATE_RADIANS);
        }
      }
    },
  );
});
