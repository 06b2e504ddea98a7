/** Damages a JSON value: types, indices, counts, names. */
import { pick, type Random } from '../../../src/demo/random.ts';
import { EXTREME_NUMBERS, EXTREME_TEXTS } from './extreme-values.ts';

type Container = Record<string | number, unknown>;

const OTHER_TYPES: readonly unknown[] = [null, true, 0, -1, 'x', [], {}, [[]], [0, 0], { node: 0 }];

/** Walks down to a random member of a random depth. */
function randomMember(random: Random, root: Container): { parent: Container; key: string | number } | null {
  let parent = root;
  let key: string | number | null = null;
  do {
    const keys = Object.keys(parent);
    if (keys.length === 0) break;
    key = pick(random, keys);
    const value: unknown = parent[key];
    if (typeof value !== 'object' || value === null || random() < 0.1) break;
    if (Object.keys(value).length === 0) break;
    parent = value as Container;
    key = null;
  } while (key === null);
  return key === null ? null : { parent, key };
}

function changed(random: Random, value: unknown): unknown {
  if (random() < 0.15) return structuredClone(pick(random, OTHER_TYPES));
  if (typeof value === 'number') {
    if (random() < 0.4) return value + pick(random, [-1, 1, 2, 4, 1000]);
    return random() < 0.2 ? value * pick(random, [-1, 0.5, 1e6, 1e-6, 1e20]) : pick(random, EXTREME_NUMBERS);
  }
  if (typeof value === 'string') return pick(random, EXTREME_TEXTS);
  if (!Array.isArray(value) || value.length === 0) return structuredClone(pick(random, OTHER_TYPES));
  const copy = [...value];
  const way = random();
  if (way < 0.3) copy.push(structuredClone(pick(random, copy)));
  else if (way < 0.6) copy.splice(Math.floor(random() * copy.length), 1);
  else if (way < 0.8) copy.reverse();
  else copy.length = 0;
  return copy;
}

/**
 * Damages one member of a JSON object in place.
 *
 * @param random Random source.
 * @param json The object; edited.
 */
export function mutateJson(random: Random, json: Record<string, unknown>): void {
  const found = randomMember(random, json);
  if (found === null) return;
  const { parent, key } = found;
  if (random() < 0.15) {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  } else parent[key] = changed(random, parent[key]);
}
