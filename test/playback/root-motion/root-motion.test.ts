import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { frameTimes } from '../../../src/core/animation/frame-times.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { findRootMotionNode } from '../../../src/core/humanoid/root-motion-node.ts';
import * as quat from '../../../src/core/math/quat.ts';
import * as vec3 from '../../../src/core/math/vec3.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { Player } from '../../../src/playback/player/player.ts';
import { planPlayerClip } from '../../../src/playback/player/player-clip.ts';
import { extractRootMotion } from '../../../src/playback/root-motion/extract-root-motion.ts';
import { applyRootMotion, sampleRootMotion } from '../../../src/playback/root-motion/root-motion.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { randomClip } from '../../support/make/random-clip.ts';
import { randomRig } from '../../support/make/random-rig.ts';
import { tPoseHumanoid } from '../../support/make/tiny-humanoid.ts';
import { worldPose } from '../../support/reference/plain.ts';
import { LAW_F64, MOVED_ROOT } from '../../support/tolerances.ts';

/** A character that walks 2 m ahead and rotates left by 90° within a second, with hips above an animated root. */
function walkInACurve(): { humanoid: ReturnType<typeof tPoseHumanoid>; clip: Clip } {
  const humanoid = tPoseHumanoid();
  const frames = 31;
  const times = Float64Array.from({ length: frames }, (_, k) => k / 30);
  const angle = (k: number): number => ((k / (frames - 1)) * Math.PI) / 2;
  const values = (list: (k: number) => number[]): Float64Array =>
    Float64Array.from(Array.from(times, (_, k) => list(k)).flat());
  const clip: Clip = {
    name: 'curve',
    duration: 1,
    tracks: [
      {
        target: 0,
        path: 'translation',
        interpolation: 'LINEAR',
        times,
        values: values((k) => [2 * (1 - Math.cos(angle(k))), 1 + 0.1 * Math.sin(4 * angle(k)), 2 * Math.sin(angle(k))]),
      },
      {
        target: 0,
        path: 'rotation',
        interpolation: 'LINEAR',
        times,
        values: values((k) => [0, Math.sin(angle(k) / 2), 0, Math.cos(angle(k) / 2)]),
      },
    ],
  };
  return { humanoid, clip };
}

describe('extractRootMotion', () => {
  it('gives a clip in place and a root motion that together are the clip, at its frames, on random rigs', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = makeRandom(seed);
        const { humanoid } = randomRig(random);
        const { skeleton } = humanoid;
        const clip = randomClip(random, humanoid, { style: 'smooth' });
        const node = findRootMotionNode(humanoid);
        const { clip: stationary, rootMotion } = extractRootMotion(skeleton, clip, node);
        const times = frameTimes(clip, 1 / rootMotion.frameRate);
        const whole = restPose(skeleton);
        const rest = restPose(skeleton);
        const motion = new Float64Array(4);
        for (let k = 0; k < times.length; k += 5) {
          sampleClip(clip, times[k], whole);
          sampleClip(stationary, times[k], rest);
          // Keys are on frames to 0.5 % of a frame.
          const nominal = k + 1 === times.length ? clip.duration : k / rootMotion.frameRate;
          sampleRootMotion(motion, rootMotion, Float64Array.of(nominal), 0);
          const position = new Float64Array(3);
          const orientation = Float64Array.of(0, 0, 0, 1);
          applyRootMotion(position, orientation, motion, rootMotion.up);
          const original = worldPose(skeleton.parents, whole);
          const moved = worldPose(skeleton.parents, rest);
          const hips = node.hips;
          const point = Float64Array.from(moved.positions[hips]);
          vec3.rotate(point, 0, orientation, 0, point, 0);
          vec3.add(point, 0, point, 0, position, 0);
          const size = Math.max(1, node.hipsHeight);
          expect(vec3.distance(point, 0, original.positions[hips], 0) / size).toBeLessThan(MOVED_ROOT);
          const rotation = Float64Array.from(moved.rotations[hips]);
          quat.multiply(rotation, 0, orientation, 0, rotation, 0);
          expect(quat.angleBetween(rotation, 0, original.rotations[hips], 0)).toBeLessThan(MOVED_ROOT);
        }
      }),
      { numRuns: lawRuns(200) },
    );
  });

  it('leaves height and tilt in the clip, and keeps the hips above one point', () => {
    const { humanoid, clip } = walkInACurve();
    const { clip: stationary, rootMotion } = extractRootMotion(humanoid.skeleton, clip, findRootMotionNode(humanoid));
    const pose = restPose(humanoid.skeleton);
    sampleClip(stationary, 0.5, pose);
    expect(Math.hypot(pose[0], pose[2])).toBeLessThan(LAW_F64);
    expect(Math.abs(pose[1] - 1 - 0.1 * Math.sin(Math.PI))).toBeLessThan(LAW_F64);
    expect(quat.angleBetween(pose, 3, [0, 0, 0, 1], 0)).toBeLessThan(LAW_F64);
    expect(rootMotion.samples[rootMotion.samples.length - 1]).toBeCloseTo(Math.PI / 2, 9);
  });

  it('returns a clip without root motion as it is', () => {
    const { humanoid, clip } = walkInACurve();
    const still = { ...clip, tracks: [{ ...clip.tracks[1], target: 1 }] };
    const found = extractRootMotion(humanoid.skeleton, still, findRootMotionNode(humanoid));
    expect(found.clip).toBe(still);
    expect(found.rootMotion.samples.every((value) => value === 0)).toBe(true);
  });

  it('counts whole rotations', () => {
    const { humanoid, clip } = walkInACurve();
    const times = Float64Array.from({ length: 9 }, (_, k) => k / 8);
    const values = Float64Array.from(
      Array.from(times, (t) => [0, Math.sin(3 * Math.PI * t), 0, Math.cos(3 * Math.PI * t)]).flat(),
    );
    const spin: Clip = { ...clip, tracks: [{ target: 0, path: 'rotation', interpolation: 'LINEAR', times, values }] };
    const { rootMotion } = extractRootMotion(humanoid.skeleton, spin, findRootMotionNode(humanoid));
    expect(rootMotion.samples[rootMotion.samples.length - 1]).toBeCloseTo(6 * Math.PI, 6);
  });
});

describe('root motion of a player', () => {
  it('adds up to the same path for any steps, over the seams of loops, forwards and backwards', () => {
    const { humanoid, clip } = walkInACurve();
    const planned = planPlayerClip(humanoid.skeleton, clip, { rootMotion: findRootMotionNode(humanoid) });
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -0.8, max: 2.6, noNaN: true }), { minLength: 1, maxLength: 12 }),
        (steps) => {
          const walk = (list: readonly number[]): number[] => {
            const player = new Player(humanoid.skeleton);
            player.action(planned).play();
            const position = new Float64Array(3);
            const orientation = Float64Array.of(0, 0, 0, 1);
            for (const seconds of list) {
              player.update(seconds);
              applyRootMotion(position, orientation, player.rootMotion, planned.rootMotion!.up);
            }
            return [...position, ...orientation.map((value) => value * Math.sign(orientation[3] || 1))];
          };
          const total = steps.reduce((sum, step) => sum + step, 0);
          const inSteps = walk(steps);
          const atOnce = walk([total]);
          // Between frames, root motion is linear: what is exact at frames is off by the height of an arc of 3°.
          expect(Math.max(...inSteps.map((value, k) => Math.abs(value - atOnce[k])))).toBeLessThan(LAW_F64 * 1e3);
        },
      ),
      { numRuns: lawRuns(300) },
    );
  });

  it('four rounds of a quarter circle end where they began', () => {
    const { humanoid, clip } = walkInACurve();
    const player = new Player(humanoid.skeleton);
    const planned = planPlayerClip(humanoid.skeleton, clip, { rootMotion: findRootMotionNode(humanoid) });
    player.action(planned).play();
    const position = new Float64Array(3);
    const orientation = Float64Array.of(0, 0, 0, 1);
    let farthest = 0;
    for (let k = 0; k < 240; k++) {
      player.update(1 / 60);
      applyRootMotion(position, orientation, player.rootMotion, planned.rootMotion!.up);
      farthest = Math.max(farthest, vec3.length(position, 0));
    }
    expect(farthest).toBeCloseTo(4, 2);
    expect(vec3.length(position, 0)).toBeLessThan(1e-6);
    expect(quat.angleBetween(orientation, 0, [0, 0, 0, 1], 0)).toBeLessThan(1e-6);
  });

  it('goes back and forth in ping-pong, and up to the end of an action that plays once', () => {
    const { humanoid, clip } = walkInACurve();
    const planned = planPlayerClip(humanoid.skeleton, clip, { rootMotion: findRootMotionNode(humanoid) });
    const distance = (loop: 'once' | 'pingPong', seconds: readonly number[]): number => {
      const player = new Player(humanoid.skeleton);
      player.action(planned).setLoop(loop).play();
      const position = new Float64Array(3);
      const orientation = Float64Array.of(0, 0, 0, 1);
      for (const step of seconds) {
        player.update(step);
        applyRootMotion(position, orientation, player.rootMotion, planned.rootMotion!.up);
      }
      return vec3.length(position, 0);
    };
    expect(distance('pingPong', [0.7, 0.7, 0.6])).toBeLessThan(LAW_F64);
    expect(distance('once', [0.7, 0.7, 0.6])).toBeCloseTo(2 * Math.SQRT2, 6);
  });

  it('is weighted as the poses are', () => {
    const { humanoid, clip } = walkInACurve();
    const planned = planPlayerClip(humanoid.skeleton, clip, { rootMotion: findRootMotionNode(humanoid) });
    const player = new Player(humanoid.skeleton);
    player.action(planned).play().setEffectiveWeight(0.5);
    player.update(0.5);
    expect(player.rootMotion[3]).toBeCloseTo(Math.PI / 8, 9);
    player.action(planned).play().setEffectiveWeight(1.5);
    player.update(0.25);
    expect(player.rootMotion[3]).toBeCloseTo(Math.PI / 8, 9);
  });
});
