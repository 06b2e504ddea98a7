/** Existing animations in new frames: they show what they showed. Old accessors stay where they are, as others may use them. */

import { PATH_OFFSET, PATH_WIDTH, TRACK_PATHS } from '../../../core/animation/clip.ts';
import { changeValues, frameChange } from '../../../core/conform/frame-change.ts';
import * as quat from '../../../core/math/quat.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { floatsOf, readAccessor } from '../accessor.ts';
import { appendAccessors, type NewAccessor } from '../append.ts';
import type { GltfDocument } from '../document.ts';
import { arrayAt, indexAt, type JsonObject, memberAt, objectItem, required } from '../schema.ts';
import { type NodeAnimation, type NodeChannel, retarget } from './node-channels.ts';
import { type Frames, MOVED, touches } from './plan-frames.ts';

/** New outputs, to be stored together, and who waits for their index. */
interface Outputs {
  readonly arrays: NewAccessor[];
  /** By what they are made of. */
  readonly known: Map<string, number>;
  readonly uses: { readonly sampler: JsonObject; readonly output: number }[];
}

/** What animations were given. */
export interface RewrittenChannels {
  /** Channels whose values are others now. */
  readonly rewritten: number;
  /** Channels that hold what stood in the old rest pose. */
  readonly held: number;
}

/** Makes rotations unit; of CUBICSPLINE the tangents shrink with them. */
function makeUnit(values: Float64Array, isCubic: boolean): void {
  const stride = isCubic ? 12 : 4;
  for (let at = 0; at + stride <= values.length; at += stride) {
    if (!isCubic) {
      quat.normalize(values, at, values, at);
      continue;
    }
    const length = quat.normalize(values, at + 4, values, at + 4);
    if (!(length > 0)) continue;
    for (let c = 0; c < 4; c++) {
      values[at + c] /= length;
      values[at + 8 + c] /= length;
    }
  }
}

/** The output of a channel in new frames, as an index into the outputs; −1 where it stays or is of no use. */
function newOutput(
  doc: GltfDocument,
  { known, arrays }: Outputs,
  frames: Frames,
  channel: NodeChannel,
  sampler: JsonObject,
  pointer: string,
): number {
  const { path, node } = channel;
  const place = frames.forest.places[node];
  const change = frames.changes[place];
  if (path === 'weights' || !touches(change, path)) return -1;
  const output = required(indexAt(sampler, 'output', pointer, doc.json, 'accessors'), 'output', pointer);
  const isCubic = memberAt(sampler, 'interpolation') === 'CUBICSPLINE';
  const key = `${output} ${place} ${path} ${isCubic}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const data = readAccessor(doc, output);
  if (data.width !== PATH_WIDTH[path]) return -1;
  const values = changeValues(floatsOf(doc, data, `/accessors/${output}`), path, change, isCubic);
  if (path === 'rotation') makeUnit(values, isCubic);
  const array = Float32Array.from(values);
  if (array.some((value) => !Number.isFinite(value))) return -1;
  const index = arrays.push({ array, type: path === 'rotation' ? 'VEC4' : 'VEC3' }) - 1;
  known.set(key, index);
  return index;
}

/** Gives every channel its new output: a sampler that others use for something else is copied for it. */
function giveOutputs(
  { json, pointer, channels }: NodeAnimation,
  outputs: Outputs,
  newOutputs: ReadonlyMap<JsonObject, number>,
): void {
  const samplers = arrayAt(json, 'samplers', pointer) as unknown[];
  const list = arrayAt(json, 'channels', pointer);
  const users = new Map<number, JsonObject[]>();
  list.forEach((_, k) => {
    const channel = objectItem(list, k, `${pointer}/channels`);
    const sampler = channel['sampler'];
    if (typeof sampler === 'number') users.set(sampler, [...(users.get(sampler) ?? []), channel]);
  });
  for (const sampler of new Set(channels.map((channel) => channel.sampler))) {
    const owners = users.get(sampler) ?? [];
    const wanted = owners.map((channel) => newOutputs.get(channel) ?? -1);
    const original = objectItem(samplers, sampler, `${pointer}/samplers`);
    // The first output takes the sampler itself, unless somebody needs it as it is.
    const copies = new Map<number, number>();
    if (wanted.includes(-1)) copies.set(-1, sampler);
    else if (wanted.length > 0) {
      copies.set(wanted[0], sampler);
      outputs.uses.push({ sampler: original, output: wanted[0] });
    }
    owners.forEach((channel, k) => {
      let own = copies.get(wanted[k]);
      if (own === undefined) {
        const copy = { ...original };
        own = samplers.push(copy) - 1;
        copies.set(wanted[k], own);
        outputs.uses.push({ sampler: copy, output: wanted[k] });
      }
      if (channel['sampler'] !== own) channel['sampler'] = own;
    });
  }
}

/** Nodes whose transforms an animation has, by `node path`. */
function animatedPaths(animation: NodeAnimation): Set<string> {
  return new Set(animation.channels.map(({ node, path }) => `${node} ${path}`));
}

/** Node that a path of a node is animated at: of a wrapped bone the new one but for its scale. */
function nodeOf({ wraps, forest }: Frames, place: number, path: NodeChannel['path']): number {
  const wrap = wraps.get(place);
  return wrap === undefined || path === 'scale' || path === 'weights' ? forest.sourceNodes[place] : wrap.node;
}

/** Adds channels that hold what an animation left to the rest pose, where that is another now. */
function holdOldRest(
  frames: Frames,
  animation: NodeAnimation,
  members: ReadonlySet<number>,
  outputs: Outputs,
  timeOutput: () => number,
): number {
  const { channels } = animation;
  if (!channels.some(({ node, path }) => path !== 'weights' && members.has(node))) return 0;
  const taken = animatedPaths(animation);
  const samplers = arrayAt(animation.json, 'samplers', animation.pointer) as unknown[];
  const list = arrayAt(animation.json, 'channels', animation.pointer) as unknown[];
  let held = 0;
  frames.moved.forEach((bits, place) => {
    for (const path of TRACK_PATHS) {
      if ((bits & MOVED[path]) === 0 || taken.has(`${frames.forest.sourceNodes[place]} ${path}`)) continue;
      const from = POSE_STRIDE * place + PATH_OFFSET[path];
      const old = frames.oldRest.subarray(from, from + PATH_WIDTH[path]);
      const change = frames.changes[place] ?? frameChange({});
      const values = changeValues(old, path, change, false);
      if (path === 'rotation') makeUnit(values, false);
      const key = `held ${place} ${path}`;
      let output = outputs.known.get(key);
      if (output === undefined) {
        output =
          outputs.arrays.push({ array: Float32Array.from(values), type: path === 'rotation' ? 'VEC4' : 'VEC3' }) - 1;
        outputs.known.set(key, output);
      }
      const sampler: JsonObject = { input: timeOutput(), interpolation: 'STEP', output: -1 };
      outputs.uses.push({ sampler, output });
      const index = samplers.push(sampler) - 1;
      list.push({ sampler: index, target: { node: nodeOf(frames, place, path), path } });
      held++;
    }
  });
  return held;
}

/**
 * Rewrites all channels that are touched. `members`: nodes of the model; an animation that moves none of them gets nothing added.
 * Key times, interpolation and morph weights stay. FormatError as with `readAccessor`.
 */
export function rewriteChannels(
  doc: GltfDocument,
  frames: Frames,
  animations: readonly NodeAnimation[],
  members: ReadonlySet<number>,
  issues: Issue[],
): RewrittenChannels {
  const outputs: Outputs = { arrays: [], known: new Map(), uses: [] };
  let time = -1;
  const timeOutput = (): number => {
    if (time < 0) {
      [time] = appendAccessors(doc, [{ array: new Float32Array(1), type: 'SCALAR', minMax: true }]);
    }
    return time;
  };
  let rewritten = 0;
  let held = 0;
  let unusable = 0;
  for (const animation of animations) {
    const samplers = arrayAt(animation.json, 'samplers', animation.pointer);
    const newOutputs = new Map<JsonObject, number>();
    for (const channel of animation.channels) {
      if (channel.sampler >= samplers.length) continue;
      const pointer = `${animation.pointer}/samplers/${channel.sampler}`;
      const sampler = objectItem(samplers, channel.sampler, `${animation.pointer}/samplers`);
      const output = newOutput(doc, outputs, frames, channel, sampler, pointer);
      const place = frames.forest.places[channel.node];
      if (output >= 0) {
        newOutputs.set(channel.json, output);
        rewritten++;
      } else if (channel.path !== 'weights' && touches(frames.changes[place], channel.path)) unusable++;
    }
    giveOutputs(animation, outputs, newOutputs);
    held += holdOldRest(frames, animation, members, outputs, timeOutput);
    for (const channel of animation.channels) {
      const node = nodeOf(frames, frames.forest.places[channel.node], channel.path);
      if (node !== channel.node) retarget(channel, node);
    }
  }
  if (outputs.arrays.length > 0) {
    const accessors = appendAccessors(doc, outputs.arrays);
    for (const { sampler, output } of outputs.uses) sampler['output'] = accessors[output];
  }
  if (unusable > 0) {
    const message = `${unusable} channels have values of the wrong type or that are not finite; they stay as they are and no longer fit`;
    issues.push(issue('GLTF_ANIMATION', message, { pointer: '/animations' }));
  }
  return { rewritten, held };
}
