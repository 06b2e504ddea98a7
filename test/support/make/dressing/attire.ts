/** Chains of joints for hair, ears, tails, skirts, capes, wings, props and the like. */
import { between, pick, type Random } from '../../../../src/demo/random.ts';
import { minus, plus, times, type Vector } from '../../reference/plain.ts';
import { appendJoint, at, direction, type Figure, type GrowingRig, mirroredPoint } from './growing-rig.ts';

/** Adds one kind of attire to a rig. */
export type Attire = (random: Random, rig: GrowingRig, figure: Figure) => void;

/** The course of a chain: components to the left, upwards and to the front. */
interface Course {
  /** First joint relative to the node that it is attached to, units of the file. */
  readonly offset: readonly [number, number, number];
  /** Direction of the first segment, and the direction that the chain bends to, 0 for a straight chain … */
  readonly first: readonly [number, number, number];
  readonly last: readonly [number, number, number];
  readonly length: number;
  readonly joints: number;
}

const whole = (random: Random, low: number, high: number): number => Math.floor(between(random, low, high + 1));
const unitOf = (v: Vector): Vector => times(v, 1 / (Math.hypot(...v) || 1));

/** Returns the positions of the joints of a chain. */
function pointsOf(random: Random, from: Vector, figure: Figure, course: Course): Vector[] {
  const { offset, first, last, length, joints } = course;
  const points = [plus(from, direction(figure, ...offset))];
  const weights = Array.from({ length: joints - 1 }, () => between(random, 0.7, 1.3));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  for (const [k, weight] of weights.entries()) {
    const t = joints > 2 ? k / (joints - 2) : 0;
    const course3 = [0, 1, 2].map((c) => first[c] * (1 - t) + last[c] * t + between(random, -0.06, 0.06));
    const way = unitOf(direction(figure, course3[0], course3[1], course3[2]));
    points.push(plus(points[k], times(way, (length * weight) / sum)));
  }
  return points;
}

/** Appends joints at points, each below the one before. Some exporters add an end joint that nothing is skinned to. */
function appendChain(rig: GrowingRig, parent: number, points: readonly Vector[], hasEnd: boolean): void {
  let above = parent;
  for (const [k, point] of points.entries()) {
    above = appendJoint(rig, above, point, !(hasEnd && k === points.length - 1));
  }
}

/** Returns the same points on the other side, moved by up to a fraction of the length, as made by hand. */
function mirroredPoints(random: Random, rig: GrowingRig, figure: Figure, points: readonly Vector[]): Vector[] {
  const noise = pick(random, [0, 0, 0.005, 0.02]) * Math.hypot(...minus(points[points.length - 1], points[0]));
  return points.map((point) => {
    const moved = direction(figure, noise * between(random, -1, 1), noise * between(random, -1, 1), 0);
    return plus(mirroredPoint(point, at(rig, figure.hips), figure.left), moved);
  });
}

/** Appends a chain, or the same chain on both sides. */
function attach(
  random: Random,
  rig: GrowingRig,
  figure: Figure,
  parent: number,
  isPair: boolean,
  course: Course,
): void {
  const points = pointsOf(random, at(rig, parent), figure, course);
  const hasEnd = random() < 0.2;
  appendChain(rig, parent, points, hasEnd);
  if (isPair) appendChain(rig, parent, mirroredPoints(random, rig, figure, points), hasEnd);
}

/** Returns a node, or a new joint for several chains below it: `hair root`. */
function rootFor(random: Random, rig: GrowingRig, figure: Figure, node: number, lift: number): number {
  if (random() < 0.6) return node;
  return appendJoint(rig, node, plus(at(rig, node), direction(figure, 0, lift, 0)));
}

const hair: Attire = (random, rig, figure) => {
  const { trunk, head } = figure;
  const size = trunk * between(random, 0.3, 0.7);
  const root = rootFor(random, rig, figure, head, size * between(random, 0.2, 0.9));
  const strands = whole(random, 1, 5);
  for (let k = 0; k < strands; k++) {
    const isPair = random() < 0.65;
    const aside = isPair ? between(random, 0.15, 0.6) * size : 0;
    attach(random, rig, figure, root, isPair, {
      offset: [aside, between(random, 0.1, 0.9) * size, between(random, -0.6, 0.5) * size],
      first: [isPair ? between(random, 0, 0.8) : 0, between(random, -1, 0.4), between(random, -0.8, 0.2)],
      last: [0, -1, between(random, -0.3, 0.1)],
      length: trunk * pick(random, [between(random, 0.15, 0.6), between(random, 0.4, 2.2)]),
      joints: whole(random, 2, 7),
    });
  }
};

const ears: Attire = (random, rig, figure) => {
  const { trunk, head } = figure;
  const size = trunk * between(random, 0.3, 0.6);
  attach(random, rig, figure, rootFor(random, rig, figure, head, size / 2), true, {
    offset: [between(random, 0.2, 0.5) * size, between(random, 0.5, 1.1) * size, 0],
    first: [between(random, 0, 1), 1, 0],
    last: [between(random, 0, 1), between(random, -1, 1), 0],
    length: trunk * between(random, 0.1, 1.2),
    joints: whole(random, 1, 4),
  });
};

/** Joints of a face, a hat, a beard: single joints or pairs close to the head. */
const faceJoints: Attire = (random, rig, figure) => {
  const size = figure.trunk * between(random, 0.2, 0.5);
  for (let k = whole(random, 1, 4); k > 0; k--) {
    const isPair = random() < 0.6;
    attach(random, rig, figure, figure.head, isPair, {
      offset: [
        isPair ? between(random, 0.1, 0.5) * size : 0,
        between(random, 0, 1) * size,
        between(random, -0.3, 0.7) * size,
      ],
      first: [0, between(random, -1, 1), 1],
      last: [0, -1, 0.2],
      length: size * between(random, 0.1, 0.6),
      joints: whole(random, 1, 3),
    });
  }
};

const tail: Attire = (random, rig, figure) => {
  const { trunk, leg, hips } = figure;
  const isPair = random() < 0.15;
  attach(random, rig, figure, hips, isPair, {
    offset: [isPair ? 0.05 * trunk : 0, between(random, -0.1, 0.15) * trunk, -between(random, 0.05, 0.25) * trunk],
    first: [isPair ? 0.4 : 0, between(random, -1, 0.7), -1],
    last: [isPair ? 0.4 : 0, between(random, -1, 1), between(random, -1, 0.2)],
    length: leg * between(random, 0.3, 1.8),
    joints: whole(random, 2, 9),
  });
};

const skirt: Attire = (random, rig, figure) => {
  const { trunk, leg, hips } = figure;
  const panels = whole(random, 1, 6);
  const joints = whole(random, 1, 5);
  const length = leg * between(random, 0.25, 1.15);
  const radius = trunk * between(random, 0.15, 0.35);
  const flare = between(random, 0, 0.6);
  const root = rootFor(random, rig, figure, hips, between(random, -0.05, 0.1) * trunk);
  for (let k = 0; k < panels; k++) {
    const angle = Math.PI * ((k + 0.5) / panels);
    const [toLeft, toFront] = [Math.sin(angle), Math.cos(angle)];
    attach(random, rig, figure, root, true, {
      offset: [radius * toLeft, 0, radius * toFront],
      first: [flare * toLeft, -1, flare * toFront],
      last: [0.5 * flare * toLeft, -1, 0.5 * flare * toFront],
      length,
      joints,
    });
  }
};

const cape: Attire = (random, rig, figure) => {
  const { trunk, leg, chest } = figure;
  const length = between(random, 0.4, 1) * (trunk + leg);
  const joints = whole(random, 3, 7);
  const root = rootFor(random, rig, figure, chest, between(random, 0, 0.3) * trunk);
  const sides = whole(random, 0, 2);
  const course = (aside: number): Course => ({
    offset: [aside * trunk, between(random, 0, 0.3) * trunk, -0.15 * trunk],
    first: [0.3 * aside, -1, -0.3],
    last: [0.3 * aside, -1, 0],
    length,
    joints,
  });
  if (sides === 0 || random() < 0.6) attach(random, rig, figure, root, false, course(0));
  for (let k = 1; k <= sides; k++) attach(random, rig, figure, root, true, course(0.2 * k));
};

const wings: Attire = (random, rig, figure) => {
  const { trunk, arm, chest } = figure;
  attach(random, rig, figure, chest, true, {
    offset: [between(random, 0.05, 0.25) * trunk, between(random, -0.2, 0.3) * trunk, -0.15 * trunk],
    first: [1, between(random, -0.2, 1), -0.4],
    last: [1, between(random, -1, 0.5), -0.2],
    length: arm * between(random, 0.6, 2.2),
    joints: whole(random, 2, 6),
  });
};

/** A weapon in one hand, or one in each, up to the length of the leg and a half. */
const handProp: Attire = (random, rig, figure) => {
  const sides = pick(random, [[0], [1], [0, 1]]);
  for (const side of sides) {
    attach(random, rig, figure, figure.hands[side], false, {
      offset: [0, between(random, -0.1, 0.1) * figure.arm, between(random, 0, 0.1) * figure.arm],
      first: [0, between(random, -1, 1), 1],
      last: [0, between(random, -1, 1), 1],
      length: figure.leg * between(random, 0.1, 1.5),
      joints: whole(random, 1, 4),
    });
  }
};

/** A scabbard, a quiver, a backpack. */
const beltProp: Attire = (random, rig, figure) => {
  const { trunk, leg } = figure;
  const parent = pick(random, [figure.hips, figure.chest]);
  attach(random, rig, figure, parent, random() < 0.3, {
    offset: [between(random, 0, 0.4) * trunk, between(random, -0.1, 0.2) * trunk, between(random, -0.4, 0.1) * trunk],
    first: [between(random, -0.5, 0.5), between(random, -1, 1), -0.5],
    last: [between(random, -0.5, 0.5), -1, -0.5],
    length: leg * between(random, 0.1, 1.1),
    joints: whole(random, 1, 4),
  });
};

/** Joints that jiggle: one or two on each side of chest and hips. */
const jiggle: Attire = (random, rig, figure) => {
  const { trunk } = figure;
  for (const parent of [figure.chest, figure.hips]) {
    if (random() < 0.4) continue;
    attach(random, rig, figure, parent, true, {
      offset: [
        between(random, 0.08, 0.2) * trunk,
        between(random, -0.1, 0.1) * trunk,
        between(random, -0.2, 0.2) * trunk,
      ],
      first: [0.2, 0, 1],
      last: [0.2, -0.3, 1],
      length: trunk * between(random, 0.05, 0.25),
      joints: whole(random, 1, 3),
    });
  }
};

/** All kinds of attire by name. */
export const ATTIRE: Readonly<Record<string, Attire>> = {
  hair,
  ears,
  faceJoints,
  tail,
  skirt,
  cape,
  wings,
  handProp,
  beltProp,
  jiggle,
};
