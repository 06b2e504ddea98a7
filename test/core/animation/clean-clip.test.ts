import { describe, expect, it } from 'vitest';
import { cleanClip } from '../../../src/core/animation/clean/clean-clip.ts';
import type { Clip, Track } from '../../../src/core/animation/clip.ts';
import type { Skeleton } from '../../../src/core/skeleton/skeleton.ts';

const FPS = 60;
const FRAMES = 240;
const RADIANS = Math.PI / 180;

/** An arm of two bones along +X, each 0.3 m long. */
const ARM: Skeleton = {
  name: 'arm',
  names: ['upper', 'lower', 'hand'],
  parents: Int32Array.of(-1, 0, 1),
  rest: Float64Array.from([0, 0.3, 0.3].flatMap((x) => [x, 0, 0, 0, 0, 0, 1, 1, 1, 1])),
  bind: null,
  joints: Uint8Array.of(1, 1, 1),
};

/** Normally distributed numbers, the same in every run. */
function createNoise(): () => number {
  let seed = 12345;
  const random = (): number => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  return () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
}

/** Rotations about +Z by `degrees` of each frame, and about +X and +Y by noise of so many degrees. */
function rotations(target: number, degrees: (frame: number) => number, noise = 0): Track {
  const next = createNoise();
  const values = Float64Array.from({ length: 4 * FRAMES }, () => 0);
  for (let frame = 0; frame < FRAMES; frame++) {
    const half = [0, 0, degrees(frame)].map((angle) => ((angle + noise * next()) * RADIANS) / 2);
    const q = [half[0], half[1], Math.sin(half[2]), Math.cos(half[2])];
    const size = Math.hypot(...q);
    values.set(
      q.map((value) => value / size),
      4 * frame,
    );
  }
  const times = Float64Array.from({ length: FRAMES }, (_, frame) => frame / FPS);
  return { target, path: 'rotation', interpolation: 'LINEAR', times, values };
}

function clipOf(...tracks: Track[]): Clip {
  return { name: 'take', duration: (FRAMES - 1) / FPS, tracks };
}

/** Angle of a rotation from that about +Z, degrees. */
function errorAt({ values }: Track, frame: number, degrees: number): number {
  const half = (degrees * RADIANS) / 2;
  const cosine = values[4 * frame + 2] * Math.sin(half) + values[4 * frame + 3] * Math.cos(half);
  return (2 * Math.acos(Math.min(1, Math.abs(cosine)))) / RADIANS;
}

/** Largest speed of rotation, degrees per second. */
function peakOf({ values }: Track): number {
  let peak = 0;
  for (let at = 8; at < values.length; at += 4) {
    const cosine = [0, 1, 2, 3].reduce((sum, c) => sum + values[at + c] * values[at - 8 + c], 0);
    peak = Math.max(peak, (2 * Math.acos(Math.min(1, Math.abs(cosine))) * FPS) / 2 / RADIANS);
  }
  return peak;
}

/** An arm that rests, and punches in a fifth of a second around the middle. */
const punch = (frame: number): number => 110 / (1 + Math.exp(-(frame - FRAMES / 2) / 2));

describe('cleanClip', () => {
  it('divides the jitter by more than 5 and keeps the peak of a punch within 5 %', () => {
    const noisy = rotations(0, punch, 1);
    const { clip, report } = cleanClip(
      ARM,
      clipOf(
        noisy,
        rotations(1, () => 20, 1.5),
      ),
    );
    expect(report.jitterBefore).toBeGreaterThan(1);
    expect(report.jitterAfter).toBeLessThan(report.jitterBefore / 5);
    const peak = peakOf(rotations(0, punch));
    expect(peak).toBeGreaterThan(800);
    expect(Math.abs(peakOf(clip.tracks[0]) / peak - 1)).toBeLessThan(0.05);
    // Where the arm rests, four fifths of the noise are gone.
    let sum = 0;
    for (let frame = 20; frame < 90; frame++) sum += errorAt(clip.tracks[0], frame, punch(frame)) / 70;
    expect(sum).toBeLessThan(0.5);
  });

  it('keeps the end of an arm where it is although each of its joints shakes', () => {
    // The lower arm undoes the noise of the upper one, as trackers of positions have it.
    const upper = rotations(0, () => 0, 3);
    const back = Float64Array.from(upper.values, (value, k) => (k % 4 === 3 ? value : -value));
    const { clip } = cleanClip(ARM, clipOf(upper, { ...upper, target: 1, values: back }));
    const [a, b] = clip.tracks.map(({ values }) => values);
    for (let frame = 0; frame < FRAMES; frame++)
      for (let c = 0; c < 3; c++) expect(Math.abs(a[4 * frame + c] + b[4 * frame + c])).toBeLessThan(2e-3);
  });

  it('leaves a clip without noise as it is', () => {
    const clip = clipOf(
      rotations(0, (frame) => 60 * Math.sin(frame / 20)),
      rotations(1, punch),
    );
    expect(cleanClip(ARM, clip).clip).toBe(clip);
  });

  it.each([
    ['a spike of one frame', 1, 30],
    ['a flip of ten frames', 10, 180],
  ])('bridges %s on the curve', (_, length, size) => {
    const swing = (frame: number): number => 40 * Math.sin(frame / 30);
    const isBad = (frame: number): boolean => frame >= 100 && frame < 100 + length;
    const { clip, report } = cleanClip(ARM, clipOf(rotations(0, (frame) => swing(frame) + (isBad(frame) ? size : 0))));
    expect(report.spikes).toBe(1);
    for (let frame = 0; frame < FRAMES; frame++)
      expect(errorAt(clip.tracks[0], frame, swing(frame))).toBeLessThan(isBad(frame) ? 0.5 : 0.01);
  });

  it('bridges keys that are missing on the curve', () => {
    const swing = (frame: number): number => 40 * Math.sin(frame / 15);
    const whole = rotations(0, swing);
    const kept = Array.from({ length: FRAMES }, (_, frame) => frame).filter((frame) => frame < 100 || frame >= 115);
    const track = {
      ...whole,
      times: whole.times.filter((_, frame) => kept.includes(frame)),
      values: Float64Array.from(kept.flatMap((frame) => [...whole.values.subarray(4 * frame, 4 * frame + 4)])),
    };
    const { clip, report } = cleanClip(ARM, clipOf(track, rotations(1, swing)));
    expect(report).toMatchObject({ spikes: 0, gaps: 1 });
    for (let frame = 100; frame < 115; frame++) expect(errorAt(clip.tracks[0], frame, swing(frame))).toBeLessThan(1);
  });

  it('takes neither a pose that stays nor a fast wave for a spike', () => {
    const steps = clipOf(rotations(0, (frame) => (frame < 100 ? 0 : 90)));
    expect(cleanClip(ARM, steps).report.spikes).toBe(0);
    // Six times per second by 30° to both sides.
    const wave = clipOf(rotations(0, (frame) => 30 * Math.sin((2 * Math.PI * 6 * frame) / FPS)));
    expect(cleanClip(ARM, wave).report.spikes).toBe(0);
  });

  it('smooths the path of the hips', () => {
    const next = createNoise();
    const times = Float64Array.from({ length: FRAMES }, (_, frame) => frame / FPS);
    const values = Float64Array.from(
      { length: 3 * FRAMES },
      (_, k) => (k % 3 === 0 ? times[Math.floor(k / 3)] : 0) + 0.01 * next(),
    );
    const track: Track = { target: 0, path: 'translation', interpolation: 'LINEAR', times, values };
    const { values: smooth } = cleanClip(ARM, clipOf(track)).clip.tracks[0];
    let sum = 0;
    for (let frame = 0; frame < FRAMES; frame++)
      sum += Math.hypot(smooth[3 * frame] - times[frame], smooth[3 * frame + 1], smooth[3 * frame + 2]) ** 2;
    // A third of the noise of 1 cm in three directions.
    expect(Math.sqrt(sum / FRAMES)).toBeLessThan(0.0058);
  });

  it('returns clips of a few frames, and clips that do not move, as they are', () => {
    const short = {
      name: '',
      duration: 0.05,
      tracks: [rotations(0, punch)].map((track) => ({
        ...track,
        times: track.times.slice(0, 4),
        values: track.values.slice(0, 16),
      })),
    };
    expect(cleanClip(ARM, short).clip).toBe(short);
    const still = clipOf(rotations(0, () => 10));
    expect(cleanClip(ARM, still)).toEqual({
      clip: still,
      report: { jitterBefore: 0, jitterAfter: 0, spikes: 0, gaps: 0 },
    });
  });
});
