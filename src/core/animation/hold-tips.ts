/** Watching the tips of a body while its tracks are thinned, and putting keys back where a tip is too far off. */
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { localToModelMatrices } from '../skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';
import { type Clip, PATH_WIDTH, type Track } from './clip.ts';
import { sampleClip } from './sample.ts';
import { pickKeys } from './thin-keys.ts';
import type { TipTolerance } from './tip-tolerance.ts';

/** Part of the tolerance that tips may use where they are looked at: between those moments errors are a little larger. */
const SAFETY = 0.95;
/** Part of the tolerance from which on a tip is also looked at between moments, in quarters: fast joints miss more there. */
const CLOSE = 0.8;
/** Rounds of putting keys back one by one; after them whole spans get all of theirs. */
const CAREFUL_ROUNDS = 24;

/** A track that is being thinned. */
export interface Thinning {
  readonly track: Track;
  readonly kept: Uint8Array;
  /** The last kept key at or before every key. */
  readonly spans: Int32Array;
}

/** Keys to put back in a round: by track, by span, the key where most was missed. */
type Restored = Map<Thinning, Map<number, { key: number; ratio: number }>>;

/** Buffers of one moment of a motion. */
interface Moment {
  readonly clip: Clip;
  readonly local: Float64Array;
  readonly matrices: Float64Array;
  readonly cursors: Int32Array;
}

/** A track and which of its keys stay, 1 a key. */
export function thinningOf(track: Track, kept: Uint8Array): Thinning {
  const thinning = { track, kept, spans: new Int32Array(kept.length) };
  updateSpans(thinning);
  return thinning;
}

function updateSpans({ kept, spans }: Thinning): void {
  let last = 0;
  for (let key = 0; key < kept.length; key++) {
    if (kept[key] === 1) last = key;
    spans[key] = last;
  }
}

/** The track with the keys that stay. */
export function reduced({ track, kept }: Thinning): Track {
  return pickKeys(track, PATH_WIDTH[track.path], kept);
}

/** What is known of the moments at which the body is looked at. */
interface Watch {
  readonly moments: Float64Array;
  /** How much of its tolerance the worst tip uses, when it was last looked at. */
  readonly ratios: Float64Array;
  /** 1 where keys have changed since then; and where they have since the time up to the next moment was looked into. */
  readonly open: Uint8Array;
  readonly openAfter: Uint8Array;
}

/**
 * Puts keys back until every tip is within its tolerance at every moment, and between those where it nearly is not. Ends at the latest
 * when all keys are back. `clip`: the tracks of the thinnings, in their order; nodes without one are at the rest of the skeleton.
 */
export function holdTips(
  skeleton: Skeleton,
  clip: Clip,
  thinnings: readonly Thinning[],
  tolerance: TipTolerance,
  moments: Float64Array,
): void {
  const count = moments.length;
  const open = new Uint8Array(count).fill(1);
  const watch: Watch = { moments, ratios: new Float64Array(count), open, openAfter: open.slice() };
  const byNode = new Map<number, Thinning[]>();
  for (const thinning of thinnings) {
    const list = byNode.get(thinning.track.target) ?? [];
    list.push(thinning);
    byNode.set(thinning.track.target, list);
  }
  for (let round = 0; ; round++) {
    const exact = momentOf(skeleton, clip);
    const thin = momentOf(skeleton, { ...clip, tracks: thinnings.map(reduced) });
    const restored: Restored = new Map();
    const lookAt = (time: number): number => {
      pose(skeleton, exact, time);
      pose(skeleton, thin, time);
      const { node, ratio } = worstTip(exact.matrices, thin.matrices, tolerance);
      if (ratio > SAFETY) choose(restored, skeleton, byNode, tolerance, exact, thin, node, ratio, time);
      return ratio;
    };
    lookAtMoments(watch, lookAt);
    if (restored.size === 0) lookBetweenMoments(watch, lookAt);
    if (restored.size === 0) return;
    for (const [thinning, keys] of restored) restore(thinning, keys, round >= CAREFUL_ROUNDS, watch);
  }
}

function lookAtMoments({ moments, ratios, open }: Watch, lookAt: (time: number) => number): void {
  for (let m = 0; m < moments.length; m++) {
    if (open[m] === 0) continue;
    open[m] = 0;
    ratios[m] = lookAt(moments[m]);
  }
}

function lookBetweenMoments({ moments, ratios, openAfter }: Watch, lookAt: (time: number) => number): void {
  for (let m = 0; m + 1 < moments.length; m++) {
    if (openAfter[m] === 0) continue;
    openAfter[m] = 0;
    if (Math.max(ratios[m], ratios[m + 1]) <= CLOSE) continue;
    for (const point of [0.25, 0.5, 0.75]) lookAt(moments[m] + point * (moments[m + 1] - moments[m]));
  }
}

function momentOf({ parents, rest }: Skeleton, clip: Clip): Moment {
  return {
    clip,
    local: Float64Array.from(rest),
    matrices: new Float64Array(MATRIX_STRIDE * parents.length),
    cursors: new Int32Array(clip.tracks.length),
  };
}

function pose({ parents }: Skeleton, { clip, local, matrices, cursors }: Moment, time: number): void {
  sampleClip(clip, time, local, cursors);
  localToModelMatrices(matrices, parents, local);
}

/** The node whose points are furthest off, by their tolerance. */
function worstTip(
  a: Float64Array,
  b: Float64Array,
  { affected, joint, tip, reach }: TipTolerance,
): { node: number; ratio: number } {
  let worst = 0;
  let worstNode = -1;
  for (let node = 0; node < affected.length; node++) {
    if (affected[node] === 0) continue;
    const at = MATRIX_STRIDE * node;
    const x = a[at + 12] - b[at + 12];
    const y = a[at + 13] - b[at + 13];
    const z = a[at + 14] - b[at + 14];
    let ratio = (x * x + y * y + z * z) / (joint[node] * joint[node]);
    const far = reach[node];
    const bound = tip[node] * tip[node];
    for (let c = at; c < at + 12; c += 4) {
      const dx = x + far * (a[c] - b[c]);
      const dy = y + far * (a[c + 1] - b[c + 1]);
      const dz = z + far * (a[c + 2] - b[c + 2]);
      ratio = Math.max(ratio, (dx * dx + dy * dy + dz * dz) / bound);
    }
    if (ratio > worst) {
      worst = ratio;
      worstNode = node;
    }
  }
  return { node: worstNode, ratio: Math.sqrt(worst) };
}

/** A key that would take away a part of what a tip is off. */
interface Candidate {
  readonly thinning: Thinning;
  readonly key: number;
  /** About how much. */
  readonly part: number;
}

/** Chooses keys above a tip, those of the largest parts first, until the others cannot miss the tolerance. */
function choose(
  restored: Restored,
  { parents }: Skeleton,
  byNode: ReadonlyMap<number, readonly Thinning[]>,
  tolerance: TipTolerance,
  exact: Moment,
  thin: Moment,
  tip: number,
  ratio: number,
  time: number,
): void {
  const candidates: Candidate[] = [];
  for (let node = tip; node >= 0; node = parents[node]) {
    for (const thinning of byNode.get(node) ?? []) {
      const key = droppedKeyNear(thinning, time);
      if (key < 0) continue;
      const apart = vec3.distance(exact.matrices, MATRIX_STRIDE * node + 12, exact.matrices, MATRIX_STRIDE * tip + 12);
      const part = missedBy(thinning.track, exact.local, thin.local, tolerance, apart + tolerance.modelReach[tip]);
      candidates.push({ thinning, key, part });
    }
  }
  candidates.sort((a, b) => b.part - a.part);
  let rest = candidates.reduce((sum, { part }) => sum + part, 0);
  for (const { thinning, key, part } of candidates) {
    const spans = restored.get(thinning) ?? new Map<number, { key: number; ratio: number }>();
    restored.set(thinning, spans);
    const span = thinning.spans[key];
    if (ratio > (spans.get(span)?.ratio ?? 0)) spans.set(span, { key, ratio });
    rest -= part;
    if (rest <= SAFETY * tolerance.joint[tip]) return;
  }
}

/** Of the keys to both sides of a time the nearer one that was left out; −1 when none was. */
function droppedKeyNear({ track, kept }: Thinning, time: number): number {
  const { times } = track;
  let low = 0;
  let high = times.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  const isDropped = (key: number): boolean => key < times.length && kept[key] === 0;
  const next = low + 1;
  if (!isDropped(low)) return isDropped(next) ? next : -1;
  return isDropped(next) && times[next] - time < time - times[low] ? next : low;
}

/** About how far a track that misses its values moves a point at a distance from its node. */
function missedBy(
  { target, path }: Track,
  exact: Float64Array,
  thin: Float64Array,
  { parentScale, stretch, turn }: TipTolerance,
  distance: number,
): number {
  const at = POSE_STRIDE * target;
  if (path === 'rotation') return quat.angleBetween(exact, at + 3, thin, at + 3) * distance;
  if (path === 'translation') return vec3.distance(exact, at, thin, at) * parentScale[target];
  const size = stretch[target] / turn[target];
  return size > 0 ? (vec3.distance(exact, at + 7, thin, at + 7) / size) * distance : distance;
}

/** Puts keys back, and opens the moments that they change. */
function restore(
  thinning: Thinning,
  spans: ReadonlyMap<number, { key: number }>,
  all: boolean,
  { moments, open, openAfter }: Watch,
): void {
  const { track, kept } = thinning;
  const last = kept.length - 1;
  for (const [start, { key }] of spans) {
    let end = start + 1;
    while (end <= last && kept[end] === 0) {
      if (all) kept[end] = 1;
      end++;
    }
    kept[key] = 1;
    // A track that was taken for still has no end yet.
    if (end > last) kept[last] = 1;
    const until = end > last ? Number.POSITIVE_INFINITY : track.times[end];
    for (let m = firstFrom(moments, track.times[start]); m < moments.length && moments[m] <= until; m++) {
      open[m] = 1;
      openAfter[m] = 1;
    }
  }
  updateSpans(thinning);
}

/** Index of the first moment at or after a time. */
function firstFrom(moments: Float64Array, time: number): number {
  let low = 0;
  let high = moments.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (moments[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
