/** Restores removed keys where the position error of a joint or tip exceeds its tolerance. */
import * as quat from '../math/quat.ts';
import { firstAtLeast, lastAtMost } from '../math/search.ts';
import * as vec3 from '../math/vec3.ts';
import { localToModelMatrices } from '../skeleton/pose.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';
import { type Clip, PATH_WIDTH, type Track } from './clip.ts';
import { pickKeys } from './decimate-keys.ts';
import type { JointTolerances } from './joint-tolerances.ts';
import { sampleClip } from './sample.ts';

/** Fraction of the tolerance that is allowed at the checked times: between them errors are slightly larger. */
const SAFETY = 0.95;
/** Fraction of the tolerance above which the quarters between two checked times are also checked: fast joints have larger errors there. */
const NEAR_LIMIT = 0.8;
/** Number of rounds that restore single keys; later rounds restore all keys of a span. */
const SINGLE_KEY_ROUNDS = 24;

/** A track and the keys that it keeps. */
export interface KeyReduction {
  readonly track: Track;
  readonly kept: Uint8Array;
  /** Last kept key at or before each key. */
  readonly spans: Int32Array;
}

/** Keys to restore in a round: by track, by span, the key with the largest error. */
type Restored = Map<KeyReduction, Map<number, { key: number; ratio: number }>>;

interface PoseAtTime {
  readonly clip: Clip;
  readonly local: Float64Array;
  readonly matrices: Float64Array;
  readonly cursors: Int32Array;
}

export function createKeyReduction(track: Track, kept: Uint8Array): KeyReduction {
  const reduction = { track, kept, spans: new Int32Array(kept.length) };
  updateSpans(reduction);
  return reduction;
}

function updateSpans({ kept, spans }: KeyReduction): void {
  let last = 0;
  for (let key = 0; key < kept.length; key++) {
    if (kept[key] === 1) last = key;
    spans[key] = last;
  }
}

export function reducedTrack({ track, kept }: KeyReduction): Track {
  return pickKeys(track, PATH_WIDTH[track.path], kept);
}

interface Checks {
  /** Checked times, seconds, ascending. */
  readonly times: Float64Array;
  /** Largest error at each time, as a fraction of the tolerance, from its last check. */
  readonly ratios: Float64Array;
  /** 1 for times to check again, because keys have changed. */
  readonly isPending: Uint8Array;
  /** 1 for times after which the gap to the next time must be checked again. */
  readonly isGapPending: Uint8Array;
}

/**
 * Restores keys until every joint and tip is within its tolerance at all checked times, and between them where the error is near the tolerance. It
 * terminates at the latest when all keys are restored. `skeleton`: the skeleton; nodes without a track are in its rest pose. `reductions`: kept
 * keys of every track; changed in place. `times`: times to check, seconds, ascending.
 */
export function restoreKeys(
  skeleton: Skeleton,
  clip: Clip,
  reductions: readonly KeyReduction[],
  tolerances: JointTolerances,
  times: Float64Array,
): void {
  const count = times.length;
  const isPending = new Uint8Array(count).fill(1);
  const checks: Checks = { times, ratios: new Float64Array(count), isPending, isGapPending: isPending.slice() };
  const byNode = new Map<number, KeyReduction[]>();
  for (const reduction of reductions) {
    const list = byNode.get(reduction.track.target) ?? [];
    list.push(reduction);
    byNode.set(reduction.track.target, list);
  }
  for (let round = 0; ; round++) {
    const exact = createPose(skeleton, clip);
    const reduced = createPose(skeleton, { ...clip, tracks: reductions.map(reducedTrack) });
    const restored: Restored = new Map();
    const check = (time: number): number => {
      samplePose(skeleton, exact, time);
      samplePose(skeleton, reduced, time);
      const { node, ratio } = worstNode(exact.matrices, reduced.matrices, tolerances);
      if (ratio > SAFETY) chooseKeys(restored, skeleton, byNode, tolerances, exact, reduced, node, ratio, time);
      return ratio;
    };
    checkTimes(checks, check);
    if (restored.size === 0) checkGaps(checks, check);
    if (restored.size === 0) return;
    for (const [reduction, keys] of restored) restore(reduction, keys, round >= SINGLE_KEY_ROUNDS, checks);
  }
}

function checkTimes({ times, ratios, isPending }: Checks, check: (time: number) => number): void {
  for (let k = 0; k < times.length; k++) {
    if (isPending[k] === 0) continue;
    isPending[k] = 0;
    ratios[k] = check(times[k]);
  }
}

function checkGaps({ times, ratios, isGapPending }: Checks, check: (time: number) => number): void {
  for (let k = 0; k + 1 < times.length; k++) {
    if (isGapPending[k] === 0) continue;
    isGapPending[k] = 0;
    if (Math.max(ratios[k], ratios[k + 1]) <= NEAR_LIMIT) continue;
    for (const point of [0.25, 0.5, 0.75]) check(times[k] + point * (times[k + 1] - times[k]));
  }
}

function createPose({ parents, rest }: Skeleton, clip: Clip): PoseAtTime {
  return {
    clip,
    local: Float64Array.from(rest),
    matrices: new Float64Array(MATRIX_STRIDE * parents.length),
    cursors: new Int32Array(clip.tracks.length),
  };
}

function samplePose({ parents }: Skeleton, { clip, local, matrices, cursors }: PoseAtTime, time: number): void {
  sampleClip(clip, time, local, cursors);
  localToModelMatrices(matrices, parents, local);
}

function worstNode(
  a: Float64Array,
  b: Float64Array,
  { affected, position, tip, tipDistance }: JointTolerances,
): { node: number; ratio: number } {
  let worst = 0;
  let found = -1;
  for (let node = 0; node < affected.length; node++) {
    if (affected[node] === 0) continue;
    const at = MATRIX_STRIDE * node;
    const x = a[at + 12] - b[at + 12];
    const y = a[at + 13] - b[at + 13];
    const z = a[at + 14] - b[at + 14];
    let ratio = (x * x + y * y + z * z) / (position[node] * position[node]);
    const far = tipDistance[node];
    const bound = tip[node] * tip[node];
    for (let c = at; c < at + 12; c += 4) {
      const dx = x + far * (a[c] - b[c]);
      const dy = y + far * (a[c + 1] - b[c + 1]);
      const dz = z + far * (a[c + 2] - b[c + 2]);
      ratio = Math.max(ratio, (dx * dx + dy * dy + dz * dz) / bound);
    }
    if (ratio > worst) {
      worst = ratio;
      found = node;
    }
  }
  return { node: found, ratio: Math.sqrt(worst) };
}

/** Chooses keys of a node and its ancestors, largest error first, until the remaining error is within the tolerance. */
function chooseKeys(
  restored: Restored,
  { parents }: Skeleton,
  byNode: ReadonlyMap<number, readonly KeyReduction[]>,
  tolerances: JointTolerances,
  exact: PoseAtTime,
  reduced: PoseAtTime,
  worst: number,
  ratio: number,
  time: number,
): void {
  // Removed keys whose restoration reduces the error, which is estimated in model space.
  const candidates: { readonly reduction: KeyReduction; readonly key: number; readonly error: number }[] = [];
  for (let node = worst; node >= 0; node = parents[node]) {
    for (const reduction of byNode.get(node) ?? []) {
      const key = removedKeyNear(reduction, time);
      if (key < 0) continue;
      const apart = vec3.distance(
        exact.matrices,
        MATRIX_STRIDE * node + 12,
        exact.matrices,
        MATRIX_STRIDE * worst + 12,
      );
      const distance = apart + tolerances.modelTipDistance[worst];
      const error = errorAt(reduction.track, exact.local, reduced.local, tolerances, distance);
      candidates.push({ reduction, key, error });
    }
  }
  candidates.sort((a, b) => b.error - a.error);
  let remaining = candidates.reduce((sum, { error }) => sum + error, 0);
  for (const { reduction, key, error } of candidates) {
    const spans = restored.get(reduction) ?? new Map<number, { key: number; ratio: number }>();
    restored.set(reduction, spans);
    const span = reduction.spans[key];
    if (ratio > (spans.get(span)?.ratio ?? 0)) spans.set(span, { key, ratio });
    remaining -= error;
    if (remaining <= SAFETY * tolerances.position[worst]) return;
  }
}

/** Returns the nearer removed key of the two keys around a time; −1 when both are kept. */
function removedKeyNear({ track, kept }: KeyReduction, time: number): number {
  const { times } = track;
  const low = Math.max(0, lastAtMost(times, time));
  const isRemoved = (key: number): boolean => key < times.length && kept[key] === 0;
  const next = low + 1;
  if (!isRemoved(low)) return isRemoved(next) ? next : -1;
  return isRemoved(next) && times[next] - time < time - times[low] ? next : low;
}

/** Estimates the error that a reduced track causes at a point at some distance from its node, model space. */
function errorAt(
  { target, path }: Track,
  exact: Float64Array,
  reduced: Float64Array,
  { parentScale, scale, rotation }: JointTolerances,
  distance: number,
): number {
  const at = POSE_STRIDE * target;
  if (path === 'rotation')
    return quat.angleBetween(exact, at + PATH_OFFSET.rotation, reduced, at + PATH_OFFSET.rotation) * distance;
  if (path === 'translation') return vec3.distance(exact, at, reduced, at) * parentScale[target];
  const size = scale[target] / rotation[target];
  return size > 0
    ? (vec3.distance(exact, at + PATH_OFFSET.scale, reduced, at + PATH_OFFSET.scale) / size) * distance
    : distance;
}

/** Restores keys, and marks the times that they affect as pending. */
function restore(
  reduction: KeyReduction,
  spans: ReadonlyMap<number, { key: number }>,
  all: boolean,
  { times, isPending, isGapPending }: Checks,
): void {
  const { track, kept } = reduction;
  const last = kept.length - 1;
  for (const [start, { key }] of spans) {
    let end = start + 1;
    while (end <= last && kept[end] === 0) {
      if (all) kept[end] = 1;
      end++;
    }
    kept[key] = 1;
    // A track that was reduced to its first key needs its last one, too.
    if (end > last) kept[last] = 1;
    const until = end > last ? Number.POSITIVE_INFINITY : track.times[end];
    for (let k = firstAtLeast(times, track.times[start]); k < times.length && times[k] <= until; k++) {
      isPending[k] = 1;
      isGapPending[k] = 1;
    }
  }
  updateSpans(reduction);
}
