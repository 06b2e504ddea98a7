/** Splits a batch over machines that do not talk to each other. */
import { type BatchTask, inputsOfTask } from './batch-task.ts';

/** Bytes that a task costs besides its inputs, so that many small files also count. */
const BYTES_OF_A_TASK = 100_000;

/**
 * Selects the tasks of one shard. All shards of a batch together have every task once. Shards are balanced by the size of the inputs: tasks are assigned from
 * the largest to the smallest, each to the shard with the least bytes. The result depends only on the tasks and sizes, not on their order.
 *
 * @param tasks All tasks of the batch.
 * @param sizes Bytes of every input by path; files that are missing count as empty.
 * @param index Number of the shard, from 1 to `count`.
 * @param count Number of shards.
 * @returns The tasks of the shard, in the order of `tasks`.
 * @throws RangeError for an index outside of 1…count.
 */
export function shardTasks(
  tasks: readonly BatchTask[],
  sizes: ReadonlyMap<string, number>,
  index: number,
  count: number,
): BatchTask[] {
  if (!(Number.isInteger(count) && Number.isInteger(index) && index >= 1 && index <= count))
    throw new RangeError(`The shard is ${index}/${count}; expected whole numbers I/N with I from 1 to N`);
  const weighed = tasks.map((task) => {
    const bytes = inputsOfTask(task).reduce((sum, path) => sum + (sizes.get(path) ?? 0), BYTES_OF_A_TASK);
    return { task, bytes };
  });
  weighed.sort((a, b) => b.bytes - a.bytes || (a.task.id < b.task.id ? -1 : 1));
  const loads = new Float64Array(count);
  const own = new Set<BatchTask>();
  for (const { task, bytes } of weighed) {
    const least = loads.indexOf(Math.min(...loads));
    loads[least] += bytes;
    if (least === index - 1) own.add(task);
  }
  return tasks.filter((task) => own.has(task));
}
