/** Rewrites animations for new frames, so that their motion does not change. Old accessors are kept, as other samplers may use them. */
import { PATH_WIDTH, TRACK_PATHS } from '../../../core/animation/clip.ts';
import * as quat from '../../../core/math/quat.ts';
import { changeFrameOfValues, createFrameChange } from '../../../core/normalize/frame-change.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { floatsOf, readAccessor } from '../accessors/accessor.ts';
import { appendAccessors, type NewAccessor } from '../accessors/append-accessor.ts';
import type { GltfDocument } from '../document/document.ts';
import {
  arrayAt,
  indexAt,
  type JsonObject,
  memberAt,
  objectItem,
  objectsAt,
  required,
} from '../document/json-access.ts';
import { type Frames, MOVED, touches } from './frames.ts';
import { type NodeAnimation, type NodeChannel, setChannelNode } from './node-channels.ts';

/** New sampler outputs, which are appended together, and the samplers that use them. */
interface Outputs {
  readonly arrays: NewAccessor[];
  /** Index in `arrays` by what the output is derived from. */
  readonly known: Map<string, number>;
  readonly uses: { readonly sampler: JsonObject; readonly output: number }[];
}

/** Normalizes rotations; CUBICSPLINE tangents are scaled alike. */
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

/** Index of the new output of a channel; −1 where it does not change or cannot be used. */
function newOutput(
  doc: GltfDocument,
  { known, arrays }: Outputs,
  frames: Frames,
  channel: NodeChannel,
  sampler: JsonObject,
  pointer: string,
): number {
  const { path, node } = channel;
  const forestNode = frames.forest.nodesBySource[node];
  const change = frames.changes[forestNode];
  if (path === 'weights' || !touches(change, path)) return -1;
  const output = required(indexAt(sampler, 'output', pointer, doc.json, 'accessors'), 'output', pointer);
  const isCubic = memberAt(sampler, 'interpolation') === 'CUBICSPLINE';
  const key = `${output} ${forestNode} ${path} ${isCubic}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const data = readAccessor(doc, output);
  if (data.width !== PATH_WIDTH[path]) return -1;
  const values = changeFrameOfValues(floatsOf(doc, data, `/accessors/${output}`), path, change, isCubic);
  if (path === 'rotation') makeUnit(values, isCubic);
  const array = Float32Array.from(values);
  if (array.some((value) => !Number.isFinite(value))) return -1;
  const index = arrays.push({ array, type: path === 'rotation' ? 'VEC4' : 'VEC3' }) - 1;
  known.set(key, index);
  return index;
}

/** Assigns new outputs to channels. A sampler that other channels use with another output is copied. */
function assignOutputs(
  { json, pointer, channels }: NodeAnimation,
  outputs: Outputs,
  newOutputs: ReadonlyMap<JsonObject, number>,
): void {
  const samplers = arrayAt(json, 'samplers', pointer) as unknown[];
  const users = new Map<number, JsonObject[]>();
  for (const { json: channel } of objectsAt(json, 'channels', pointer)) {
    const sampler = channel['sampler'];
    if (typeof sampler === 'number') users.set(sampler, [...(users.get(sampler) ?? []), channel]);
  }
  for (const sampler of new Set(channels.map((channel) => channel.sampler))) {
    const owners = users.get(sampler) ?? [];
    const wanted = owners.map((channel) => newOutputs.get(channel) ?? -1);
    const original = objectItem(samplers, sampler, `${pointer}/samplers`);
    // The first output keeps the sampler itself, unless another channel needs it unchanged.
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

/** glTF node that a path of a node is animated on. For a wrapped bone it is the new node, except for scale. */
function nodeOf({ wraps, forest }: Frames, forestNode: number, path: NodeChannel['path']): number {
  const wrap = wraps.get(forestNode);
  return wrap === undefined || path === 'scale' || path === 'weights' ? forest.sourceNodes[forestNode] : wrap.node;
}

/** Adds channels with the old rest pose where an animation relies on a rest pose that changes. */
function keepOldRest(
  frames: Frames,
  animation: NodeAnimation,
  modelNodes: ReadonlySet<number>,
  outputs: Outputs,
  timeOutput: () => number,
): number {
  const { channels } = animation;
  if (!channels.some(({ node, path }) => path !== 'weights' && modelNodes.has(node))) return 0;
  const taken = new Set(channels.map(({ node, path }) => `${node} ${path}`));
  const samplers = arrayAt(animation.json, 'samplers', animation.pointer) as unknown[];
  const list = arrayAt(animation.json, 'channels', animation.pointer) as unknown[];
  let added = 0;
  frames.moved.forEach((bits, forestNode) => {
    for (const path of TRACK_PATHS) {
      if ((bits & MOVED[path]) === 0 || taken.has(`${frames.forest.sourceNodes[forestNode]} ${path}`)) continue;
      const from = POSE_STRIDE * forestNode + PATH_OFFSET[path];
      const old = frames.oldRest.subarray(from, from + PATH_WIDTH[path]);
      const change = frames.changes[forestNode] ?? createFrameChange({});
      const values = changeFrameOfValues(old, path, change, false);
      if (path === 'rotation') makeUnit(values, false);
      const key = `added ${forestNode} ${path}`;
      let output = outputs.known.get(key);
      if (output === undefined) {
        output =
          outputs.arrays.push({ array: Float32Array.from(values), type: path === 'rotation' ? 'VEC4' : 'VEC3' }) - 1;
        outputs.known.set(key, output);
      }
      const sampler: JsonObject = { input: timeOutput(), interpolation: 'STEP', output: -1 };
      outputs.uses.push({ sampler, output });
      const index = samplers.push(sampler) - 1;
      list.push({ sampler: index, target: { node: nodeOf(frames, forestNode, path), path } });
      added++;
    }
  });
  return added;
}

/**
 * Rewrites all affected channels. Key times, interpolation and morph weights are kept. `issues` receives GLTF_ANIMATION for channels with unusable
 * values. Returns the numbers of channels with new values and of channels added to keep the old rest pose.
 */
export function rewriteChannels(
  doc: GltfDocument,
  frames: Frames,
  animations: readonly NodeAnimation[],
  modelNodes: ReadonlySet<number>,
  issues: Issue[],
): { readonly rewritten: number; readonly added: number } {
  const outputs: Outputs = { arrays: [], known: new Map(), uses: [] };
  let time = -1;
  const timeOutput = (): number => {
    if (time < 0) {
      [time] = appendAccessors(doc, [{ array: new Float32Array(1), type: 'SCALAR', minMax: true }]);
    }
    return time;
  };
  let rewritten = 0;
  let added = 0;
  let unusable = 0;
  for (const animation of animations) {
    const samplers = arrayAt(animation.json, 'samplers', animation.pointer);
    const newOutputs = new Map<JsonObject, number>();
    for (const channel of animation.channels) {
      if (channel.sampler >= samplers.length) continue;
      const pointer = `${animation.pointer}/samplers/${channel.sampler}`;
      const sampler = objectItem(samplers, channel.sampler, `${animation.pointer}/samplers`);
      const output = newOutput(doc, outputs, frames, channel, sampler, pointer);
      const forestNode = frames.forest.nodesBySource[channel.node];
      if (output >= 0) {
        newOutputs.set(channel.json, output);
        rewritten++;
      } else if (channel.path !== 'weights' && touches(frames.changes[forestNode], channel.path)) unusable++;
    }
    assignOutputs(animation, outputs, newOutputs);
    added += keepOldRest(frames, animation, modelNodes, outputs, timeOutput);
    for (const channel of animation.channels) {
      const node = nodeOf(frames, frames.forest.nodesBySource[channel.node], channel.path);
      if (node !== channel.node) setChannelNode(channel, node);
    }
  }
  if (outputs.arrays.length > 0) {
    const accessors = appendAccessors(doc, outputs.arrays);
    for (const { sampler, output } of outputs.uses) sampler['output'] = accessors[output];
  }
  if (unusable > 0) {
    const message = `${unusable} channels have values of a wrong type or values that are not finite. They were kept, so their motion no longer fits the new frames; repair or remove them.`;
    issues.push(issue('GLTF_ANIMATION', message, { pointer: '/animations' }));
  }
  return { rewritten, added };
}
