/** Orders tasks so that a worker opens few files: a group runs in one worker, task by task. */
import type { BatchTask } from '../plan/batch-task.ts';
import { CHARACTER_BYTES } from '../worker/worker-limits.ts';

/** Bytes of the motions of a group, where a worker cannot keep all characters. */
const BLOCK_BYTES = 2e6;
/** Groups per worker at least, so that all workers end at about the same time. */
const GROUPS_PER_WORKER = 8;

function totalOf(paths: Iterable<string>, sizes: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const path of paths) total += sizes.get(path) ?? 0;
  return total;
}

/** Numbers motions by blocks of at most so many bytes, or of one motion. */
function blocksOf(tasks: readonly BatchTask[], sizes: ReadonlyMap<string, number>, most: number): Map<string, number> {
  const blocks = new Map<string, number>();
  let bytes = 0;
  let block = -1;
  for (const motion of new Set(tasks.map(({ motions }) => motions[0]))) {
    bytes += sizes.get(motion) ?? 0;
    if (block < 0 || bytes > most) [block, bytes] = [block + 1, sizes.get(motion) ?? 0];
    blocks.set(motion, block);
  }
  return blocks;
}

/**
 * Groups tasks: those of one motion where a worker can keep all characters; otherwise those of one character and of a block of motions that it can
 * keep. `sizes`: bytes of the inputs.
 */
export function groupTasks<Todo>(
  tasks: readonly Todo[],
  taskOf: (todo: Todo) => BatchTask,
  sizes: ReadonlyMap<string, number>,
  workers: number,
): Todo[][] {
  const all = tasks.map(taskOf);
  const characters = new Set(all.flatMap(({ character }) => character ?? []));
  const keepsAll = totalOf(characters, sizes) <= CHARACTER_BYTES;
  const blocks = blocksOf(all, sizes, keepsAll ? Number.NEGATIVE_INFINITY : BLOCK_BYTES);
  const most = Math.max(1, Math.floor(tasks.length / (GROUPS_PER_WORKER * workers)));
  const groups = new Map<string, Todo[]>();
  for (const todo of tasks) {
    const { character, motions } = taskOf(todo);
    const block = blocks.get(motions[0]) ?? 0;
    const key = keepsAll ? `${block}` : `${block} ${character}`;
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(todo);
  }
  const blockOf = ([first]: readonly Todo[]): number => blocks.get(taskOf(first).motions[0]) ?? 0;
  const order = [...groups.values()].sort((a, b) => blockOf(a) - blockOf(b));
  return order.flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / most) }, (_, k) => group.slice(most * k, most * (k + 1))),
  );
}
