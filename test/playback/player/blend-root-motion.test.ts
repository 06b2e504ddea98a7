import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clip } from '../../../src/core/animation/clip.ts';
import type { RootMotionNode } from '../../../src/core/animation/loop-clip.ts';
import type { Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { Player } from '../../../src/playback/player/player.ts';
import { type PlayerClip, planPlayerClip } from '../../../src/playback/player/player-clip.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { LAW_F32 } from '../../support/tolerances.ts';

const [ROOT, HIPS, SPINE] = [0, 1, 2];
const skeleton: Skeleton = {
  name: 'tiny',
  names: ['root', 'hips', 'spine'],
  parents: Int32Array.of(-1, ROOT, HIPS),
  rest: Float32Array.from([0, 1, 0].flatMap((y) => [0, y, 0, 0, 0, 0, 1, 1, 1, 1])),
  bind: null,
  joints: Uint8Array.of(1, 1, 1),
};
const rootMotion: RootMotionNode = { hips: HIPS, up: Float64Array.of(0, 1, 0), hipsHeight: 1 };

/** A clip of one second: its hips are raised by `raise` meters and walk `raise` meters a second, or pitch by `pitch` and turn by `pitch` radians a second. */
function hipsClip({ raise = 0, pitch = 0 }): Clip {
  const times = Float64Array.from({ length: 31 }, (_, k) => k / 30);
  const rotations = Array.from(times, (time) => {
    const [tilt, yaw] = [pitch / 2, (pitch * time) / 2];
    const [cos, sin] = [Math.cos(yaw), Math.sin(yaw)];
    return [cos * Math.sin(tilt), sin * Math.cos(tilt), -sin * Math.sin(tilt), cos * Math.cos(tilt)];
  });
  const values = Float64Array.from(Array.from(times, (time) => [0, 1 + raise, raise * time]).flat());
  const hips = { target: HIPS, interpolation: 'LINEAR', times } as const;
  return {
    name: 'hips',
    duration: 1,
    tracks: [
      { ...hips, path: 'translation', values },
      { ...hips, path: 'rotation', values: Float64Array.from(rotations.flat()) },
    ],
  };
}

/** A clip of one second that raises the spine. */
const nod: Clip = {
  name: 'nod',
  duration: 1,
  tracks: [
    {
      target: SPINE,
      path: 'rotation',
      interpolation: 'LINEAR',
      times: Float64Array.of(0, 1),
      values: Float64Array.of(0, 0, 0, 1, 0.6, 0, 0, 0.8),
    },
  ],
};
const walk = planPlayerClip(skeleton, hipsClip({ raise: 1 }), { rootMotion });
const turn = planPlayerClip(skeleton, hipsClip({ pitch: 0.5 }), { rootMotion });
const stay = planPlayerClip(skeleton, hipsClip({}));
const nodding = planPlayerClip(skeleton, nod);

interface Layered {
  readonly clip: PlayerClip;
  readonly weight: number;
  readonly mask: readonly number[] | null;
  readonly layer: number;
  readonly fade: number;
}

const layered: fc.Arbitrary<Layered> = fc.record({
  clip: fc.oneof(
    fc
      .double({ min: -1, max: 1, noNaN: true })
      .map((raise) => planPlayerClip(skeleton, hipsClip({ raise }), { rootMotion })),
    fc
      .double({ min: -1, max: 1, noNaN: true })
      .map((pitch) => planPlayerClip(skeleton, hipsClip({ pitch }), { rootMotion })),
    fc.constantFrom(stay, nodding),
  ),
  weight: fc.double({ min: 0, max: 3, noNaN: true }),
  mask: fc.option(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 })),
  layer: fc.integer({ min: 0, max: 2 }),
  fade: fc.constantFrom(-2, 0, 2),
});

/** Plays actions for half a second, in which they can fade in (`fade` > 0) or out. */
function play(actions: readonly Partial<Layered>[]): Player {
  const player = new Player(skeleton);
  for (const { clip = walk, weight = 1, mask = null, layer = 0, fade = 0 } of actions) {
    const action = player.action(clip).play();
    action.weight = weight;
    action.mask = mask && Float32Array.from(mask);
    action.layer = layer;
    if (fade > 0) action.fadeIn(fade);
    else if (fade < 0) action.fadeOut(-fade);
  }
  player.update(0.5);
  return player;
}

describe('root motion of a blend', () => {
  it('has the weights that the pose has at the hips, for any weights, masks, layers and fades', () => {
    fc.assert(
      fc.property(fc.array(layered, { minLength: 1, maxLength: 6 }), (actions) => {
        const { pose, rootMotion } = play(actions);
        if (!actions.some(({ clip, weight }) => clip.rootMotion !== null && weight > 0)) return;
        // By the clips, what the blend raises the hips by is its speed, and its pitch is its speed of turning.
        const at = 10 * HIPS;
        const raise = pose[at + 1] - 1;
        const pitch = 2 * Math.atan2(pose[at + 3], pose[at + 6]);
        expect(Math.abs(rootMotion[2] - 0.5 * raise)).toBeLessThan(LAW_F32);
        expect(Math.abs(rootMotion[3] - 0.5 * pitch)).toBeLessThan(LAW_F32);
      }),
      { numRuns: lawRuns() },
    );
  });

  it.each([0, 1, 10])('is that of the walk below a masked clip of weight %s', (weight) => {
    for (const clip of [stay, turn, nodding]) {
      for (const layer of [0, 1]) {
        const { rootMotion } = play([{ clip: walk }, { clip, weight, layer, mask: [0, 0, 1] }]);
        expect([...rootMotion]).toEqual([0, 0, 0.5, 0]);
      }
    }
  });

  it('is that of the walk beside a clip without tracks of the hips', () => {
    expect([...play([{ clip: walk }, { clip: nodding }]).rootMotion]).toEqual([0, 0, 0.5, 0]);
  });

  it('is that of the upper layer where its mask has the hips, in proportion to mask and weight', () => {
    const half = play([{ clip: walk }, { clip: turn, layer: 1, weight: 0.5, mask: [1, 1, 1] }]).rootMotion;
    expect([half[2], half[3]]).toEqual([0.25, expect.closeTo(0.125, 9)]);
    const quarter = play([{ clip: walk }, { clip: stay, layer: 1, weight: 0.5, mask: [1, 0.5, 1] }]).rootMotion;
    expect(quarter[2]).toBeCloseTo(0.375, 9);
    const all = play([{ clip: turn, layer: 1 }, { clip: walk }]).rootMotion;
    expect([all[2], all[3]]).toEqual([0, expect.closeTo(0.25, 9)]);
  });

  it('takes the mask of the root where the root carries the motion', () => {
    const tracks = hipsClip({ raise: 1 }).tracks.map((track) => ({ ...track, target: ROOT }));
    const onRoot = planPlayerClip(skeleton, { name: 'root', duration: 1, tracks }, { rootMotion });
    expect(play([{ clip: onRoot, mask: [1, 0, 0] }]).rootMotion[2]).toBeCloseTo(0.5, 9);
    expect(play([{ clip: onRoot, mask: [0, 1, 1] }]).rootMotion[2]).toBe(0);
  });
});

describe('layers of a player', () => {
  it('replace those below, in any order of their actions', () => {
    const spineOf = (actions: readonly Partial<Layered>[]): number => play(actions).pose[10 * SPINE + 3];
    const alone = spineOf([{ clip: nodding }]);
    const still = planPlayerClip(skeleton, {
      ...nod,
      tracks: [{ ...nod.tracks[0], values: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1) }],
    });
    expect(alone).toBeGreaterThan(0.3);
    expect(spineOf([{ clip: still }, { clip: nodding, layer: 1 }])).toBeCloseTo(alone, 6);
    expect(
      spineOf([
        { clip: nodding, layer: 1 },
        { clip: still, weight: 10 },
      ]),
    ).toBeCloseTo(alone, 6);
    expect(spineOf([{ clip: still }, { clip: nodding, layer: 1, mask: [1, 1, 0] }])).toBe(0);
    const angle = (sine: number): number => 2 * Math.asin(sine);
    expect(angle(spineOf([{ clip: still }, { clip: nodding, layer: 1, weight: 0.25 }]))).toBeCloseTo(
      angle(alone) / 4,
      5,
    );
  });
});
