/**
 * Computes node poses of an assimp scene. The product of the helper nodes ($AssimpFbx$: one for the pivot, the pre-rotation …)
 * is the local transform, at rest and if a channel animates one of them. Otherwise the channel of a node has its whole local
 * transform including the pre-rotation. assimp 5.2.5 keeps the helpers as well and applies both; here such a channel replaces
 * the helpers.
 */
import * as mat4 from '../../src/core/math/mat4.ts';
import * as quat from '../../src/core/math/quat.ts';
import type { AssbinAnimation, AssbinChannel, AssbinScene } from './assbin.ts';

/** Position xyz and rotation xyzw in the space of the scene's root. */
export type TransformRow = number[];

const HELPER = '_$AssimpFbx$_';

/** Samples the keys of a channel: linear or slerp, constant before the first key and after the last. */
function valueAt(keys: number[][], ticks: number): number[] {
  const next = keys.findIndex(([time]) => time >= ticks);
  if (next <= 0) return keys.at(next)!.slice(1);
  const [a, b] = [keys[next - 1], keys[next]];
  const ratio = (ticks - a[0]) / (b[0] - a[0]);
  if (a.length === 5) {
    const out = [0, 0, 0, 1];
    quat.slerp(out as never, 0, a, 1, b, 1, ratio);
    return out;
  }
  return a.slice(1).map((value, c) => value + (b[c + 1] - value) * ratio);
}

function channelMatrix({ positions, rotations, scales }: AssbinChannel, ticks: number): number[] {
  const out = new Float64Array(16);
  mat4.compose(
    out,
    0,
    [positions, rotations, scales].flatMap((keys) => valueAt(keys, ticks)),
    0,
  );
  return [...out];
}

/** Returns the transform of every node except helpers, by name, at a time of an animation; at rest without an animation. */
export function assimpTransforms(
  scene: AssbinScene,
  animation?: AssbinAnimation,
  seconds = 0,
): Map<string, TransformRow> {
  const channels = new Map(animation?.channels.map((channel) => [channel.node, channel]));
  const helped = new Set(
    [...channels.keys()].filter((node) => node.includes(HELPER)).map((node) => node.split(HELPER)[0]),
  );
  const world = new Float64Array(16 * scene.nodes.length);
  const transforms = new Map<string, TransformRow>();
  scene.nodes.forEach(({ name, parent, matrix }, node) => {
    const channel = channels.get(name);
    const local = channel && animation ? channelMatrix(channel, seconds * animation.ticksPerSecond) : matrix;
    let above = parent;
    while (channel && !helped.has(name) && scene.nodes[above].name.startsWith(`${name}${HELPER}`))
      above = scene.nodes[above].parent;
    if (above < 0) mat4.copy(world, 0, local, 0);
    else mat4.multiply(world, node * 16, world, above * 16, local, 0);
    if (name.includes(HELPER)) return;
    const trs = new Float64Array(10);
    mat4.decompose(trs, 0, world, node * 16);
    transforms.set(name, [...trs.subarray(0, 7)]);
  });
  return transforms;
}

/** Checks that no channel is between two different keys at that time. */
export function isAtKeys(animation: AssbinAnimation, names: ReadonlySet<string>, seconds: number): boolean {
  const ticks = seconds * animation.ticksPerSecond;
  return animation.channels.every(({ node, positions, rotations, scales }) => {
    if (!names.has(node.split(HELPER)[0])) return true;
    return [positions, rotations, scales].every((keys) => {
      const next = keys.findIndex(([time]) => time >= ticks - 1e-3);
      if (next <= 0 || Math.abs(keys[next][0] - ticks) <= 2e-3) return true;
      return keys[next].every((value, c) => c === 0 || Math.abs(value - keys[next - 1][c]) < 1e-6);
    });
  });
}
