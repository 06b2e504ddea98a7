import { BONE_PARENTS, BONES, type BoneName } from '../../../src/core/humanoid/bones.ts';
import type { Skeleton } from '../../../src/core/skeleton/skeleton.ts';

/** Returns a skeleton without geometry. All nodes are joints by default. */
export function bareSkeleton(
  names: readonly string[],
  parents: readonly number[],
  joints?: readonly number[],
): Skeleton {
  const rest = new Float64Array(names.length * 10);
  for (let node = 0; node < names.length; node++) rest.set([0, 0, 0, 0, 0, 0, 1, 1, 1, 1], node * 10);
  return {
    name: 'rig',
    names,
    parents: Int32Array.from(parents),
    rest,
    bind: null,
    joints: joints === undefined ? new Uint8Array(names.length).fill(1) : Uint8Array.from(joints),
  };
}

/**
 * Parses a skeleton from text: one node per line, children indented by one more space. `a > b > c` in one line is a chain. A name that ends
 * with ` !` is not a joint. `{L|R}` or `{left|right}` in a line repeats the line and all lines below it, once per side.
 */
export function rigOf(text: string): Skeleton {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const base = Math.min(...lines.map((line) => line.search(/\S/)));
  const names: string[] = [];
  const parents: number[] = [];
  const joints: number[] = [];
  const walk = (rows: readonly string[], parent: number): void => {
    for (let i = 0; i < rows.length; ) {
      const indent = rows[i].search(/\S/);
      let end = i + 1;
      while (end < rows.length && rows[end].search(/\S/) > indent) end++;
      const block = rows.slice(i, end);
      const choice = /\{([^|}]*)\|([^}]*)\}/;
      const sides = choice.test(block[0]) ? [1, 2] : [0];
      for (const side of sides) {
        const rowsOfSide = side === 0 ? block : block.map((row) => row.replace(new RegExp(choice, 'g'), `$${side}`));
        let above = parent;
        for (const written of rowsOfSide[0].trim().split(' > ')) {
          const isMesh = written.endsWith(' !');
          names.push(isMesh ? written.slice(0, -2) : written);
          parents.push(above);
          joints.push(isMesh ? 0 : 1);
          above = names.length - 1;
        }
        walk(rowsOfSide.slice(1), above);
      }
      i = end;
    }
  };
  walk(
    lines.map((line) => line.slice(base)),
    -1,
  );
  return bareSkeleton(names, parents, joints);
}

/** Returns a skeleton with the named bones, in the tree of bones. */
export function rigOfBones(nameOf: (bone: BoneName) => string | undefined): {
  skeleton: Skeleton;
  /** Node per bone, −1 where absent. */
  nodes: Int32Array;
} {
  const nodes = new Int32Array(BONES.length).fill(-1);
  const names: string[] = [];
  const parents: number[] = [];
  for (const [bone, boneName] of BONES.entries()) {
    const name = nameOf(boneName);
    if (name === undefined) continue;
    let above = BONE_PARENTS[bone];
    while (above >= 0 && nodes[above] < 0) above = BONE_PARENTS[above];
    nodes[bone] = names.length;
    names.push(name);
    parents.push(above < 0 ? -1 : nodes[above]);
  }
  return { skeleton: bareSkeleton(names, parents), nodes };
}

/** Returns the names of the mapped nodes by bone. */
export function namesByBone(skeleton: Skeleton, nodes: ArrayLike<number>): Partial<Record<BoneName, string>> {
  const out: Partial<Record<BoneName, string>> = {};
  for (const [bone, name] of BONES.entries()) if (nodes[bone] >= 0) out[name] = skeleton.names[nodes[bone]];
  return out;
}
