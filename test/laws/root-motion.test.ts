/** Root motion: where it is delivered changes no bone; in place means in place; a scaled one has the scaled speed. */
import { describe } from 'vitest';
import type { Clip, Track } from '../../src/core/animation/clip.ts';
import { sampleClip } from '../../src/core/animation/sample.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { findRootMotion } from '../../src/core/root-motion/find-root-motion.ts';
import { moveGroundPoint, scaleGroundMotion } from '../../src/core/root-motion/ground-motion.ts';
import { moveRootMotion } from '../../src/core/root-motion/move-root-motion.ts';
import { findRootBone, groundNodes } from '../../src/core/root-motion/root-bone.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { between, pick, type Random } from '../../src/demo/random.ts';
import { randomClip } from '../support/make/random-clip.ts';
import { type RigOptions, randomRig, randomVector } from '../support/make/random-rig.ts';
import {
  aboutAxis,
  apart,
  IDENTITY,
  inverse,
  plus,
  product,
  read,
  rotated,
  times,
  worldPose,
} from '../support/reference/plain.ts';
import { IN_PLACE, LAW_F64, ROOT_MOTION } from '../support/tolerances.ts';
import { law as baseLaw, largest, rotationError } from './law.ts';

/** Fewer cases than other laws: each one resamples whole clips. */
function law(title: string, tolerance: number, error: (random: Random) => number): void {
  baseLaw(title, tolerance, error, 200);
}

/** Largest distance of a bone, relative to the height, and largest angle between its rotations in two clips. */
function difference(humanoid: Humanoid, a: Clip, b: Clip): number {
  const nodes = Array.from(humanoid.map.nodes).filter((node) => node >= 0);
  const poseAt = (clip: Clip, time: number) => {
    const local = restPose(humanoid.skeleton);
    sampleClip(clip, time, local);
    return worldPose(humanoid.skeleton.parents, local);
  };
  const size = Math.max(humanoid.height, humanoid.hipsHeight) / humanoid.metersPerUnit;
  let worst = 0;
  for (let k = 0; k <= 20; k++) {
    const time = (k * a.duration) / 20;
    const [p, q] = [poseAt(a, time), poseAt(b, time)];
    worst = largest(
      worst,
      ...nodes.map((node) => apart(p.positions[node], q.positions[node]) / size),
      rotationError(
        nodes.map((node) => p.rotations[node]),
        nodes.map((node) => q.rotations[node]),
      ),
    );
  }
  return worst;
}

const RIG: RigOptions = { bones: 'all', detached: false };

/** Moves a node above the hips and turns it about the vertical, as root bones and armatures are. */
function withRootTracks(random: Random, humanoid: Humanoid, clip: Clip): Clip {
  const { skeleton } = humanoid;
  const target = pick(random, groundNodes(humanoid));
  const rest = read(skeleton.rest, 10 * target, 10);
  const rotations = worldPose(skeleton.parents, skeleton.rest).rotations;
  const above = skeleton.parents[target] < 0 ? IDENTITY : rotations[skeleton.parents[target]];
  const up = rotated(inverse(above), rotated(inverse([...humanoid.frame]), [0, 1, 0]));
  const keyTimes = Float32Array.from({ length: 5 }, (_, key) => (key * clip.duration) / 4);
  const rate = between(random, -1.5, 1.5);
  const size = 0.3 * (Math.hypot(...read(skeleton.rest, 10 * humanoid.map.nodes[0], 3)) + 1);
  const moved = Array.from(keyTimes, () => plus(rest.slice(0, 3), randomVector(random, size)));
  const turned = Array.from(keyTimes, (_, key) => product(aboutAxis(up, rate * key), rest.slice(3, 7)));
  const paths = pick(random, [['translation'], ['rotation'], ['translation', 'rotation']] as const);
  const tracks = paths.map((path): Track => {
    const values = Float64Array.from((path === 'rotation' ? turned : moved).flat());
    return { target, path, interpolation: 'LINEAR', times: keyTimes, values };
  });
  return { ...clip, tracks: [...clip.tracks, ...tracks] };
}

/** A rig with a node on the ground above the hips, and a clip; with root motion above the hips or in the hips only. */
function randomCase(random: Random, isAbove: boolean): { humanoid: Humanoid; clip: Clip } {
  for (;;) {
    const { humanoid } = randomRig(random, RIG);
    if (groundNodes(humanoid).length === 0) continue;
    const clip = randomClip(random, humanoid, { style: 'smooth', isShort: true });
    return { humanoid, clip: isAbove ? withRootTracks(random, humanoid, clip) : clip };
  }
}

/** The hips over the ground at a time: x and z, meters. */
function hipsOver(humanoid: Humanoid, clip: Clip, time: number): number[] {
  const local = restPose(humanoid.skeleton);
  sampleClip(clip, time, local);
  const position = worldPose(humanoid.skeleton.parents, local).positions[humanoid.map.nodes[0]];
  const [x, , z] = rotated([...humanoid.frame], times(position, humanoid.metersPerUnit));
  return [x, 0, z];
}

describe('moveRootMotion', () => {
  law('root-bone moves no bone, wherever the root motion was', ROOT_MOTION, (random) => {
    const { humanoid, clip } = randomCase(random, random() < 0.5);
    return difference(humanoid, clip, moveRootMotion(humanoid, clip, 'root-bone').clip);
  });

  law('hips moves no bone and leaves no root motion above the hips', ROOT_MOTION, (random) => {
    const { humanoid, clip } = randomCase(random, true);
    const moved = moveRootMotion(humanoid, clip, 'hips').clip;
    const { nodes } = findRootMotion(humanoid, moved);
    return nodes.length > 0 ? Number.NaN : difference(humanoid, clip, moved);
  });

  law('from the hips to the root bone and back is the identity', ROOT_MOTION, (random) => {
    const { humanoid, clip } = randomCase(random, false);
    const there = moveRootMotion(humanoid, clip, 'root-bone').clip;
    return difference(humanoid, clip, moveRootMotion(humanoid, there, 'hips').clip);
  });

  law('ends where it starts, and has no root motion left', IN_PLACE, (random) => {
    const { humanoid, clip } = randomCase(random, random() < 0.5);
    const still = moveRootMotion(humanoid, clip, 'in-place').clip;
    const drift = apart(hipsOver(humanoid, still, 0), hipsOver(humanoid, still, clip.duration));
    return drift / Math.max(humanoid.height, humanoid.hipsHeight);
  });
});

describe('scaleGroundMotion', () => {
  law('moves the hips of the target as those of the source, times the factor', LAW_F64, (random) => {
    const { humanoid: source, clip } = randomCase(random, true);
    const { humanoid: target } = randomRig(random, RIG);
    const factor = between(random, 0.2, 3);
    const { motion } = findRootMotion(source, clip);
    const scaled = scaleGroundMotion(motion, source, target, factor);
    const moved = (humanoid: Humanoid, by: typeof motion, time: number): [number, number] => {
      const [x, , z] = humanoid.reference.positions;
      const [toX, toZ] = moveGroundPoint(by, time, x, z);
      return [toX - x, toZ - z];
    };
    let worst = 0;
    for (const time of motion.times) {
      const [a, b] = [moved(source, motion, time), moved(target, scaled, time)];
      const size = 1 + Math.hypot(...a) * factor;
      worst = largest(worst, Math.hypot(b[0] - factor * a[0], b[1] - factor * a[1]) / size);
    }
    return worst;
  });
});

describe('findRootBone', () => {
  law('finds a node above the hips, on the ground', 0, (random) => {
    const { humanoid } = randomCase(random, false);
    const { node } = findRootBone(humanoid)!;
    let above = humanoid.skeleton.parents[humanoid.map.nodes[0]];
    while (above >= 0 && above !== node) above = humanoid.skeleton.parents[above];
    return above === node && groundNodes(humanoid).includes(node) ? 0 : 1;
  });
});
