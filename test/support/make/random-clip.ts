/** Random poses and clips of random rigs. */
import { type Clip, type Interpolation, lastKeyTime, type Track } from '../../../src/core/animation/clip.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { between, pick, type Random, randomRotation } from '../../../src/demo/random.ts';
import { aboutAxis, product, type Quaternion, read } from '../reference/plain.ts';
import { randomVector } from './random-rig.ts';

export interface MotionOptions {
  /** Non-bone nodes move too: armatures, nodes between bones, end nodes. */
  readonly others?: boolean;
  /** Bones other than the hips get translations and scales. */
  readonly stretch?: boolean;
}

/** Returns a local pose: bones with random rotations, the hips moved, other channels according to the options. */
export function randomPose(random: Random, { skeleton, map }: Humanoid, options: MotionOptions = {}): Float64Array {
  const local = Float64Array.from(skeleton.rest);
  const bones = new Set(map.nodes);
  for (let node = 0; node < skeleton.parents.length; node++) {
    const isBone = bones.has(node);
    if (!isBone && !options.others) continue;
    if (random() < 0.9) local.set(randomRotation(random), 10 * node + 3);
    if (node === map.nodes[0] || !isBone || options.stretch) moveBy(random, local, node);
    if (isBone ? options.stretch : options.others) resize(random, local, node, isBone);
  }
  return local;
}

/** Moves a node by up to about its distance from its parent. */
function moveBy(random: Random, local: Float64Array, node: number): void {
  const size = Math.hypot(...read(local, 10 * node, 3)) || 1;
  for (let c = 0; c < 3; c++) local[10 * node + c] += between(random, -size, size) / 2;
}

/** Scales a node; non-bone nodes uniformly. */
function resize(random: Random, local: Float64Array, node: number, byAxis: boolean): void {
  const factor = between(random, 0.5, 2);
  for (let c = 7; c < 10; c++) local[10 * node + c] *= byAxis ? between(random, 0.5, 2) : factor;
}

export interface ClipChoice extends MotionOptions {
  /** `smooth`: neighboring keys are near each other; `wild`: they are random. */
  readonly style?: 'smooth' | 'wild';
  /** Allowed interpolations; all by default. */
  readonly interpolations?: readonly Interpolation[];
  /** Short clips, up to 4 keys per track instead of 7: for laws that resample, where each segment costs hundreds of samples. */
  readonly isShort?: boolean;
}

/** Returns increasing float32 key times. */
function randomTimes(random: Random, least: number, isShort: boolean): Float32Array {
  const count = least + Math.floor(random() * (isShort ? 3 : 6));
  const times: number[] = [];
  let time = pick(random, [0, 0, between(random, 0, 0.5)]);
  for (let key = 0; key < count; key++) {
    times.push(time);
    time += between(random, 0.05, 0.4);
  }
  return Float32Array.from(times);
}

function rotationValues(random: Random, keys: number, smooth: boolean, start: Quaternion): Quaternion[] {
  const values: Quaternion[] = [];
  let value = smooth ? start : randomRotation(random);
  for (let key = 0; key < keys; key++) {
    values.push(value);
    value = smooth
      ? product(value, aboutAxis(randomVector(random, 1), between(random, -0.6, 0.6)))
      : randomRotation(random);
  }
  return values;
}

/** Returns CUBICSPLINE values. Tangents point towards the neighbors, so that no spline runs through zero. */
function withTangents(random: Random, values: readonly (readonly number[])[], times: Float32Array): number[] {
  return values.flatMap((value, key) => {
    const before = Math.max(0, key - 1);
    const after = Math.min(values.length - 1, key + 1);
    const span = times[after] - times[before];
    const tangent = (): number[] =>
      value.map((_, c) => (between(random, 0.5, 1.5) * (values[after][c] - values[before][c])) / span);
    return [...tangent(), ...value, ...tangent()];
  });
}

/** Returns a clip of a rig: tracks with their own or shared key times, some nodes without tracks. */
export function randomClip(random: Random, { skeleton, map }: Humanoid, choice: ClipChoice = {}): Clip {
  const smooth = (choice.style ?? pick(random, ['smooth', 'wild'] as const)) === 'smooth';
  const isShort = choice.isShort === true;
  const interpolations = choice.interpolations ?? ['STEP', 'LINEAR', 'CUBICSPLINE'];
  const shared = random() < 0.5 ? randomTimes(random, 2, isShort) : null;
  const bones = new Set(map.nodes);
  const tracks: Track[] = [];
  const add = (target: number, path: Track['path'], make: (keys: number) => (readonly number[])[]): void => {
    const asked = pick(random, interpolations);
    // Quaternion splines with random keys run through zero, where they have no direction: these tracks are LINEAR.
    const interpolation = asked === 'CUBICSPLINE' && path === 'rotation' && !smooth ? 'LINEAR' : asked;
    const times = shared ?? randomTimes(random, interpolation === 'CUBICSPLINE' ? 2 : 1, isShort);
    const keys = make(times.length);
    const values = interpolation === 'CUBICSPLINE' ? withTangents(random, keys, times) : keys.flat();
    tracks.push({ target, path, interpolation, times, values: Float64Array.from(values) });
  };
  for (let node = 0; node < skeleton.parents.length; node++) {
    const isBone = bones.has(node);
    if (!isBone && !(choice.others && random() < 0.5)) continue;
    if (random() < 0.85) {
      add(node, 'rotation', (keys) => rotationValues(random, keys, smooth, read(skeleton.rest, 10 * node + 3, 4)));
    }
    const rest = read(skeleton.rest, 10 * node, 3);
    const size = 0.5 * (Math.hypot(...rest) || 1);
    const around = (keys: number): number[][] =>
      Array.from({ length: keys }, () => rest.map((x) => x + between(random, -size, size)));
    if (node === map.nodes[0] || !isBone || choice.stretch) add(node, 'translation', around);
    if (isBone ? choice.stretch : random() < 0.3) {
      add(node, 'scale', (keys) => Array.from({ length: keys }, () => new Array(3).fill(between(random, 0.5, 2))));
    }
  }
  return { name: 'random', duration: lastKeyTime(tracks), tracks };
}
