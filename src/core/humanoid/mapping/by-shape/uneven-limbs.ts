/** Makes limbs alike that differ by joints: one ends early, such as an arm that ends in a weapon, or has one or two more, such as twist joints. */
import * as mat4 from '../../../math/mat4.ts';
import { distance, dot, midpoint, minus, plus, times, unit } from '../../../math/triples.ts';
import type { Vec3 } from '../../../math/vec3.ts';
import { modelMatrices } from '../../../skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE, type Skeleton } from '../../../skeleton/skeleton.ts';
import { childRanges } from '../../../skeleton/topology.ts';
import { type PossibleBones, possibleBones } from '../possible-bones.ts';

/** Maximum difference of corresponding lengths, as a fraction. */
const UNLIKE = 0.15;
/** Maximum number of children that are compared: a trunk has few limbs. */
const BRANCHES = 12;
/** Segments that a limb has at least: up to its first joint, and two bones. */
const LIMB = 3;
/** Joints of a limb at most, and how many of them the other one may lack. */
const LONGEST = 16;
const MOST_EXTRA = 2;
/** Distance of joints in one place, as a fraction of their limb. */
const SAME = 1e-4;
/** Joints that fan out from a hand at least. */
const FINGERS = 3;
/** Length of a limb at least, with everything below it, as a fraction of the longest chain: arms have 0.5, fingers 0.08. */
const SHORTEST = 0.25;

/** The nodes that can be bones at rest, and how they compare. */
interface Joints {
  readonly worlds: Float64Array;
  readonly bones: PossibleBones;
  /** Joints below one. */
  readonly below: (node: number) => readonly number[];
  /** Position of a joint, model space. */
  readonly at: (node: number) => Vec3;
  /** Tests whether two lengths are alike. */
  readonly areAlike: (a: number, b: number) => boolean;
  /** Distance of a joint from its parent. */
  readonly length: (node: number) => number;
  /** The same, with the longest chain below. */
  readonly reach: Float64Array;
}

function jointsOf(skeleton: Skeleton): Joints {
  const worlds = modelMatrices(skeleton.parents, skeleton.rest);
  const bones = possibleBones(skeleton);
  const { parents, usable } = bones;
  const { starts, children } = childRanges(parents);
  const at = (node: number): Vec3 => {
    const o = MATRIX_STRIDE * node + 12;
    return [worlds[o], worlds[o + 1], worlds[o + 2]];
  };
  const length = (node: number): number => distance(at(node), at(parents[node]));
  const reach = new Float64Array(parents.length);
  for (let node = parents.length - 1; node >= 0; node--) {
    if (parents[node] < 0 || usable[node] === 0) continue;
    reach[node] += length(node);
    reach[parents[node]] = Math.max(reach[parents[node]], reach[node]);
  }
  return {
    worlds,
    bones,
    below: (node) =>
      Array.from(children.subarray(starts[node], starts[node + 1])).filter((child) => usable[child] === 1),
    at,
    areAlike: (a, b) => Math.abs(a - b) <= UNLIKE * Math.max(a, b),
    length,
    reach,
  };
}

/** Lists the pairs of joints that branch off from one. */
function branchPairs({ bones, below }: Joints): (readonly [number, number])[] {
  return Array.from(bones.parents.keys()).flatMap((node) => {
    const branches = below(node).slice(0, BRANCHES);
    return branches.flatMap((a, k) => branches.slice(k + 1).map((b) => [a, b] as const));
  });
}

interface MirroredEnd {
  readonly parent: number;
  /** Model space, rest pose. */
  readonly position: Vec3;
}

/** Returns the end that one of two limbs lacks: they are alike up to `a` and `b`, and start at `tops`; null where both have it. */
function missingEnd(joints: Joints, tops: readonly [number, number], a: number, b: number): MirroredEnd | null {
  const { below, length, at, areAlike } = joints;
  const [ofA, ofB] = [below(a), below(b)];
  if (ofA.length > 0 && ofB.length > 0) {
    const pair = ofA.flatMap((c) => ofB.map((d) => [c, d] as const)).find(([c, d]) => areAlike(length(c), length(d)));
    return pair === undefined ? null : missingEnd(joints, tops, ...pair);
  }
  const isFirst = a === tops[0];
  if (isFirst || ofA.length === ofB.length) return null;
  const [longer, parent] = ofA.length > 0 ? [ofA, b] : [ofB, a];
  const end = longer.reduce((far, node) => (length(node) > length(far) ? node : far));
  const normal = unit(minus(at(tops[0]), at(tops[1])));
  const aside = dot(minus(at(end), midpoint(at(tops[0]), at(tops[1]))), normal);
  return { parent, position: plus(at(end), times(normal, -2 * aside)) };
}

/** Lists pairs of limbs: long branches of one joint that are more alike in their reach than either is to any other. */
function alikeLimbs(joints: Joints): (readonly [number, number])[] {
  const { below, areAlike, reach, bones } = joints;
  const least = SHORTEST * reach.reduce((most, value) => Math.max(most, value), 0);
  return branchPairs(joints).filter(([a, b]) => {
    const deviation = Math.abs(reach[a] - reach[b]);
    const isNearer = (c: number): boolean =>
      Math.min(Math.abs(reach[c] - reach[a]), Math.abs(reach[c] - reach[b])) < deviation;
    const others = below(bones.parents[a]).filter((c) => c !== a && c !== b);
    return Math.min(reach[a], reach[b]) >= least && areAlike(reach[a], reach[b]) && !others.some(isNearer);
  });
}

/** Follows a limb down its longest chain to the hand, where fingers fan out, or to the end; null for chains that are no limbs. */
function limbFrom({ below, reach }: Joints, top: number): number[] | null {
  const limb = [top];
  for (let next = below(top); next.length > 0 && next.length < FINGERS; next = below(limb[limb.length - 1])) {
    if (limb.length === LONGEST) return null;
    limb.push(next.reduce((far, child) => (reach[child] > reach[far] ? child : far)));
  }
  return limb;
}

/** Lists the choices of a number of items, in order. */
function choicesOf(items: readonly number[], count: number): number[][] {
  if (count === 0) return [[]];
  return items.flatMap((item, k) => choicesOf(items.slice(k + 1), count - 1).map((others) => [item, ...others]));
}

/**
 * Lists the joints that only one of two limbs has, between two that both have: those without which the limbs are most alike, joint by joint. An end joint
 * is none. Empty for limbs that are not alike without them.
 */
function extraJoints(joints: Joints, tops: readonly [number, number]): number[] {
  const { below, at, areAlike, bones } = joints;
  const limbs = tops.map((top) => limbFrom(joints, top)).filter((limb) => limb !== null);
  const [short, long] = limbs.sort((a, b) => a.length - b.length);
  const count = limbs.length < 2 ? 0 : long.length - short.length;
  if (count === 0 || count > MOST_EXTRA || short.length < LIMB) return [];
  const segmentsOf = (limb: readonly number[]): number[] =>
    limb.map((node, k) => distance(at(node), at(k === 0 ? bones.parents[tops[0]] : limb[k - 1])));
  const lengths = segmentsOf(short);
  const length = lengths.reduce((sum, value) => sum + value, 0);
  let least = Number.POSITIVE_INFINITY;
  let extra: number[] = [];
  for (const left of choicesOf(long, count)) {
    const segments = segmentsOf(long.filter((node) => !left.includes(node)));
    const deviation = segments.reduce((sum, value, k) => sum + Math.abs(value - lengths[k]), 0);
    // Of two joints in one place the lower one is left out: what is bound to it follows the upper one.
    if (deviation > least + SAME * length) continue;
    least = Math.min(least, deviation);
    const between = left.filter((node) => below(node).length === 1 && long.indexOf(node) < long.length - count);
    extra = segments.slice(0, LIMB).every((value, k) => areAlike(value, lengths[k])) ? between : [];
  }
  return extra;
}

/** Returns the nodes that can be bones without the joints that only one of two similar limbs has between others; null where there are none. */
export function withoutExtraJoints(skeleton: Skeleton): PossibleBones | null {
  const joints = jointsOf(skeleton);
  const extra = new Set(alikeLimbs(joints).flatMap((tops) => extraJoints(joints, tops)));
  if (extra.size === 0) return null;
  const { parents, usable } = joints.bones;
  const above = (node: number): number => (extra.has(node) ? above(parents[node]) : node);
  return {
    parents: parents.map((parent, node) => (extra.has(node) ? -1 : above(parent))),
    usable: usable.map((value, node) => (extra.has(node) ? 0 : value)),
  };
}

/**
 * Adds the joints that one of two similar limbs lacks, mirrored from the other one. The new nodes come last. Returns the skeleton with more joints;
 * null where no limb lacks one.
 */
export function withMirroredEnds(skeleton: Skeleton): Skeleton | null {
  const search = jointsOf(skeleton);
  const { worlds, length, areAlike } = search;
  const added = branchPairs(search).flatMap(([a, b]) => {
    return (areAlike(length(a), length(b)) && missingEnd(search, [a, b], a, b)) || [];
  });
  if (added.length === 0) return null;
  const { names, parents, rest, bind, joints } = skeleton;
  const count = parents.length;
  const longRest = new Float64Array(POSE_STRIDE * (count + added.length));
  longRest.set(rest);
  const longBind = bind === null ? null : new Float64Array(MATRIX_STRIDE * (count + added.length));
  longBind?.set(bind as Float64Array);
  const matrix = new Float64Array(MATRIX_STRIDE);
  const point = new Float64Array(3);
  for (const [k, { parent, position }] of added.entries()) {
    mat4.invertAffine(matrix, 0, worlds, MATRIX_STRIDE * parent);
    point.set(position);
    mat4.transformPoint(point, 0, matrix, 0, point, 0);
    const local = POSE_STRIDE * (count + k);
    longRest.set([...point, 0, 0, 0, 1, 1, 1, 1], local);
    if (longBind === null) continue;
    mat4.multiplyTransform(longBind, MATRIX_STRIDE * (count + k), longBind, MATRIX_STRIDE * parent, longRest, local);
  }
  return {
    ...skeleton,
    names: [...names, ...added.map(() => '')],
    parents: Int32Array.from([...parents, ...added.map(({ parent }) => parent)]),
    rest: longRest,
    bind: longBind,
    joints: Uint8Array.from([...joints, ...added.map(() => 1)]),
  };
}
