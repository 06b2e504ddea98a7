/** Cuts a take to the time range that becomes the clip. */
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { ChannelLayer, LayerBlending } from './animation-layers.ts';
import { repeatedKeyCount } from './curve-breaks.ts';
import { CONSTANT_END, type FbxCurve, shiftCurve } from './fbx-curve.ts';
import type { FbxTake, TimeRange } from './fbx-take.ts';

/** Limit for the keys that the repetitions of one curve add. */
const MAX_REPEATED_KEYS = 20_000;

/** Names of nodes by the fault of their tracks. A fault is the end of a sentence about "the animation of" the nodes. */
export type TrackFaults = Map<string, Set<string>>;

export interface TakeWindow {
  readonly take: FbxTake;
  /** Start of the clip, seconds in the time of the file. */
  readonly start: number;
  /** End of the clip, seconds in the time of the clip. */
  readonly end: number;
  /** Curves in the time of the clip, by the curve in the time of the file. */
  readonly shifted: Map<FbxCurve, FbxCurve>;
}

/** A declared range with less of the movement than this is a leftover of a timeline, not what the author wanted. */
const MIN_MOTION_FRACTION = 0.5;
/** Movement outside of the declared range that is worth a warning: mean of all curves that move, seconds. */
const LOST_SECONDS = 0.1;
/** Smaller differences between neighboring keys are no movement: degrees, percent and units of the file. */
const STILL = 1e-4;

/**
 * Chooses the part of a take that becomes the clip: the first declared range with most of the movement, else the range of all keys. Without
 * movement, and in a file whose takes divide one timeline, the first declared range that contains a key. `issues` receives FBX_TAKE_RANGE if the
 * keys outside of the declared range move.
 */
export function takeWindow(take: FbxTake, isPart: boolean, issues: Issue[]): TakeWindow {
  const curves = new Set<FbxCurve>();
  for (const { channels } of take.layers) {
    for (const { curves: vector } of channels.values())
      for (const curve of vector) if (curve !== null) curves.add(curve);
  }
  const keys = { start: Number.POSITIVE_INFINITY, end: Number.NEGATIVE_INFINITY };
  for (const { times } of curves) {
    keys.start = Math.min(keys.start, times[0]);
    keys.end = Math.max(keys.end, times[times.length - 1]);
  }
  const windowOf = ({ start, end }: TimeRange): TakeWindow => ({ take, start, end: end - start, shifted: new Map() });
  if (curves.size === 0) return windowOf({ start: 0, end: 0 });
  const moving = movingSeconds(curves, keys);
  const fraction = (range: TimeRange): number => movingSeconds(curves, range) / moving;
  const hasKey = ({ start, end }: TimeRange): boolean =>
    [...curves].some(({ times }) => times.some((time) => time >= start && time <= end));
  const obeysRanges = isPart || moving === 0;
  const declared = take.ranges.find(
    (range) => hasKey(range) && (obeysRanges || fraction(range) >= MIN_MOTION_FRACTION),
  );
  const [first] = take.ranges;
  if (first !== undefined && !obeysRanges) {
    const used = declared ?? first;
    const lost = moving - movingSeconds(curves, used);
    if (lost > LOST_SECONDS || declared === undefined)
      issues.push(rangeIssue(take.name, used, keys, fraction(used), declared !== undefined));
  }
  return windowOf(declared ?? keys);
}

function movingSeconds(curves: Iterable<FbxCurve>, { start, end }: TimeRange): number {
  let seconds = 0;
  let movers = 0;
  for (const { times, values } of curves) {
    let moves = false;
    for (let key = 1; key < times.length; key++) {
      if (!(Math.abs(values[key] - values[key - 1]) > STILL)) continue;
      moves = true;
      seconds += Math.max(0, Math.min(times[key], end) - Math.max(times[key - 1], start));
    }
    if (moves) movers++;
  }
  return movers === 0 ? 0 : seconds / movers;
}

function rangeIssue(name: string, declared: TimeRange, keys: TimeRange, fraction: number, isUsed: boolean): Issue {
  const text = ({ start, end }: TimeRange): string => `${Number(start.toFixed(3))}–${Number(end.toFixed(3))} s`;
  const message =
    `The animation ${JSON.stringify(name)} declares the range ${text(declared)}, but has keys in ${text(keys)}; ` +
    `${Math.round(100 * fraction)} % of the movement is in the declared range. ` +
    (isUsed
      ? 'The declared range was used. Declare the whole range in the file to get all keys.'
      : 'All keys were used. Trim the clip if only a part of it is wanted.');
  return issue('FBX_TAKE_RANGE', message);
}

/**
 * Checks whether the takes of a file divide one timeline: their declared ranges do not overlap. `ranges`: the preferred declared range of each
 * take; undefined for a take without a range.
 */
export function divideTimeline(ranges: readonly (TimeRange | undefined)[]): boolean {
  const ordered = ranges.filter((range) => range !== undefined).sort((a, b) => a.start - b.start);
  return ordered.length > 1 && ordered.every(({ start }, k) => k === 0 || start >= ordered[k - 1].end);
}

/**
 * Returns the layers that animate a channel, from the bottom, in the time of the clip. A curve that repeats too often becomes constant outside its
 * keys. `faults` receives the node for such a curve.
 */
export function channelLayers(
  faults: TrackFaults,
  window: TakeWindow,
  key: string,
  name: string,
): readonly ChannelLayer[] {
  const inClip = (curve: FbxCurve | null): FbxCurve | null => {
    if (curve === null) return null;
    let shifted = window.shifted.get(curve);
    if (shifted === undefined) {
      shifted = shiftCurve(curve, window.start);
      window.shifted.set(curve, shifted);
      if (repeatedKeyCount(shifted, 0, window.end) > MAX_REPEATED_KEYS) {
        noteTrackFault(
          faults,
          'repeats too often; it was kept constant before and after its keys. Bake the repetitions into keys.',
          name,
        );
        shifted = { ...shifted, before: CONSTANT_END, after: CONSTANT_END };
        window.shifted.set(curve, shifted);
      }
    }
    return shifted;
  };
  const layers: ChannelLayer[] = [];
  for (const layer of window.take.layers) {
    const vector = layer.channels.get(key);
    if (vector === undefined) continue;
    const [x, y, z] = vector.curves;
    const blending: LayerBlending = { ...layer.blending, weightCurve: inClip(layer.blending.weightCurve) };
    layers.push({ blending, curves: [inClip(x), inClip(y), inClip(z)], defaults: vector.defaults });
  }
  return layers;
}

export function noteTrackFault(faults: TrackFaults, what: string, name: string): void {
  const names = faults.get(what);
  if (names === undefined) faults.set(what, new Set([name]));
  else names.add(name);
}
