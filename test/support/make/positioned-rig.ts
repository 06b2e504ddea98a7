import type { Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { bareSkeleton } from './rig-text.ts';

/**
 * Parses a skeleton with positions from text: one node per line, `name x y z` in model space, children indented by one more space.
 * Several nodes in one line, joined by ` > `, are a chain. A name that starts with `*` gives two nodes, left at +x and right at −x, each with
 * the nodes below it. All rest rotations are the identity.
 */
export function positionedRig(text: string): Skeleton {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const base = Math.min(...lines.map((line) => line.search(/\S/)));
  const names: string[] = [];
  const parents: number[] = [];
  const places: number[][] = [];
  const walk = (rows: readonly string[], parent: number, sign: number): void => {
    for (let i = 0; i < rows.length; ) {
      const indent = rows[i].search(/\S/);
      let end = i + 1;
      while (end < rows.length && rows[end].search(/\S/) > indent) end++;
      const isPair = rows[i].trim().startsWith('*');
      for (const side of isPair ? [1, -1] : [sign]) {
        let above = parent;
        for (const written of rows[i].trim().split(' > ')) {
          const [name, x, y, z] = written.replace('*', '').split(' ');
          names.push(isPair ? `${name}.${side === 1 ? 'L' : 'R'}` : name);
          parents.push(above);
          places.push([side * Number(x), Number(y), Number(z)]);
          above = names.length - 1;
        }
        walk(rows.slice(i + 1, end), above, side);
      }
      i = end;
    }
  };
  walk(
    lines.map((line) => line.slice(base)),
    -1,
    1,
  );
  const bare = bareSkeleton(names, parents);
  const rest = Float64Array.from(bare.rest);
  for (const [node, place] of places.entries()) {
    const above = parents[node] < 0 ? [0, 0, 0] : places[parents[node]];
    for (let c = 0; c < 3; c++) rest[10 * node + c] = place[c] - above[c];
  }
  return { ...bare, rest };
}

/** Writes the rows of a left side for one side of a rig whose sides differ: `name x y z` becomes `name.L x y z`, or `name.R -x y z`. */
export function rowsOfSide(rows: string, side: 'L' | 'R'): string {
  const sign = side === 'L' ? '' : '-';
  return rows.replaceAll(/([a-z]\w*) ([\d.]+)/gi, (_, name: string, x: string) => `${name}.${side} ${sign}${x}`);
}
