/** Motions in which hands touch, made by two-bone inverse kinematics of their own: a clap, hands on the hips, on the head and on the knees, and hands that stroke the thighs. */
import type { Clip, Track } from '../../src/core/animation/clip.ts';
import { radiusToward } from '../../src/core/contacts/surface/radius-map.ts';
import { BONE, type BoneName, SIDES, type Side } from '../../src/core/humanoid/bones.ts';
import { aboutAxis, inverse, product, type Quaternion, rotated, type Vector } from '../support/reference/plain.ts';
import type { DemoBody } from './demo-pair.ts';

/** What the hands do. */
export type TouchKind = 'clap' | 'hips' | 'head' | 'knees' | 'stroke';
export const TOUCH_KINDS: readonly TouchKind[] = ['clap', 'hips', 'head', 'knees'];

const FPS = 60;

const add = (a: Vector, b: Vector, factor = 1): Vector => [
  a[0] + factor * b[0],
  a[1] + factor * b[1],
  a[2] + factor * b[2],
];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const scaled = (a: Vector, size: number): Vector => {
  const factor = size / Math.hypot(...a);
  return [a[0] * factor, a[1] * factor, a[2] * factor];
};

/** Rotation by the angle between two perpendicular projections around an axis. */
const around = (axis: Vector, from: Vector, to: Vector): Quaternion =>
  aboutAxis(scaled(axis, 1), Math.atan2(dot(cross(from, to), scaled(axis, 1)), dot(from, to)));

/** Rotation that maps two perpendicular directions to two others. */
function frameRotation(from: readonly [Vector, Vector], to: readonly [Vector, Vector]): Quaternion {
  const axis = cross(from[0], to[0]);
  const isAlong = Math.hypot(...axis) < 1e-9;
  const first = around(isAlong ? from[1] : axis, from[0], to[0]);
  return product(around(to[0], rotated(first, from[1]), to[1]), first);
}

/** A wrist at a time: where it is, where the fingers point, where the palm looks, and where the elbow goes. */
interface Wrist {
  readonly at: Vector;
  readonly fingers: Vector;
  readonly palm: Vector;
  readonly elbow: Vector;
}

/** Eases from 0 (away) to 1 (touching) and back. */
function closeness(time: number, duration: number): number {
  const t = Math.min(1, Math.max(0, Math.min(time, duration - time) / 0.5 - 0.4));
  return t * t * t * (10 - 15 * t + 6 * t * t);
}

function wristAt(kind: TouchKind, side: Side, body: DemoBody, time: number, duration: number): Wrist {
  const { humanoid, surface } = body;
  const x = side === 'left' ? 1 : -1;
  const joint = (name: BoneName): Vector =>
    [...humanoid.reference.positions.subarray(3 * BONE[name], 3 * BONE[name] + 3)] as unknown as Vector;
  const radius = (name: BoneName, along: number, direction: Vector): number =>
    radiusToward(surface.radii[BONE[name]]!, along, Float64Array.from(direction), 0);
  const palm = radius(`${side}Hand`, 0.4 * surface.radii[BONE[`${side}Hand`]]!.to, [0, -1, 0]);
  const shoulder = joint(`${side}UpperArm`);
  const arm = Math.abs(joint(`${side}Hand`)[0] - shoulder[0]);
  const near = closeness(time, duration);
  if (kind === 'clap') {
    const apart = 0.25 * arm * (1 - Math.cos(2 * Math.PI * 2 * time)) * 0.5;
    return {
      at: [x * (palm + apart), shoulder[1] - 0.15 * arm, shoulder[2] + 0.6 * arm],
      fingers: scaled([0, 0.6, 0.8], 1),
      palm: [-x, 0, 0],
      elbow: [x, -1, -0.3],
    };
  }
  if (kind === 'hips') {
    const hips = joint('hips');
    const out = radius('hips', 0, [x, 0, 0]) + palm + 0.25 * arm * (1 - near);
    return {
      at: [x * out, hips[1] + 0.03, hips[2] - 0.06],
      fingers: [0, -0.3, 1],
      palm: [-x, 0, 0],
      elbow: [x, 0, -0.6],
    };
  }
  if (kind === 'head') {
    const head = joint('head');
    const up = surface.radii[BONE.head]!.to * 0.6;
    const out = radius('head', up, [x, 0, 0]) + palm + 0.3 * arm * (1 - near);
    return {
      at: [x * out, head[1] + up - 0.3 * palm, head[2] - 0.02],
      fingers: [0, 1, -0.2],
      palm: [-x, 0, 0],
      elbow: [x, -0.4, 0.5],
    };
  }
  // Thighs point to the front. A hand strokes along most of its thigh and back in 0.4 s, at up to 0.7 heights per second.
  const along = kind === 'stroke' ? 0.6 + 0.2 * Math.sin((2 * Math.PI * time) / 0.4) : 0.7;
  const hip = joint(`${side}UpperLeg`);
  const length = hip[1] - joint(`${side}LowerLeg`)[1];
  const thick = radius(`${side}UpperLeg`, 0.75 * length, [0, 0, 1]);
  return {
    at: [hip[0], hip[1] + thick + palm + 0.3 * arm * (1 - near), hip[2] + along * length],
    fingers: [0, 0, 1],
    palm: [0, -1, 0],
    elbow: [x, -0.2, -0.5],
  };
}

/** Makes a clip of 2 seconds in which both hands of a character touch. */
export function touchMotion(kind: TouchKind, body: DemoBody, duration = 2): Clip {
  const { humanoid } = body;
  const { skeleton, map, reference } = humanoid;
  const count = Math.round(duration * FPS) + 1;
  const times = Float64Array.from({ length: count }, (_, frame) => frame / FPS);
  const tracks = new Map<BoneName, Float64Array>();
  const restOf = (node: number): Quaternion => {
    const bone = map.nodes.indexOf(node);
    return [...reference.rotations.subarray(4 * bone, 4 * bone + 4)] as unknown as Quaternion;
  };
  /** Writes the local rotation of a bone below a parent whose world delta is known. */
  const write = (name: BoneName, frame: number, delta: Quaternion, parentDelta: Quaternion): void => {
    const node = map.nodes[BONE[name]];
    const parent = product(parentDelta, restOf(skeleton.parents[node]));
    const values = tracks.get(name) ?? new Float64Array(4 * count);
    values.set(product(inverse(parent), product(delta, restOf(node))), 4 * frame);
    tracks.set(name, values);
  };
  const still: Quaternion = [0, 0, 0, 1];
  for (let frame = 0; frame < count; frame++) {
    for (const side of SIDES) {
      const x = side === 'left' ? 1 : -1;
      const joint = (name: BoneName): Vector =>
        [...reference.positions.subarray(3 * BONE[name], 3 * BONE[name] + 3)] as unknown as Vector;
      const [shoulder, elbow, hand] = [joint(`${side}UpperArm`), joint(`${side}LowerArm`), joint(`${side}Hand`)];
      const [upper, lower] = [Math.abs(elbow[0] - shoulder[0]), Math.abs(hand[0] - elbow[0])];
      const wrist = wristAt(kind, side, body, times[frame], duration);
      const way = add(wrist.at, shoulder, -1);
      const reach = Math.min(Math.hypot(...way), 0.999 * (upper + lower));
      const direction = scaled(way, 1);
      const cosine = (upper * upper + reach * reach - lower * lower) / (2 * upper * reach);
      const across = scaled(add(wrist.elbow, direction, -dot(wrist.elbow, direction)), 1);
      const bent = add(scaled(direction, upper * cosine), across, upper * Math.sqrt(1 - cosine * cosine));
      const forearm = add(scaled(direction, reach), bent, -1);
      const hinge = scaled(cross(bent, forearm), 1);
      const open: Vector = [0, side === 'left' ? -1 : 1, 0];
      const upperDelta = frameRotation([[x, 0, 0], open], [scaled(bent, 1), hinge]);
      const lowerDelta = frameRotation([[x, 0, 0], open], [scaled(forearm, 1), hinge]);
      const fingers = scaled(wrist.fingers, 1);
      const palm = scaled(add(wrist.palm, fingers, -dot(wrist.palm, fingers)), 1);
      const handDelta = frameRotation(
        [
          [x, 0, 0],
          [0, -1, 0],
        ],
        [fingers, palm],
      );
      write(`${side}UpperArm`, frame, upperDelta, still);
      write(`${side}LowerArm`, frame, lowerDelta, upperDelta);
      write(`${side}Hand`, frame, handDelta, lowerDelta);
      if (kind !== 'knees' && kind !== 'stroke') continue;
      const thigh: Quaternion = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];
      write(`${side}UpperLeg`, frame, thigh, still);
      write(`${side}LowerLeg`, frame, still, thigh);
    }
  }
  const all = [...tracks].map(([name, values]): Track => {
    return { target: map.nodes[BONE[name]], path: 'rotation', interpolation: 'LINEAR', times, values };
  });
  return { name: kind, duration: (count - 1) / FPS, tracks: all };
}
