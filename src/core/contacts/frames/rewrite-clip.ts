import type { Clip, Track, TrackPath } from '../../animation/clip.ts';
import { sampleClip } from '../../animation/sample.ts';
import type { Floats } from '../../math/floats.ts';
import * as quat from '../../math/quat.ts';
import type { RetargetPlan } from '../../retarget/plan-types.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../skeleton/skeleton.ts';
import { type FrameGrid, timeOf } from './character-frames.ts';
import { clipOfNodes, withAncestors } from './pose-nodes.ts';

/** A component of a local transform that changes less than this has not changed. */
const SAME = 1e-12;
/** Times that differ by less than this, relative to the time between frames, are the same. */
const SAME_TIME = 1e-4;

export interface ChangedChannel {
  readonly node: number;
  /** Translation or rotation. */
  readonly path: TrackPath;
}

/** Lists the channels of joints that are constrained to bones outside their hierarchy: all of them may change with the bones. */
export function detachedChannels({ detachedJoints }: RetargetPlan): ChangedChannel[] {
  return detachedJoints.flatMap(({ targetNode: node, rotation }): ChangedChannel[] => [
    { node, path: 'translation' },
    ...(rotation === null ? [] : [{ node, path: 'rotation' } as const]),
  ]);
}

/**
 * Lists the nodes that changes of channels depend on. Returns their nodes with all ancestors; undefined for all nodes, where detached joints follow
 * any bone.
 */
export function nodesOfChannels(
  { detachedJoints }: RetargetPlan,
  parents: Int32Array,
  channels: readonly ChangedChannel[],
): Int32Array | undefined {
  if (detachedJoints.length > 0) return undefined;
  return withAncestors(
    parents,
    channels.map(({ node }) => node),
  );
}

interface Channel extends ChangedChannel {
  readonly values: Float64Array;
  isChanged: boolean;
}

/** Copies the values of a channel from a pose; quaternions keep the sign that is closest to the former frame. */
function recordChannel(channel: Channel, local: Float64Array, before: Float64Array, frame: number): void {
  const { node, path, values } = channel;
  const at = POSE_STRIDE * node + PATH_OFFSET[path];
  const width = path === 'rotation' ? 4 : 3;
  const sign = width === 4 && frame > 0 && quat.dot(local, at, values, 4 * (frame - 1)) < 0 ? -1 : 1;
  for (let c = 0; c < width; c++) {
    values[width * frame + c] = sign * local[at + c];
    if (Math.abs(local[at + c] - before[at + c]) > SAME) channel.isChanged = true;
  }
}

/** Times of the frames in float32; those of the other keys of the clip where these are the same frames. */
function keyTimes({ tracks }: Clip, grid: FrameGrid): Float64Array {
  const { start, count, step } = grid;
  const times = Float64Array.from({ length: count }, (_, frame) => Math.fround(timeOf(grid, frame)));
  for (const list of new Set(tracks.map((track) => track.times))) {
    for (const time of list) {
      const frame = Math.round((time - start) / step);
      if (frame >= 0 && frame < count && Math.abs(time - timeOf(grid, frame)) <= SAME_TIME * step) times[frame] = time;
    }
  }
  return times;
}

/**
 * Samples a clip, changes every frame, and returns it with new tracks for the channels that have changed. `rest`: local rest pose of its nodes, 10
 * floats per node. `change` changes a local pose in place. `nodes`: nodes that are affected or that `change` reads; by default all. Others keep
 * their rest pose in it.
 */
export function rewriteClip(
  clip: Clip,
  rest: Floats,
  grid: FrameGrid,
  affected: readonly ChangedChannel[],
  change: (local: Float64Array, frame: number) => void,
  nodes?: Int32Array,
): Clip {
  const { count } = grid;
  const channels: Channel[] = [];
  for (const { node, path } of affected) {
    if (channels.some((one) => one.node === node && one.path === path)) continue;
    channels.push({ node, path, values: new Float64Array((path === 'rotation' ? 4 : 3) * count), isChanged: false });
  }
  const local = new Float64Array(rest.length);
  const before = new Float64Array(rest.length);
  const sampled = nodes === undefined ? clip : clipOfNodes(clip, nodes);
  const cursors = new Int32Array(sampled.tracks.length);
  for (let frame = 0; frame < count; frame++) {
    local.set(rest);
    sampleClip(sampled, timeOf(grid, frame), local, cursors);
    before.set(local);
    change(local, frame);
    for (const channel of channels) recordChannel(channel, local, before, frame);
  }
  const times = keyTimes(clip, grid);
  const written = channels.filter(({ isChanged }) => isChanged);
  const kept = clip.tracks.filter(
    ({ target, path }) => !written.some((channel) => channel.node === target && channel.path === path),
  );
  const tracks = written.map(({ node, path, values }): Track => {
    return { target: node, path, interpolation: 'LINEAR', times, values };
  });
  return { ...clip, tracks: [...kept, ...tracks] };
}
