/** What was found out about the files in use, so that the next job need not find it again. */
import { getOrCreate } from '../core/math/get-or-create.ts';

const numbers = new WeakMap<object, number>();
let count = 0;

/** Returns a number that belongs to an object alone, for keys. */
export function numberOf(object: object): number {
  return getOrCreate(numbers, object, () => ++count);
}

/** Values by key for each owner, a file or a part of one. They are released with it. */
export type Kept<Owner extends object, Value> = WeakMap<Owner, Map<string, Value>>;

/** Values per owner: a page asks with other options again and again, each pose that someone edits is another one. */
const MOST = 4;

/**
 * Returns what is known of an owner under a key; finds it on first use. The values asked for last are kept. `kept` receives the value. What `find`
 * throws is not kept.
 */
export function keepOrFind<Owner extends object, Value>(
  kept: Kept<Owner, Value>,
  owner: Owner,
  key: string,
  find: () => Value,
): Value {
  const known = getOrCreate(kept, owner, () => new Map<string, Value>());
  const value = known.get(key) ?? find();
  known.delete(key);
  known.set(key, value);
  for (const oldest of known.keys()) if (known.size > MOST) known.delete(oldest);
  return value;
}
