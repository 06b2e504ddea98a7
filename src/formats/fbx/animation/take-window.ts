/** Cuts a take to the time range that becomes the clip. */
import type { ChannelLayer, LayerBlending } from './animation-layers.ts';
import { repeatedKeyCount } from './curve-breaks.ts';
import { CONSTANT_END, type FbxCurve, shiftCurve } from './fbx-curve.ts';
import type { FbxTake } from './fbx-take.ts';

/** Limit for the keys that the repetitions of one curve add. */
const MAX_REPEATED_KEYS = 20_000;

/** Names of nodes by the fault of their tracks. A fault is the end of a sentence about "the animation of" the nodes. */
export type TrackFaults = Map<string, Set<string>>;

/** A take and the part of it that becomes the clip. */
export interface TakeWindow {
  /** The whole take. */
  readonly take: FbxTake;
  /** Start of the clip, seconds in the time of the file. */
  readonly start: number;
  /** End of the clip, seconds in the time of the clip. */
  readonly end: number;
  /** Curves in the time of the clip, by the curve in the time of the file. */
  readonly shifted: Map<FbxCurve, FbxCurve>;
}

/**
 * Chooses the part of a take that becomes the clip: the first declared range that contains a key, else the range of all
 * keys.
 *
 * @param take The take.
 * @returns The take with its range.
 */
export function takeWindow(take: FbxTake): TakeWindow {
  const curves = new Set<FbxCurve>();
  for (const { channels } of take.layers) {
    for (const { curves: vector } of channels.values())
      for (const curve of vector) if (curve !== null) curves.add(curve);
  }
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { times } of curves) {
    first = Math.min(first, times[0]);
    last = Math.max(last, times[times.length - 1]);
  }
  const shifted = new Map<FbxCurve, FbxCurve>();
  for (const { start, end } of take.ranges) {
    for (const { times } of curves) {
      if (times.some((time) => time >= start && time <= end)) return { take, start, end: end - start, shifted };
    }
  }
  return curves.size === 0 ? { take, start: 0, end: 0, shifted } : { take, start: first, end: last - first, shifted };
}

/**
 * Returns the layers that animate a channel, from the bottom, in the time of the clip. A curve that repeats too often
 * becomes constant outside its keys.
 *
 * @param faults Receives the node for such a curve.
 * @param window The take and its range.
 * @param key The channel: a {@link channelKey}.
 * @param name Name of the node, for faults.
 * @returns The layers; empty for a channel without animation.
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

/**
 * Adds a node to a fault.
 *
 * @param faults Changed in place.
 * @param what The fault.
 * @param name Name of the node.
 */
export function noteTrackFault(faults: TrackFaults, what: string, name: string): void {
  const names = faults.get(what);
  if (names === undefined) faults.set(what, new Set([name]));
  else names.add(name);
}
