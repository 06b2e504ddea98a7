/** The ruler finds mistakes that are planted in random results, and reports nothing on those that are as they should be. */
import { describe } from 'vitest';
import type { Clip, Track } from '../../src/core/animation/clip.ts';
import { lastKeyTime } from '../../src/core/animation/clip.ts';
import { sampleClip } from '../../src/core/animation/sample.ts';
import { trimClip } from '../../src/core/animation/trim-clip.ts';
import { BONE, BONE_MIRRORS, type BoneName, FINGERS, SIDES } from '../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import * as vec3 from '../../src/core/math/vec3.ts';
import { describeBody } from '../../src/core/measure/body.ts';
import { measureResult } from '../../src/core/measure/ruler.ts';
import { type Finding, judgeFigures } from '../../src/core/measure/verdict.ts';
import { planRetarget } from '../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../src/core/retarget/retarget-clip.ts';
import { between, pick, type Random } from '../../src/demo/random.ts';
import { IS_FULL_RUN } from '../support/law-runs.ts';
import { randomClip } from '../support/make/random-clip.ts';
import { randomRig } from '../support/make/random-rig.ts';
import { randomTPose } from '../support/make/t-pose.ts';
import {
  aboutAxis,
  angle,
  inverse,
  product,
  type Quaternion,
  read,
  rotated,
  times,
  type Vector,
  worldPose,
} from '../support/reference/plain.ts';
import { law } from './law.ts';

/** Samples per second: mistakes are longer than that. */
const FPS = 12;

interface Result {
  readonly source: Humanoid;
  readonly clip: Clip;
  readonly target: Humanoid;
  readonly result: Clip;
}

/** Stretches a clip in time. */
function stretched(clip: Clip, factor: number): Clip {
  const tracks = clip.tracks.map((track) => ({ ...track, times: track.times.map((time) => time * factor) }));
  return { ...clip, tracks, duration: lastKeyTime(tracks) };
}

/**
 * A random motion on two rigs of the same proportions with other sizes, axes, units, trees, joint axes and bones. Of other proportions, feet of plain
 * retargeting are not on the ground, which is a finding.
 */
function randomResult(random: Random): Result {
  const body = randomTPose(random, true);
  const lowest = body.reduce((low, value, k) => (k % 3 === 1 ? Math.min(low, value) : low), Number.POSITIVE_INFINITY);
  for (let k = 1; k < body.length; k += 3) body[k] += 0.03 - lowest;
  const size = between(random, 0.3, 3);
  const rig = (positions: Float64Array, bones: 'all' | 'random'): Humanoid =>
    randomRig(random, {
      body: positions,
      bones,
      symmetric: true,
      frame: pick(random, ['canonical', 'upright']),
      restIsReference: true,
      detached: false,
    }).humanoid;
  const source = rig(body, 'all');
  const target = rig(
    body.map((value) => value * size),
    pick(random, ['all', 'all', 'random']),
  );
  const wild = randomClip(random, source, {
    style: pick(random, ['smooth', 'smooth', 'wild']),
    interpolations: ['LINEAR'],
  });
  const clip = stretched(wild, between(random, 2, 5) / Math.max(0.1, wild.duration));
  return { source, clip, target, result: retargetClip(planRetarget(source, target), clip) };
}

function findings({ source, clip, target }: Result, result: Clip): readonly Finding[] {
  const [from, to] = [source, target].map(({ skeleton, map }) => describeBody({ skeleton, nodes: map.nodes }));
  const { figures } = measureResult({ body: from, clip }, { body: to, clip: result }, { fps: FPS, skinFps: 0 });
  return judgeFigures(figures).findings;
}

/** Returns a result with a mistake; null where the motion would not show it. */
type Plant = (random: Random, made: Result) => Clip | null;

function edited(
  clip: Clip,
  target: number,
  path: Track['path'],
  edit: (value: number[], key: number, time: number) => readonly number[],
): Clip {
  const width = path === 'rotation' ? 4 : 3;
  const tracks = clip.tracks.map((track) => {
    if (track.target !== target || track.path !== path) return track;
    const each = track.interpolation === 'CUBICSPLINE' ? 3 : 1;
    const values = Float64Array.from(track.values);
    for (let k = 0; k * width * each < values.length; k++) {
      const at = (k * each + (each === 3 ? 1 : 0)) * width;
      values.set(edit(read(values, at, width), k, track.times[k]), at);
    }
    return { ...track, values };
  });
  return { ...clip, tracks };
}

/** Gives a node a track with evenly spaced keys over the clip. */
function withDenseTrack(clip: Clip, { skeleton }: Humanoid, target: number, path: 'rotation' | 'translation'): Clip {
  const times = Float64Array.from({ length: 24 }, (_, k) => (clip.duration * k) / 23);
  const [width, from] = path === 'rotation' ? [4, 3] : [3, 0];
  const local = Float64Array.from(skeleton.rest);
  const values = Array.from(times).flatMap((time) => {
    sampleClip(clip, time, local);
    return read(local, 10 * target + from, width);
  });
  const others = clip.tracks.filter((track) => track.target !== target || track.path !== path);
  const track: Track = { target, path, interpolation: 'LINEAR', times, values: Float64Array.from(values) };
  return { ...clip, tracks: [...others, track] };
}

const DEGREE = Math.PI / 180;

/** Rotations at all keys of a node. */
function keysOf({ tracks }: Clip, target: number): Quaternion[] {
  const track = tracks.find((one) => one.target === target && one.path === 'rotation');
  if (track === undefined) return [];
  const [each, from] = track.interpolation === 'CUBICSPLINE' ? [12, 4] : [4, 0];
  return Array.from(track.times, (_, k) => read(track.values, k * each + from, 4));
}

/** Segments of limbs from a bone to the joint that shows its direction. */
const LIMB_BONES: readonly (readonly [string, string])[] = [
  ['UpperArm', 'LowerArm'],
  ['LowerArm', 'Hand'],
  ['UpperLeg', 'LowerLeg'],
  ['LowerLeg', 'Foot'],
];

const node = ({ map }: Humanoid, name: string): number => map.nodes[BONE[name as BoneName]];

/** Any direction across another. */
function crosswise(random: Random, v: Vector): number[] {
  for (;;) {
    const other = [between(random, -1, 1), between(random, -1, 1), between(random, -1, 1)];
    const cross = [
      v[1] * other[2] - v[2] * other[1],
      v[2] * other[0] - v[0] * other[2],
      v[0] * other[1] - v[1] * other[0],
    ];
    const length = Math.hypot(...cross);
    if (length > 0.1 * Math.hypot(...v)) return times(cross, 1 / length) as number[];
  }
}

/** Offset of a joint in the space of a bone, in the rest pose; null where nodes between them move. */
function offsetOf({ skeleton }: Humanoid, from: number, to: number): Vector {
  const { positions, rotations } = worldPose(skeleton.parents, skeleton.rest);
  const difference = positions[to].map((value, k) => value - positions[from][k]);
  return rotated(inverse(rotations[from]), difference);
}

const PLANTS: Readonly<Record<string, Plant>> = {
  'a limb that is rotated by 10°': (random, { target, result }) => {
    const [bone, next] = pick(random, LIMB_BONES).map((part) => `${pick(random, SIDES)}${part}`);
    const side = pick(random, SIDES);
    const [from, to] = [bone, next].map((name) => node(target, name.replace(/^(?:left|right)/, side)));
    const axis = crosswise(random, offsetOf(target, from, to));
    const turn = aboutAxis(axis, (10 * Math.PI) / 180);
    return edited(withDenseTrack(result, target, from, 'rotation'), from, 'rotation', (q) =>
      product(q as unknown as Quaternion, turn),
    );
  },
  'left and right swapped': (_, { source, target, clip }) => {
    const nodes = Int32Array.from(BONE_MIRRORS, (mirror) => source.map.nodes[mirror]);
    const rotations = new Float64Array(source.reference.rotations.length);
    BONE_MIRRORS.forEach((mirror, bone) => {
      rotations.set(source.reference.rotations.slice(4 * mirror, 4 * mirror + 4), 4 * bone);
    });
    const swapped = { ...source, map: { ...source.map, nodes }, reference: { ...source.reference, rotations } };
    return retargetClip(planRetarget(swapped, target), clip);
  },
  'a mirrored root': (_, { target, result }) => {
    const hips = target.map.nodes[0];
    const { parents, rest } = target.skeleton;
    const parent = parents[hips];
    const above = parent < 0 ? null : worldPose(parents, rest).rotations[parent];
    const toCanonical =
      above === null ? (target.frame as unknown as Quaternion) : product(target.frame as unknown as Quaternion, above);
    const restHips = worldPose(parents, rest).rotations[hips];
    const standing = product(target.frame as unknown as Quaternion, restHips);
    const mirrored = (q: readonly number[]): readonly number[] => {
      const world = product(toCanonical, q as unknown as Quaternion);
      const delta = product(world, inverse(standing));
      return product(inverse(toCanonical), [delta[0], -delta[1], -delta[2], delta[3]], standing);
    };
    const turns = keysOf(result, hips).map((q) => angle(q, mirrored(q) as Quaternion));
    return Math.max(0, ...turns) < 40 * DEGREE ? null : edited(result, hips, 'rotation', mirrored);
  },
  '5 cm lower': (_, made) => moved(made, () => [0, -0.05 / 1.7, 0]),
  'a slide': (random, made) => {
    const side = pick(random, [-1, 1]);
    const [x, z] = sideways(made);
    return moved(made, (time) => times([x, 0, z], (side * 0.12 * time) / made.result.duration) as number[]);
  },
  'one finger off by a phalanx': (random, { target, result }) => {
    const fingers = SIDES.flatMap((side) => FINGERS.map((finger) => `${side}${finger}`)).filter((finger) =>
      ['Proximal', 'Intermediate', 'Distal'].every((part) => node(target, finger + part) >= 0),
    );
    if (fingers.length === 0) return null;
    const finger = pick(random, fingers);
    const [from, to] = ['Proximal', 'Intermediate'].map((part) => node(target, finger + part));
    const offset = offsetOf(target, from, to);
    const rest = rotated(read(target.skeleton.rest, 10 * from + 3, 4), offset);
    const bends = keysOf(result, from).map((q) => vec3.angleBetween(rotated(q, offset), 0, rest, 0));
    if (Math.max(0, ...bends) < 25 * DEGREE) return null;
    return shiftedFinger(target, result, finger);
  },
  'half speed': (_, { result }) => stretched(result, 2),
  '1 s missing': (_, { result }) => trimClip(result, 0, result.duration - 1),
};

/** Moves the hips in the canonical frame, in heights of the character. */
function moved({ target, result }: Result, by: (time: number) => number[]): Clip {
  const hips = target.map.nodes[0];
  const { parents, rest } = target.skeleton;
  const parent = parents[hips];
  const world = worldPose(parents, rest);
  const toCanonical =
    parent < 0
      ? (target.frame as unknown as Quaternion)
      : product(target.frame as unknown as Quaternion, world.rotations[parent]);
  let scale = 1;
  for (let above = parent; above >= 0; above = parents[above]) scale *= rest[10 * above + 7];
  const unit = target.height / target.metersPerUnit / scale;
  return edited(withDenseTrack(result, target, hips, 'translation'), hips, 'translation', (p, _key, time) => {
    const offset = rotated(inverse(toCanonical), times(by(time), unit));
    return p.map((value, c) => value + offset[c]);
  });
}

/** Horizontal direction across the way of a result, canonical frame. */
function sideways({ target, result }: Result): [number, number] {
  const track = result.tracks.find(({ target: at, path }) => at === target.map.nodes[0] && path === 'translation');
  if (track === undefined) return [1, 0];
  const { parents, rest } = target.skeleton;
  const parent = parents[target.map.nodes[0]];
  const world = worldPose(parents, rest);
  const toCanonical =
    parent < 0
      ? (target.frame as unknown as Quaternion)
      : product(target.frame as unknown as Quaternion, world.rotations[parent]);
  const last = track.values.length - 3;
  const way = rotated(
    toCanonical,
    [0, 1, 2].map((c) => track.values[last + c] - track.values[c]),
  );
  const length = Math.hypot(way[0], way[2]);
  return length > 0 ? [-way[2] / length, way[0] / length] : [1, 0];
}

/** Gives every bone of a finger the rotation, since the reference pose, of the bone before it. */
function shiftedFinger(target: Humanoid, result: Clip, finger: string): Clip | null {
  const nodes = ['Proximal', 'Intermediate', 'Distal'].map((part) => node(target, finger + part));
  const rest = nodes.map((at) => read(target.skeleton.rest, 10 * at + 3, 4));
  const tracks = nodes.map((at) => result.tracks.find(({ target: own, path }) => own === at && path === 'rotation'));
  const others = result.tracks.filter(({ target: own, path }) => !(path === 'rotation' && nodes.includes(own)));
  const made = nodes.slice(1).flatMap((at, k): Track[] => {
    const from = tracks[k];
    if (from === undefined) return [];
    const values = Float64Array.from(from.values);
    for (let i = 0; i < values.length; i += 4) {
      const own = product(inverse(rest[k]), read(values, i, 4));
      values.set(product(rest[k + 1], own), i);
    }
    return [{ ...from, target: at, values }];
  });
  return tracks.every((track) => track === undefined) ? null : { ...result, tracks: [...others, ...made] };
}

describe('the ruler', () => {
  law(
    'reports nothing on random results that are as they should be, and finds every planted mistake',
    0,
    (random) => {
      const made = randomResult(random);
      const wrongly = findings(made, made.result);
      if (wrongly.length > 0) throw new Error(`nothing is wrong: ${wrongly.map(({ message }) => message).join('; ')}`);
      for (const [name, plant] of Object.entries(PLANTS)) {
        let [wrong, shown] = [plant(random, made), made];
        while (wrong === null) {
          shown = randomResult(random);
          wrong = plant(random, shown);
        }
        if (findings(shown, wrong).length === 0) throw new Error(`${name} is not found`);
      }
      return 0;
    },
    IS_FULL_RUN ? 1000 : 300,
  );
});
