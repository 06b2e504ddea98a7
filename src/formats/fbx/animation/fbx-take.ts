/** Describes the animations of an FBX file, before they become clips. */
import type { TrackPath } from '../../../core/animation/clip.ts';
import type { IssueTally } from '../../../core/report/issue-tally.ts';
import type { FbxProperty, FbxRecord, FbxTree } from '../document/fbx-tree.ts';
import { numberOf, recordIn } from '../document/records.ts';
import type { FbxObject, FbxScene } from '../nodes/fbx-scene.ts';
import type { FbxVectorCurve, LayerBlending } from './animation-layers.ts';
import type { FbxCurve } from './fbx-curve.ts';

export interface TimeRange {
  /** Seconds. */
  readonly start: number;
  /** Seconds; greater than the start. */
  readonly end: number;
}

/** The animated property of an object: a path of a Model, or the weight of a blend shape, in percent (the first of three curves). */
export type ChannelPath = TrackPath | 'percent';

export interface FbxLayer {
  readonly blending: LayerBlending;
  /** Curves by the {@link channelKey} of what they animate. */
  readonly channels: ReadonlyMap<string, FbxVectorCurve>;
}

/** One animation of a file: an animation stack (FBX 7) or a take (FBX 6). */
export interface FbxTake {
  /** Name of the animation; may repeat. */
  readonly name: string;
  /** Declared time ranges, the preferred one first. May be empty; a range may contain no key. */
  readonly ranges: readonly TimeRange[];
  /** The active layers, from the bottom: without muted layers and those that another layer's solo silences. */
  readonly layers: readonly FbxLayer[];
  /** Number of other animated properties: visibility, lenses… */
  readonly otherChannels: number;
}

export interface TakeEntry {
  /** Name of the animation; may repeat. */
  readonly name: string;
  /** The AnimationStack object (FBX 7) or the Take record (FBX 6). */
  readonly source: FbxObject | FbxRecord;
}

/** State while animations are read one by one. Curves that several of them share are read once. */
export interface TakeReader {
  readonly scene: FbxScene;
  readonly ticksPerSecond: number;
  /** Counts repaired curves; a fault is the end of a sentence about "animation curves". */
  readonly faults: IssueTally;
  /** Curves by object id; null for curves without a usable key. */
  readonly curves: Map<string, FbxCurve | null>;
}

/** Paths by property name (FBX 7) and by channel name inside "Transform" (FBX 6). */
export const TRANSFORM_PATHS: ReadonlyMap<string, TrackPath> = new Map([
  ['Lcl Translation', 'translation'],
  ['Lcl Rotation', 'rotation'],
  ['Lcl Scaling', 'scale'],
  // FBX 6, inside "Transform".
  ['T', 'translation'],
  ['R', 'rotation'],
  ['S', 'scale'],
]);

/** Returns the time unit of a file. FBX 8 has another unit, unless it declares TCDefinition 127. */
export function ticksPerSecond({ version, records }: FbxTree): number {
  if (version < 8000) return 46186158000;
  const header = recordIn(records, 'FBXHeaderExtension')?.records ?? [];
  const flags = recordIn(header, 'OtherFlags')?.records ?? [];
  const definition = recordIn(flags, 'TCDefinition') ?? recordIn(header, 'TCDefinition');
  return numberOf(definition?.properties[0]) === 127 ? 46186158000 : 141120000;
}

/** Joins an object and one of its properties to a key of {@link FbxLayer.channels}. */
export function channelKey(id: string, path: ChannelPath): string {
  return `${path} ${id}`;
}

/** Converts pairs of times to ranges. Pairs without a positive length are left out. */
export function rangesOf(pairs: readonly (readonly (FbxProperty | undefined)[])[], ticks: number): TimeRange[] {
  const out: TimeRange[] = [];
  for (const pair of pairs) {
    const start = numberOf(pair[0]) ?? 0;
    const end = numberOf(pair[1]) ?? 0;
    if (end > start) out.push({ start: start / ticks, end: end / ticks });
  }
  return out;
}
