/** Players against the AnimationMixer of three.js: the same commands give the same poses and the same events. */
import fc from 'fast-check';
import {
  AdditiveAnimationBlendMode,
  type AnimationAction,
  AnimationClip,
  AnimationMixer,
  LoopOnce,
  LoopPingPong,
  LoopRepeat,
  Object3D,
  QuaternionKeyframeTrack,
  VectorKeyframeTrack,
} from 'three';
import { expect, it } from 'vitest';
import type { Clip, Track } from '../../../src/core/animation/clip.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { makeRandom, type Random } from '../../../src/demo/random.ts';
import type { LoopMode, PlayerAction } from '../../../src/playback/player/action.ts';
import { Player } from '../../../src/playback/player/player.ts';
import { planPlayerClip } from '../../../src/playback/player/player-clip.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { PLAYED_CLIP } from '../../support/tolerances.ts';

const NODES = 4;
const names = Array.from({ length: NODES }, (_, node) => `node${node}`);
const LOOPS: readonly [LoopMode, typeof LoopOnce | typeof LoopRepeat | typeof LoopPingPong][] = [
  ['once', LoopOnce],
  ['repeat', LoopRepeat],
  ['pingPong', LoopPingPong],
];

function randomQuaternion(random: Random): number[] {
  const q = Array.from({ length: 4 }, () => random() - 0.5);
  const length = Math.hypot(...q);
  return q.map((value) => value / length);
}

function randomSkeleton(random: Random): Skeleton {
  const rest = new Float64Array(NODES * POSE_STRIDE);
  for (let node = 0; node < NODES; node++) {
    rest.set([random(), random(), random(), ...randomQuaternion(random), 1, 1, 1], node * POSE_STRIDE);
  }
  return {
    name: '',
    names,
    parents: Int32Array.from(names, (_, k) => k - 1),
    rest,
    bind: null,
    joints: new Uint8Array(NODES),
  };
}

/** Creates a clip that animates some of the nodes slowly, so that its compiled form needs few frames. */
function randomClip(random: Random, name: string): Clip {
  const frames = 4 + Math.floor(8 * random());
  const times = Float64Array.from({ length: frames }, (_, k) => k / 8);
  const tracks: Track[] = [];
  for (let target = 0; target < NODES; target++) {
    if (random() < 0.7) {
      const values = new Float64Array(4 * frames);
      values.set(randomQuaternion(random));
      for (let k = 1; k < frames; k++) {
        for (let c = 0; c < 4; c++) values[4 * k + c] = values[4 * k - 4 + c] + 0.1 * (random() - 0.5);
        quat.normalize(values, 4 * k, values, 4 * k);
      }
      tracks.push({ target, path: 'rotation', interpolation: 'LINEAR', times, values });
    }
    if (random() < 0.5) {
      const values = Float64Array.from({ length: 3 * frames }, () => random() - 0.5);
      tracks.push({ target, path: 'translation', interpolation: 'LINEAR', times, values });
    }
  }
  return { name, duration: times[frames - 1], tracks };
}

function clipInThree({ name, duration, tracks }: Clip): AnimationClip {
  return new AnimationClip(
    name,
    duration,
    tracks.map(({ target, path, times, values }) =>
      path === 'rotation'
        ? new QuaternionKeyframeTrack(`${names[target]}.quaternion`, [...times], [...values])
        : new VectorKeyframeTrack(`${names[target]}.position`, [...times], [...values]),
    ),
  );
}

function rootInThree({ rest }: Skeleton): Object3D {
  const objects = names.map((name, node) => {
    const object = new Object3D();
    object.name = name;
    object.position.fromArray(rest, node * POSE_STRIDE);
    object.quaternion.fromArray(rest, node * POSE_STRIDE + PATH_OFFSET.rotation);
    return object;
  });
  objects.forEach((object, node) => {
    if (node > 0) objects[node - 1].add(object);
  });
  return new Object3D().add(objects[0]);
}

/** The same action in both players. */
interface Pair {
  readonly ours: PlayerAction;
  readonly theirs: AnimationAction;
}

/** Commands that change a pair; each draws its own numbers. */
function command(random: Random, { ours, theirs }: Pair, other: Pair, now: number): void {
  // three.js stores the times of fades as float32, so one of no duration is at its start or at its end.
  const amount = 0.05 + 2 * random();
  switch (Math.floor(14 * random())) {
    case 0:
      ours.play();
      theirs.play();
      break;
    case 1:
      if (random() < 0.5) return;
      ours.stop();
      theirs.stop();
      break;
    case 2:
      ours.fadeIn(amount);
      theirs.fadeIn(amount);
      break;
    case 3:
      ours.fadeOut(amount);
      theirs.fadeOut(amount);
      break;
    case 4: {
      const warp = random() < 0.5;
      ours.reset().play();
      theirs.reset().play();
      other.ours.reset().play();
      other.theirs.reset().play();
      ours.crossFadeTo(other.ours, amount + 0.1, warp);
      theirs.crossFadeTo(other.theirs, amount + 0.1, warp);
      break;
    }
    case 5: {
      const [mode, constant] = LOOPS[Math.floor(3 * random())];
      const repetitions = random() < 0.5 ? Number.POSITIVE_INFINITY : 1 + Math.floor(3 * random());
      const clamp = random() < 0.5;
      ours.reset().setLoop(mode, repetitions).clampWhenFinished = clamp;
      theirs.reset().setLoop(constant, repetitions).clampWhenFinished = clamp;
      break;
    }
    case 6:
      ours.setEffectiveWeight(amount);
      theirs.setEffectiveWeight(amount);
      break;
    case 7: {
      const speed = 0.1 + amount;
      ours.setEffectiveTimeScale(speed);
      theirs.setEffectiveTimeScale(speed);
      break;
    }
    case 8:
      ours.paused = !ours.paused;
      theirs.paused = !theirs.paused;
      break;
    case 9:
      ours.startAt(now + amount);
      theirs.startAt(now + amount);
      break;
    case 10:
      ours.halt(amount + 0.1);
      theirs.halt(amount + 0.1);
      break;
    case 11:
      ours.setDuration(0.5 + amount);
      theirs.setDuration(0.5 + amount);
      break;
    case 12:
      ours.reset().setEffectiveTimeScale(-0.5 - amount);
      theirs.reset().setEffectiveTimeScale(-0.5 - amount);
      break;
    default:
      ours.syncWith(other.ours);
      theirs.syncWith(other.theirs);
  }
}

it('Player: plays, fades, warps, loops and reports as AnimationMixer of three.js', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const random = makeRandom(seed);
      const skeleton = randomSkeleton(random);
      const root = rootInThree(skeleton);
      const player = new Player(skeleton);
      const mixer = new AnimationMixer(root);
      const pairs = Array.from({ length: 3 }, (_, k): Pair => {
        const clip = randomClip(random, `clip ${k}`);
        const isAdditive = k === 2;
        const theirs = clipInThree(clip);
        if (!isAdditive) {
          return { ours: player.action(planPlayerClip(skeleton, clip)), theirs: mixer.clipAction(theirs) };
        }
        // The values of a clip are differences from the identity pose already.
        const identity = new Float64Array(NODES * POSE_STRIDE);
        for (let node = 0; node < NODES; node++) identity[node * POSE_STRIDE + PATH_OFFSET.rotation + 3] = 1;
        theirs.blendMode = AdditiveAnimationBlendMode;
        return {
          ours: player.action(planPlayerClip(skeleton, clip, { additiveTo: identity })),
          theirs: mixer.clipAction(theirs),
        };
      });
      const events: string[] = [];
      const eventsInThree: string[] = [];
      let endsPingPong = false;
      player.onEvent = ({ type, action, loops }) => {
        events.push(`${type} ${action.clip.name} ${loops}`);
        if (type === 'finished' && action.loopMode === 'pingPong') endsPingPong = true;
      };
      mixer.addEventListener('loop', ({ action, loopDelta }) => {
        eventsInThree.push(`loop ${action.getClip().name} ${loopDelta}`);
      });
      mixer.addEventListener('finished', ({ action, direction }) => {
        eventsInThree.push(`finished ${action.getClip().name} ${direction}`);
      });
      for (const { ours, theirs } of pairs.slice(0, 2)) {
        ours.play();
        theirs.play();
      }
      for (let frame = 0; frame < 25; frame++) {
        if (random() < 0.6) {
          const k = Math.floor(3 * random());
          command(random, pairs[k], pairs[(k + 1) % 2], player.time);
        }
        if (random() < 0.05) player.timeScale = mixer.timeScale = 0.2 + random();
        endsPingPong = false;
        const step = random() < 0.1 ? 0 : 0.5 * random();
        player.update(step);
        mixer.update(step);
        // three.js updates its actions in another order after one has stopped.
        expect(events.toSorted()).toEqual(eventsInThree.toSorted());
        // three.js shows the wrong end of the clip in the very update in which a ping-pong ends.
        if (endsPingPong) continue;
        root.traverse((object) => {
          const node = names.indexOf(object.name);
          if (node < 0) return;
          const at = node * POSE_STRIDE;
          const rotation = quat.angleBetween(player.pose, at + 3, object.quaternion.toArray(), 0);
          const off = Math.hypot(...object.position.toArray().map((value, c) => value - player.pose[at + c]));
          expect(rotation, `rotation of node ${node}, frame ${frame}`).toBeLessThan(PLAYED_CLIP);
          expect(off, `translation of node ${node}, frame ${frame}`).toBeLessThan(PLAYED_CLIP);
        });
      }
    }),
    { numRuns: lawRuns(500) },
  );
});
