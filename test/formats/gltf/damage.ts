/** Damages the JSON of a file at random. */
import { pick, type Random } from '../../../src/demo/random.ts';
import type { JsonObject } from '../../../src/formats/gltf/document/json-access.ts';

const ODD: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1,
  0.5,
  7,
  255,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  1e300,
  '',
  'x',
  '__proto__',
  [],
  {},
  [[]],
  [0, 0],
  { node: 0 },
];

const SECTIONS: readonly string[] = [
  'nodes',
  'skins',
  'animations',
  'accessors',
  'bufferViews',
  'extensions',
  'meshes',
  'extensionsRequired',
];

/** Damages one value in the JSON, more often in the sections that readers use. */
export function damageJson(random: Random, json: JsonObject, sections: readonly string[] = SECTIONS): void {
  let key: string | number = random() < 0.9 ? pick(random, sections) : pick(random, Object.keys(json));
  let parent: Record<string | number, unknown> = json;
  while (random() < 0.85) {
    const value: unknown = parent[key];
    if (typeof value !== 'object' || value === null) break;
    const keys: string[] = Object.keys(value);
    if (keys.length === 0) break;
    parent = value as Record<string, unknown>;
    key = pick(random, keys);
  }
  const way = random();
  if (way < 0.15) delete parent[key];
  else if (way < 0.3 && typeof parent[key] === 'number')
    parent[key] = (parent[key] as number) + pick(random, [-1, 1, 4, 1000]);
  else if (way < 0.4 && Array.isArray(parent[key]))
    (parent[key] as unknown[]).push(pick(random, parent[key] as unknown[]));
  else parent[key] = structuredClone(pick(random, ODD));
}
