import { describe, expect, test } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import { sampleTrack } from '../../../src/core/animation/sample.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { clipOf, tinyHumanoid, track } from '../../support/make/tiny-humanoid.ts';
import { expectNear } from '../../support/near.ts';
import { aboutAxis, IDENTITY } from '../../support/reference/plain.ts';
import { EXACT, RESAMPLED_HEIGHT } from '../../support/tolerances.ts';

const mounted = tinyHumanoid({ name: 'root' }, { name: 'hips', parent: 'root', at: [0, 1, 0] });
const plain = tinyHumanoid({ name: 'hips', at: [0, 1, 0] });

function hipsOf(tracks: readonly Track[], target: number): Track {
  const found = tracks.find((one) => one.target === target && one.path === 'translation');
  if (found === undefined) throw new Error('no hips translation');
  return found;
}

describe('hipsTracks', () => {
  test('resamples the arc of a rotating root within 1e-5 of the hips height', () => {
    const offset = tinyHumanoid({ name: 'root' }, { name: 'hips', parent: 'root', at: [0.5, 1, 0] });
    const rotating = track(offset, 'root', 'rotation', 'LINEAR', [0, 1], [IDENTITY, aboutAxis([0, 1, 0], 2)]);
    const arc = hipsOf(retargetClip(planRetarget(offset, plain), clipOf(rotating)).tracks, 0);
    const point = new Float64Array(3);
    for (let time = 0; time <= 1; time += 0.013) {
      sampleTrack(arc, time, point, 0);
      expectNear(point, [0.5 * Math.cos(2 * time) - 0.5, 1, -0.5 * Math.sin(2 * time)], RESAMPLED_HEIGHT);
    }
    // Chords within the tolerance of a half circle of 1 m are 1.2 cm long: 167 of them, and up to twice as many by bisection.
    expect(arc.times.length).toBeLessThan(300);
  });

  test('needs no more keys for hips at the origin of their parent node', () => {
    const atOrigin = tinyHumanoid({ name: 'pelvis', at: [0, 1, 0] }, { name: 'hips', parent: 'pelvis' });
    const rootMotion = track(
      mounted,
      'root',
      'translation',
      'LINEAR',
      [0, 1],
      [
        [0, 0, 0],
        [0, 0, 1],
      ],
    );
    const sway = track(
      mounted,
      'hips',
      'translation',
      'CUBICSPLINE',
      [0, 1],
      [
        [0, 0, 0],
        [0, 1, 0],
        [1, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 0],
      ],
    );
    const plan = planRetarget(mounted, plain);
    const count = hipsOf(retargetClip(plan, clipOf(rootMotion, sway)).tracks, 0).times.length;
    const other = hipsOf(retargetClip(planRetarget(mounted, atOrigin), clipOf(rootMotion, sway)).tracks, 1).times
      .length;
    expect(other).toBe(count);
    expect(count).toBeLessThan(400);
  });

  test('keeps its precision below an armature with a tiny scale', () => {
    const tiny = tinyHumanoid(
      { name: 'root', at: [3, 0, 0], scale: [1e-8, 1e-8, 1e-8] },
      { name: 'hips', parent: 'root', at: [-3e8, 1e8, 0] },
    );
    const values = [
      [-3e8, 1e8, 0],
      [-2e8, 1.5e8, 1e8],
    ];
    const source = track(tiny, 'hips', 'translation', 'LINEAR', [0, 1], values);
    const result = hipsOf(retargetClip(planRetarget(tiny, plain), clipOf(source)).tracks, 0);
    expectNear(result.values, [0, 1, 0, 1, 1.5, 1], EXACT);
  });

  test('writes one key if the hips and all nodes above are constant', () => {
    const moved = track(mounted, 'root', 'translation', 'STEP', [0], [[0, 0, 2]]);
    const { tracks } = retargetClip(planRetarget(mounted, plain), clipOf(moved));
    expect(tracks).toHaveLength(1);
    expect(tracks[0]).toMatchObject({ target: 0, path: 'translation', times: Float32Array.of(0) });
    expectNear(tracks[0].values, [0, 1, 2], EXACT);
  });

  test('keeps the jumps of a STEP track above the hips', () => {
    const jump = track(
      mounted,
      'root',
      'translation',
      'STEP',
      [0, 0.5],
      [
        [0, 0, 0],
        [1, 0, 0],
      ],
    );
    const result = hipsOf(retargetClip(planRetarget(mounted, plain), clipOf(jump)).tracks, 0);
    const point = new Float64Array(3);
    sampleTrack(result, 0.4999, point, 0);
    expectNear(point, [0, 1, 0], EXACT);
    sampleTrack(result, 0.5, point, 0);
    expectNear(point, [1, 1, 0], EXACT);
  });

  test('writes keys on a uniform grid with fps', () => {
    const walk = track(
      plain,
      'hips',
      'translation',
      'LINEAR',
      [0, 1],
      [
        [0, 1, 0],
        [0, 1, 2],
      ],
    );
    const result = hipsOf(retargetClip(planRetarget(plain, plain), clipOf(walk), { fps: 4 }).tracks, 0);
    expect(Array.from(result.times)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expectNear(result.values, [0, 1, 0, 0, 1, 0.5, 0, 1, 1, 0, 1, 1.5, 0, 1, 2], EXACT);
  });
});
