/** Dresses rigs at random: attire, changes of build, no names, another node order. The same seed gives the same rig. */
import { localToModelMatrices } from '../../../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../../../src/core/skeleton/skeleton.ts';
import { makeRandom, type Random, randomRotation } from '../../../../src/demo/random.ts';
import { disguise } from '../disguise.ts';
import { ATTIRE } from './attire.ts';
import { BUILDS } from './build.ts';
import { type Dressable, type Figure, figureOf, type GrowingRig, growRig } from './growing-rig.ts';

/** A dressed rig. */
export interface Dressed extends Dressable {
  /** What was added. */
  readonly kinds: readonly string[];
}

function some(random: Random, names: readonly string[], chance: number): string[] {
  return names.filter(() => random() < chance);
}

/** Sorts the nodes so that parents come first; returns the old index of each. */
function parentsFirst(parents: readonly number[]): number[] {
  const order: number[] = [];
  const visit = (parent: number): void => {
    for (const [node, above] of parents.entries()) {
      if (above !== parent) continue;
      order.push(node);
      visit(node);
    }
  };
  visit(-1);
  return order;
}

/** Converts a grown rig to a skeleton without names. */
export function finish(rig: GrowingRig, name: string): Dressable {
  const order = parentsFirst(rig.parents);
  const place = Int32Array.from(order.keys(), (node) => order.indexOf(node));
  const parents = Int32Array.from(order, (node) => (rig.parents[node] < 0 ? -1 : place[rig.parents[node]]));
  const sorted = (local: readonly number[]): Float64Array =>
    Float64Array.from(order.flatMap((node) => local.slice(10 * node, 10 * node + 10)));
  let bind: Float64Array | null = null;
  if (rig.bind !== null) {
    bind = new Float64Array(16 * order.length);
    localToModelMatrices(bind, parents, sorted(rig.bind));
  }
  const skeleton: Skeleton = {
    name,
    names: order.map(() => ''),
    parents,
    rest: sorted(rig.rest),
    bind,
    joints: Uint8Array.from(order, (node) => rig.joints[node]),
  };
  const tracks = rig.clip?.tracks.map((track) => ({ ...track, target: place[track.target] }));
  const clip = rig.clip === null || tracks === undefined ? null : { ...rig.clip, tracks };
  return { name, skeleton, clip, right: rig.right.map((nodes) => nodes.map((n) => (n < 0 ? -1 : place[n]))) };
}

/** Removes the names, shuffles the nodes, and changes axes and unit. */
export function disguised(random: Random, { name, skeleton, clip, right }: Dressable): Dressable {
  const seed = Math.floor(random() * 1e6);
  const turn = random() < 0.5 ? [0, 0, 0, 1] : randomRotation(random);
  const scale = random() < 0.5 ? 1 : 10 ** (4 * random() - 2);
  const changed = disguise(skeleton, clip, { name: () => '', seed, turn, scale });
  const place = (node: number): number => (node < 0 ? -1 : changed.place[node]);
  return { name, skeleton: changed.skeleton, clip: changed.clip, right: right.map((nodes) => nodes.map(place)) };
}

/** Keeps what a file has: a character without a clip, a clip without a mesh, or both. A rig without a skin keeps all. */
function partOf(random: Random, rig: GrowingRig): string[] {
  if (rig.clip === null || rig.bind === null) return [];
  const part = random();
  if (part < 0.4) {
    rig.clip = null;
    return ['noClip'];
  }
  if (part > 0.75) {
    rig.joints.fill(0);
    return ['noSkin'];
  }
  return [];
}

/** Dresses a humanoid. */
export function dress(base: Dressable, seed: number): Dressed {
  const random = makeRandom(seed);
  const rig = growRig(base);
  const builds = some(random, Object.keys(BUILDS), 0.25);
  for (const name of builds) BUILDS[name](random, rig, figureOf(rig));
  const attire = some(random, Object.keys(ATTIRE), 0.3);
  const figure = figureOf(rig);
  for (const name of attire) ATTIRE[name](random, rig, figure);
  const part = partOf(random, rig);
  const dressed = disguised(random, finish(part.includes('noSkin') ? { ...rig, bind: null } : rig, base.name));
  return { ...dressed, kinds: [...builds, ...attire, ...part] };
}

/** Dresses a rig that is not a humanoid, with its own joints in the roles of hips, chest, head and hands. */
export function dressOther(base: Dressable, figure: Figure, seed: number): Dressed {
  const random = makeRandom(seed);
  const rig = growRig(base);
  const attire = some(random, Object.keys(ATTIRE), 0.3);
  for (const name of attire) ATTIRE[name](random, rig, figure);
  const part = partOf(random, rig);
  const dressed = disguised(random, finish(part.includes('noSkin') ? { ...rig, bind: null } : rig, base.name));
  return { ...dressed, kinds: [...attire, ...part] };
}
