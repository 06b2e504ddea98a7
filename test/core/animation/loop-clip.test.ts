import { describe, expect, it } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import { loopClip } from '../../../src/core/animation/loop-clip.ts';
import { travellerOf } from '../../../src/core/humanoid/traveller.ts';
import { bareSkeleton } from '../../make/rig-text.ts';
import { clipOf, tBody, track } from '../../make/tiny-humanoid.ts';
import { expectNear } from '../../near.ts';
import { aboutAxis, type Quaternion } from '../../reference/plain.ts';
import { EXACT } from '../../tolerances.ts';

const BODY = tBody();
const STILL: Quaternion = [0, 0, 0, 1];

/** The last key of the hips when they go from (0, 1, 0) to a point and turn by some degrees about an axis. */
function endOf(
  point: readonly number[],
  degrees = 0,
  axis: readonly number[] = [0, 1, 0],
): { at: number[]; turn: number[] } {
  const turn = aboutAxis(axis, (degrees * Math.PI) / 180);
  const clip = clipOf(
    track(BODY, 'hips', 'translation', 'LINEAR', [0, 2], [[0, 1, 0], point]),
    track(BODY, 'hips', 'rotation', 'LINEAR', [0, 2], [STILL, turn]),
  );
  const { tracks } = loopClip(BODY.skeleton, clip, travellerOf(BODY));
  return { at: Array.from(tracks[0].values.subarray(3)), turn: Array.from(tracks[1].values.subarray(4)) };
}

describe('loopClip', () => {
  it('keeps the way of a walk and closes what went up, down or askew', () => {
    const { at, turn } = endOf([0.1, 1.05, 1.4], 10, [1, 0, 0]);
    expectNear(at, [0.1, 1, 1.4], EXACT);
    expectNear(turn, STILL, EXACT);
  });

  it('closes a drift shorter than a quarter of the height of the hips', () => {
    expectNear(endOf([0.17, 1, 0.17]).at, [0, 1, 0], EXACT);
    expectNear(endOf([0.18, 1, 0.18]).at, [0.18, 1, 0.18], EXACT);
  });

  it('keeps a turn of 15° about the vertical and closes a smaller one', () => {
    expectNear(endOf([0, 1, 0], 14).turn, STILL, EXACT);
    expectNear(endOf([0, 1, 0], -16).turn, aboutAxis([0, 1, 0], (-16 * Math.PI) / 180), EXACT);
    expectNear(endOf([0, 1, 0], 180).turn.map(Math.abs), [0, 1, 0, 0], EXACT);
  });

  it('keeps only the vertical part of a turn', () => {
    const { turn } = endOf([0, 1, 0], 90, [0.1, 1, 0]);
    expect(turn[0]).toBeCloseTo(0, 12);
    expect(turn[2]).toBeCloseTo(0, 12);
    expect(2 * Math.atan2(turn[1], turn[3])).toBeGreaterThan(1.5);
  });

  it('closes everything of a body that is not known to travel', () => {
    const clip = clipOf(
      track(
        BODY,
        'hips',
        'translation',
        'LINEAR',
        [0, 2],
        [
          [0, 1, 0],
          [0, 1, 5],
        ],
      ),
    );
    expect(Array.from(loopClip(BODY.skeleton, clip).tracks[0].values)).toEqual([0, 1, 0, 0, 1, 0]);
  });

  it('leaves the travel on the node that had it, and closes the hips against it', () => {
    const skeleton = bareSkeleton(['root', 'hips'], [-1, 0]);
    const times = new Float32Array([0, 1]);
    const moved = (target: number, ...values: number[]): Track => ({
      target,
      path: 'translation',
      interpolation: 'LINEAR',
      times,
      values: Float64Array.from(values),
    });
    const clip = clipOf(moved(0, 0, 0, 0, 0, 0, 1.4), moved(1, 0, 1, 0, 0.02, 1.01, 0.03));
    const { tracks } = loopClip(skeleton, clip, { ...travellerOf(BODY), hips: 1 });
    expect(tracks[0]).toBe(clip.tracks[0]);
    expectNear(tracks[1].values, [0, 1, 0, 0, 1, 0], EXACT);
  });

  it('leaves alone what is closed, tracks of one key and clips that last no time', () => {
    const closed = track(BODY, 'spine', 'rotation', 'LINEAR', [0, 1, 2], [STILL, [1, 0, 0, 0], STILL]);
    const single = track(BODY, 'head', 'rotation', 'LINEAR', [1], [[1, 0, 0, 0]]);
    const { tracks } = loopClip(BODY.skeleton, clipOf(closed, single), travellerOf(BODY));
    expect(tracks[0]).toBe(closed);
    expect(tracks[1]).toBe(single);
    const pose = clipOf(track(BODY, 'spine', 'rotation', 'LINEAR', [0], [STILL]));
    expect(loopClip(BODY.skeleton, pose)).toBe(pose);
  });

  it('closes a track that ends before the others at the end of the clip', () => {
    const long = track(BODY, 'head', 'rotation', 'LINEAR', [0, 4], [STILL, STILL]);
    const short = track(BODY, 'spine', 'rotation', 'LINEAR', [1, 2], [STILL, aboutAxis([1, 0, 0], 1)]);
    const { tracks, duration } = loopClip(BODY.skeleton, clipOf(long, short), travellerOf(BODY));
    expect(duration).toBe(4);
    expect(Array.from(tracks[1].times)).toEqual([0, 1, 2, 4]);
    expectNear(tracks[1].values.subarray(12), STILL, EXACT);
    expectNear(tracks[1].values.subarray(0, 4), STILL, EXACT);
  });
});
