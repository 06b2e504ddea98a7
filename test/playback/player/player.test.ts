/** What the comparison with three.js in test/external/oracle does not cover. */
import { describe, expect, it } from 'vitest';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { Player } from '../../../src/playback/player/player.ts';
import { planPlayerClip } from '../../../src/playback/player/player-clip.ts';
import { bytesPerCall } from '../../allocation/bytes-per-call.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { randomClip } from '../../support/make/random-clip.ts';
import { randomRig } from '../../support/make/random-rig.ts';
import { COMPILED_RADIANS, NO_ALLOCATION } from '../../support/tolerances.ts';

const random = makeRandom(9);
const { humanoid } = randomRig(random);
const { skeleton } = humanoid;
const clip = randomClip(random, humanoid, { style: 'smooth' });
const planned = planPlayerClip(skeleton, clip);

describe('Player', () => {
  it('shows a single clip as sampleClip', () => {
    const player = new Player(skeleton);
    player.action(planned).play();
    player.update(clip.duration / 3);
    const exact = restPose(skeleton);
    sampleClip(clip, clip.duration / 3, exact);
    for (let at: number = PATH_OFFSET.rotation; at < exact.length; at += POSE_STRIDE) {
      expect(quat.angleBetween(player.pose, at, exact, at)).toBeLessThan(COMPILED_RADIANS);
    }
  });

  it('shows the rest pose before, and after all actions stopped', () => {
    const player = new Player(skeleton);
    const action = player.action(planned).play();
    const rest = Float32Array.from(skeleton.rest);
    expect(player.pose).toEqual(rest);
    player.update(0.1);
    expect(player.pose).not.toEqual(rest);
    player.stopAll();
    player.update(0.1);
    expect(player.pose).toEqual(rest);
    expect(action.time).toBe(0);
  });

  it('ends a ping-pong of two rounds at the start of the clip, in the update in which it ends', () => {
    const player = new Player(skeleton);
    const action = player.action(planned).setLoop('pingPong', 2).play();
    action.clampWhenFinished = true;
    player.update(0.6 * clip.duration);
    player.update(0.6 * clip.duration);
    player.update(1.6 * clip.duration);
    expect(action.span.times[1]).toBe(0);
    player.update(0.1);
    expect(action.span.times[1]).toBe(0);
  });

  describe('reports the events of a clip', () => {
    const steps = [
      { time: 0, name: 'a' },
      { time: 0.4 * clip.duration, name: 'b' },
      { time: 0.9 * clip.duration, name: 'c' },
    ];
    const stepped = planPlayerClip(skeleton, clip, { events: [...steps].reverse() });

    /** Plays rounds of the clip in updates of these lengths, in clips; returns what was reported. */
    const reported = (lengths: readonly number[], mode: 'repeat' | 'pingPong' | 'once', scale = 1): string => {
      const player = new Player(skeleton);
      const action = player.action(stepped).play();
      action.loopMode = mode;
      action.timeScale = scale;
      if (scale < 0) action.time = clip.duration;
      let names = '';
      player.onEvent = ({ type, name, loops }) => {
        if (type === 'event') names += loops > 0 ? name : name.toUpperCase();
      };
      for (const length of lengths) player.update(length * clip.duration);
      return names;
    };

    it('once a round, whatever the length of updates', () => {
      for (let run = 0; run < 50; run++) {
        const lengths = Array.from({ length: 12 }, () => 0.05 + 0.4 * random());
        const total = lengths.reduce((sum, length) => sum + length, 0);
        const expected = steps.reduce((sum, { time }) => sum + Math.ceil(total - time / clip.duration - 1e-9), 0);
        const names = reported(lengths, 'repeat');
        expect(names).toBe('abc'.repeat(Math.ceil(total)).slice(0, expected));
      }
    });

    it('backwards in reverse order, and in both directions in a ping-pong', () => {
      expect(reported([0.3, 0.3, 0.3, 0.3], 'repeat', -1)).toBe('CBAC');
      expect(reported([0.5, 0.7, 0.5, 0.5], 'pingPong')).toBe('abcCBAa');
    });

    it('up to the end of a clip that plays once, and not again', () => {
      expect(reported([0.5, 0.7, 0.5], 'once')).toBe('abc');
    });
  });

  it('plays a clip without duration as a pose', () => {
    const player = new Player(skeleton);
    const still = planPlayerClip(skeleton, { name: 'pose', duration: 0, tracks: [] });
    const action = player.action(still).play();
    player.update(0.1);
    expect(action.enabled).toBe(true);
    expect(player.pose).toEqual(Float32Array.from(skeleton.rest));
  });

  it('throws for a clip of another skeleton', () => {
    const track = { ...clip.tracks[0], target: skeleton.parents.length };
    expect(() => planPlayerClip(skeleton, { ...clip, tracks: [track] })).toThrow(/Pass a clip of this skeleton/);
  });

  it.runIf(IS_FULL_RUN)(
    'allocates nothing in a frame with fades, masks, additive layers, root motion and events',
    async () => {
      expect(await bytesPerCall(new URL('player.probe.ts', import.meta.url))).toBeLessThan(NO_ALLOCATION);
    },
    30_000,
  );
});
