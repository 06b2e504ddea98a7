/** Converts animations of glTF-Transform to clips of the core. */

import type { Accessor, Animation, AnimationChannel, Node } from '@gltf-transform/core';
import { type Interpolation, lastKeyTime, PATH_WIDTH, type Track, type TrackPath } from '../../core/animation/clip.ts';
import { repairTrack } from '../../core/animation/repair-track.ts';
import type { BoneName } from '../../core/humanoid/bones.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { type IssueTally, tallyIssue } from '../../core/report/issue-tally.ts';
import type { SceneMotion } from '../scene/retarget-motion.ts';
import type { HumanoidTarget } from './ext-skeleton-humanoid.ts';

export interface DocumentMotion extends SceneMotion {
  /** Humanoid channels: bone and keys. */
  readonly bones: readonly { readonly bone: BoneName; readonly track: Omit<Track, 'target'> }[];
}

/** Returns the numbers of an accessor, with normalized integers decoded. */
function floatsOf(accessor: Accessor): Float32Array {
  const array = accessor.getArray();
  if (array instanceof Float32Array) return array;
  const size = accessor.getElementSize();
  const out = new Float32Array(accessor.getCount() * size);
  const element: number[] = [];
  for (let i = 0; i < accessor.getCount(); i++) out.set(accessor.getElement(i, element).slice(0, size), i * size);
  return out;
}

/** Returns the keys of a channel, or the reason, for a message, why they are not usable. */
function keysOf(channel: AnimationChannel, path: TrackPath): Omit<Track, 'target'> | string {
  const sampler = channel.getSampler();
  const input = sampler?.getInput();
  const output = sampler?.getOutput();
  if (!sampler || !input || !output) return 'has no keys';
  const interpolation = sampler.getInterpolation() as Interpolation;
  const times = floatsOf(input);
  const values = floatsOf(output);
  const needed = times.length * PATH_WIDTH[path] * (interpolation === 'CUBICSPLINE' ? 3 : 1);
  if (values.length !== needed) return `has ${values.length} values, expected ${needed}`;
  return { path, interpolation, times, values };
}

function isTransform(path: string | null): path is TrackPath {
  return path !== null && Object.hasOwn(PATH_WIDTH, path);
}

/** Converts an animation. Keys are repaired as in files (KEYS_REPAIRED); channels without usable keys are skipped (GLTF_ANIMATION). */
export function readAnimation(animation: Animation, indexOf: ReadonlyMap<Node, number>): DocumentMotion {
  const tracks = new Map<string, Track>();
  const bones = new Map<string, { bone: BoneName; track: Omit<Track, 'target'> }>();
  const others: IssueTally = new Map();
  const issues: Issue[] = [];
  for (const channel of animation.listChannels()) {
    const bone = channel.getExtension<HumanoidTarget>('EXT_skeleton_humanoid')?.getHumanoidBoneName() ?? null;
    const node = channel.getTargetNode();
    const target = node === null ? undefined : indexOf.get(node);
    const path = channel.getTargetPath();
    if (!isTransform(path) || (bone === null && target === undefined)) {
      const kind = path === 'weights' ? 'morph weights' : 'missing targets';
      tallyIssue(others, kind);
      continue;
    }
    const keys = keysOf(channel, path);
    if (typeof keys === 'string') {
      issues.push(
        issue(
          'GLTF_ANIMATION',
          `A channel of the animation ${JSON.stringify(animation.getName())} ${keys}; it was skipped`,
        ),
      );
      continue;
    }
    const repaired = repairTrack({ target: target ?? 0, ...keys });
    issues.push(...repaired.issues);
    if (repaired.track === null) continue;
    if (bone === null) tracks.set(`${target} ${path}`, repaired.track);
    else bones.set(`${bone} ${path}`, { bone, track: repaired.track });
  }
  const list = [...tracks.values()];
  const boneList = [...bones.values()];
  const clip = { name: animation.getName(), duration: lastKeyTime(list), tracks: list };
  return { clip, bones: boneList, others, issues };
}
