/** Plans what all instances of one model have in common: its nodes, its joints, and how clips become matrices. */
import type { Clip } from '../../../core/animation/clip.ts';
import { MATRIX_STRIDE, type Skeleton } from '../../../core/skeleton/skeleton.ts';
import { PlaybackGroup } from '../../../playback/kernel/playback-group.ts';
import type { PlaybackMemory } from '../../../playback/kernel/playback-memory.ts';
import { planPlayback } from '../../../playback/matrices/plan-playback.ts';
import { planPlaybackClip } from '../../../playback/matrices/plan-playback-clip.ts';
import { createPlaybackWork, type PlaybackWork } from '../../../playback/matrices/play-matrices.ts';
import type { PlaybackClip, PlaybackPlan } from '../../../playback/matrices/playback-plan.ts';
import { type PlayerClip, type PlayerClipOptions, planPlayerClip } from '../../../playback/player/player-clip.ts';

/** The joints of one skin of an engine. */
export interface RigSkin {
  /** Node of each joint; −1 for joints outside of the model, which stay at the origin. */
  readonly nodes: ArrayLike<number>;
  /** Inverse bind matrices: 16 floats per joint, column-major. */
  readonly inverseBind: ArrayLike<number>;
}

/** A character in the memory of the kernel. */
export interface KernelSeat {
  /** Its group. */
  readonly group: PlaybackGroup;
  /** Its index in the group. */
  readonly index: number;
}

/** What all instances of a model have in common. */
export interface Rig {
  /** All nodes of the model. */
  readonly skeleton: Skeleton;
  /** Joints of all skins; joints that skins have in common appear once. */
  readonly joints: Int32Array;
  /** Inverse bind matrix of each joint: 16 floats, column-major. */
  readonly inverseBind: Float32Array;
  /** Per skin, the index in `joints` of each of its joints; −1 for joints outside of the model. */
  readonly slots: readonly Int32Array[];
  /** Per skin, whether its joints are all of `joints`, in this order. */
  readonly areAllJoints: readonly boolean[];
  /** Playback without local poses; null where the model does not allow it. */
  readonly playback: PlaybackPlan | null;
  /** Buffers of the playback in TypeScript. */
  readonly work: PlaybackWork | null;
  /** Memory of the kernel; null without. */
  readonly memory: PlaybackMemory | null;
  /** Clips for the playback; null for those that need local poses. */
  readonly clips: Map<PlayerClip, PlaybackClip | null>;
  /** Groups in the memory of the kernel, and their free seats. */
  readonly groups: { readonly group: PlaybackGroup; readonly free: number[] }[];
}

/** Characters per group of the kernel. */
const SEATS = 32;
/** Difference of inverse bind matrices that are the same, relative to their largest number: float32 files. */
const SAME_BIND = 1e-6;

function isSame(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): boolean {
  let size = 1;
  for (let c = 0; c < MATRIX_STRIDE; c++) size = Math.max(size, Math.abs(a[i + c]));
  for (let c = 0; c < MATRIX_STRIDE; c++) if (!(Math.abs(a[i + c] - b[j + c]) <= SAME_BIND * size)) return false;
  return true;
}

/** Options of the rig of a model. */
export interface RigOptions {
  /** From `createPlaybackMemory` of `anyrig/playback`: plays in WebAssembly, several times faster. Models can share it; null plays in TypeScript. */
  readonly memory?: PlaybackMemory | null;
}

/** Plans a model with its skins; joints may be anywhere among the nodes of the skeleton. Without a memory, it is played in TypeScript. */
export function planRig(skeleton: Skeleton, skins: readonly RigSkin[], memory: PlaybackMemory | null): Rig {
  const joints: number[] = [];
  const inverses: number[] = [];
  const slots = skins.map(({ nodes, inverseBind }) =>
    Int32Array.from(nodes, (node, k) => {
      if (node < 0) return -1;
      const at = MATRIX_STRIDE * k;
      const known = joints.findIndex((one, slot) => {
        return one === node && isSame(inverses, MATRIX_STRIDE * slot, inverseBind, at);
      });
      if (known >= 0) return known;
      for (let c = at; c < at + MATRIX_STRIDE; c++) inverses.push(inverseBind[c]);
      return joints.push(node) - 1;
    }),
  );
  const inverseBind = Float32Array.from(inverses);
  const { plan } = planPlayback(skeleton, { joints, inverseBind });
  return {
    skeleton,
    joints: Int32Array.from(joints),
    inverseBind,
    slots,
    areAllJoints: slots.map((list) => list.length === joints.length && list.every((slot, k) => slot === k)),
    playback: plan,
    work: plan === null ? null : createPlaybackWork(plan),
    memory: plan === null ? null : memory,
    clips: new Map(),
    groups: [],
  };
}

/** Plans a clip on the nodes of a model, for all instances of it. */
export function planRigClip(rig: Rig, clip: Clip, options: PlayerClipOptions): PlayerClip {
  const planned = planPlayerClip(rig.skeleton, clip, options);
  rig.clips.set(planned, rig.playback === null ? null : planPlaybackClip(rig.playback, planned.compiled).clip);
  for (const { group } of rig.groups) addToGroup(rig, group, planned);
  return planned;
}

function addToGroup(rig: Rig, group: PlaybackGroup, clip: PlayerClip): void {
  const playback = rig.clips.get(clip) ?? null;
  if (playback !== null) group.addClip(playback);
}

export function takeSeat(rig: Rig): KernelSeat | null {
  const { memory, playback, groups } = rig;
  if (memory === null || playback === null) return null;
  let found = groups.find(({ free }) => free.length > 0);
  if (found === undefined) {
    const group = new PlaybackGroup(memory, playback, SEATS);
    for (const clip of rig.clips.keys()) addToGroup(rig, group, clip);
    found = { group, free: Array.from({ length: SEATS }, (_, k) => SEATS - 1 - k) };
    groups.push(found);
  }
  return { group: found.group, index: found.free.pop() as number };
}

/** Frees a seat, and its group when that was the last one. */
export function leaveSeat({ groups }: Rig, seat: KernelSeat): void {
  const at = groups.findIndex(({ group }) => group === seat.group);
  if (at < 0) return;
  const { group, free } = groups[at];
  group.setClip(seat.index, null);
  free.push(seat.index);
  if (free.length < group.capacity) return;
  groups.splice(at, 1);
  group.dispose();
}
