/**
 * The error of joint tips between two clips, relative to the tolerance of reduceKeys: its slow reference implementation. Chains are walked
 * up node by node, tips are vectors rotated by quaternions. For rigs with uniform scale.
 */
import type { Clip, Track } from '../../../src/core/animation/clip.ts';
import { sampleClip, sampleTrack } from '../../../src/core/animation/sample.ts';
import type { Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { angle, apart, plus, rotated, times, type Vector, worldPose } from './plain.ts';

function poseAt({ rest }: Skeleton, clip: Clip, time: number): Float64Array {
  const local = Float64Array.from(rest);
  sampleClip(clip, time, local);
  return local;
}

/** Tells whether a track ever differs from its first value by more than rounding. */
function moves(track: Track): boolean {
  const [first, value] = [new Float64Array(4), new Float64Array(4)];
  sampleTrack(track, 0, first, 0);
  const last = track.times[track.times.length - 1];
  const moments = [...track.times, ...Array.from({ length: 400 }, (_, k) => (k / 399) * last)];
  const size = track.path === 'rotation' ? 1 : Math.max(1, ...track.values.map(Math.abs));
  return moments.some((time) => {
    sampleTrack(track, time, value, 0);
    if (track.path === 'rotation') return angle(Array.from(value), Array.from(first)) > 1e-5;
    return apart(Array.from(value), Array.from(first)) > 1e-5 * size;
  });
}

/** Returns the largest error of a tip at the times, relative to tan(degrees) times the length of its chain. */
export function tipError(
  skeleton: Skeleton,
  exact: Clip,
  thin: Clip,
  degrees: number,
  moments: readonly number[],
): number {
  const { parents } = skeleton;
  const nodes = Array.from(parents.keys());
  const rest = worldPose(parents, skeleton.rest).positions;
  const bone = nodes.map((node) => (parents[node] < 0 ? 0 : apart(rest[node], rest[parents[node]])));
  const children: number[][] = nodes.map(() => []);
  for (const node of nodes) if (parents[node] >= 0) children[parents[node]].push(node);
  const extent = Math.max(...bone) || 1;
  const measureReach = (node: number): number => {
    const longest = Math.max(0, ...children[node].map((child) => bone[child]));
    if (longest > 0) return longest;
    if (bone[node] > 0) return bone[node];
    return parents[node] < 0 ? extent : measureReach(parents[node]);
  };
  const reach = nodes.map(measureReach);
  const moving = exact.tracks.filter(moves);
  const movedNodes = new Set(moving.map(({ target }) => target));
  const movesBelow = new Set(movedNodes);
  for (const node of movedNodes) for (let n = node; n >= 0; n = parents[n]) movesBelow.add(n);
  const movesAtOrBelow = (node: number): boolean => movesBelow.has(node);
  const topOf = (node: number): number => (parents[node] < 0 ? node : topOf(parents[node]));
  /** Walks down from the top to the first branch: returns the last node with translation, else the first that moves, else the branch. */
  const rootOf = (top: number): number => {
    const path = [top];
    for (let next = children[top].filter(movesAtOrBelow); next.length === 1; ) {
      path.push(next[0]);
      next = children[next[0]].filter(movesAtOrBelow);
    }
    const first = path.find((node) => movedNodes.has(node));
    const traveling = path.filter((node) =>
      moving.some(({ target, path }) => target === node && path === 'translation'),
    );
    return traveling.at(-1) ?? first ?? (path.at(-1) as number);
  };
  /** Returns the length of the chain between a node and its ancestor. */
  const between = (node: number, above: number): number =>
    node === above ? 0 : bone[node] + between(parents[node], above);
  const isBelow = (node: number, above: number): boolean =>
    node === above || (parents[node] >= 0 && isBelow(parents[node], above));
  const slope = Math.tan((degrees * Math.PI) / 180);
  const bounds = nodes.map((node) => {
    // A tree that moves only by rounding gets a tolerance of that size.
    if (!movesAtOrBelow(topOf(node))) return { joint: 1e-5 * extent, tip: 1e-5 * extent };
    const root = rootOf(topOf(node));
    const least = reach[root];
    const chain = isBelow(node, root) ? between(node, root) : 0;
    return { joint: slope * Math.max(chain, least), tip: slope * Math.max(chain + reach[node], least) };
  });
  const points = (local: Float64Array): Vector[][] => {
    const { rotations, positions } = worldPose(parents, local);
    return nodes.map((node) =>
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ].map((axis) => plus(positions[node], rotated(rotations[node], times(axis, reach[node])))),
    );
  };
  let worst = 0;
  for (const time of moments) {
    const a = points(poseAt(skeleton, exact, time));
    const b = points(poseAt(skeleton, thin, time));
    for (const node of nodes) {
      const { joint, tip } = bounds[node];
      a[node].forEach((point, k) => {
        worst = Math.max(worst, apart(point, b[node][k]) / (k === 0 ? joint : tip));
      });
    }
  }
  return worst;
}
