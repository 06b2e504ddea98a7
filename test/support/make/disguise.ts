/** Disguises a rig so that it can be recognized only by its shape. */
import type { Clip } from '../../../src/core/animation/clip.ts';
import type { Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { product, type Quaternion, rotated, type Vector } from '../reference/plain.ts';

/** Changes to apply. */
export interface Disguise {
  /** Names of the nodes by their new index. */
  readonly name: (node: number) => string;
  /** Shuffles the nodes, parents first: the order of siblings and the order in the file. */
  readonly seed: number;
  /** Rotates the whole rig, as other file axes do. */
  readonly turn: Quaternion;
  readonly scale: number;
}

/** A disguised rig, and the new indices of its nodes. */
export interface Disguised {
  readonly skeleton: Skeleton;
  readonly clip: Clip | null;
  /** New index of every node. */
  readonly place: Int32Array;
}

/** Rotates a model-space matrix (16 floats at `o`) and converts its position to the new unit. */
function turnMatrix(m: Float64Array, o: number, turn: Quaternion, scale: number): void {
  for (let column = 0; column < 4; column++) {
    const at = o + 4 * column;
    const v = rotated(turn, [m[at], m[at + 1], m[at + 2]]);
    for (let c = 0; c < 3; c++) m[at + c] = v[c] * (column === 3 ? scale : 1);
  }
}

/** Converts 10 floats of a node to the new unit; rotates those of a root. */
function placed(rest: ArrayLike<number>, o: number, isRoot: boolean, { turn, scale }: Disguise): number[] {
  const all = Array.from({ length: 10 }, (_, k) => rest[o + k]);
  const t: Vector = [all[0] * scale, all[1] * scale, all[2] * scale];
  const q: Quaternion = [all[3], all[4], all[5], all[6]];
  return isRoot ? [...rotated(turn, t), ...product(turn, q), ...all.slice(7)] : [...t, ...all.slice(3)];
}

/** Disguises a rig and its clip. Of cubic splines only the key values are converted, not the tangents. */
export function disguise(skeleton: Skeleton, clip: Clip | null, changes: Disguise): Disguised {
  const { parents, rest, bind, joints } = skeleton;
  const count = parents.length;
  const random = makeRandom(changes.seed);
  const place = new Int32Array(count).fill(-1);
  const order: number[] = [];
  const ready = Array.from(parents.keys()).filter((node) => parents[node] < 0);
  while (ready.length > 0) {
    const [node] = ready.splice(Math.floor(random() * ready.length), 1);
    place[node] = order.length;
    order.push(node);
    for (let child = 0; child < count; child++) if (parents[child] === node) ready.push(child);
  }
  const matrices =
    bind === null ? null : Float64Array.from(order.flatMap((n) => Array.from(bind.subarray(16 * n, 16 * n + 16))));
  if (matrices !== null) for (let n = 0; n < count; n++) turnMatrix(matrices, 16 * n, changes.turn, changes.scale);
  const tracks = (clip?.tracks ?? []).map((track) => {
    const isRoot = parents[track.target] < 0;
    const values = Float64Array.from(track.values);
    if (track.path === 'translation') {
      for (let k = 0; k < values.length; k += 3) {
        const v = [values[k], values[k + 1], values[k + 2]].map((x) => x * changes.scale);
        values.set(isRoot ? rotated(changes.turn, v as never) : v, k);
      }
    }
    if (track.path === 'rotation' && isRoot) {
      for (let k = 0; k < values.length; k += 4) {
        values.set(product(changes.turn, [values[k], values[k + 1], values[k + 2], values[k + 3]]), k);
      }
    }
    return { ...track, target: place[track.target], values };
  });
  return {
    skeleton: {
      name: 'disguised',
      names: order.map((_, node) => changes.name(node)),
      parents: Int32Array.from(order, (node) => (parents[node] < 0 ? -1 : place[parents[node]])),
      rest: Float64Array.from(order.flatMap((node) => placed(rest, 10 * node, parents[node] < 0, changes))),
      bind: matrices,
      joints: Uint8Array.from(order, (node) => joints[node]),
    },
    clip: clip === null ? null : { ...clip, tracks },
    place,
  };
}
