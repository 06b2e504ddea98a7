/** Compares the structural rules of the validator with ajv and the JSON Schemas of the package. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BONES } from '../../../../src/core/humanoid/bones.ts';
import { parseGltf } from '../../../../src/formats/gltf/index.ts';
import { validateHumanoids } from '../../../../src/formats/gltf/validate/validate-humanoids.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { keepsSchema, ROOT_SCHEMA, TARGET_SCHEMA } from '../../../support/make/ext-schemas.ts';

const EXT = 'EXT_skeleton_humanoid';
/** Codes that a schema can check: types, names and required members. */
const STRUCTURAL = ['EXT_SCHEMA', 'EXT_BONE_UNKNOWN', 'EXT_SINGLE_OBJECT'];
const corpus = new URL('../../../corpus/ext-skeleton-humanoid/', import.meta.url);

type Json = Record<string, unknown>;

/** Whether ajv accepts all extensions of a file. */
function keepsSchemas(json: Json): boolean {
  const root = (json['extensions'] as Json | undefined)?.[EXT];
  const animations = (json['animations'] ?? []) as { channels: { target: { extensions?: Json } }[] }[];
  const targets = animations.flatMap(({ channels }) =>
    channels.flatMap(({ target: { extensions } }) => (extensions === undefined ? [] : [extensions[EXT]])),
  );
  const rootIsSound = root === undefined || keepsSchema(ROOT_SCHEMA, root);
  return rootIsSound && targets.every((target) => keepsSchema(TARGET_SCHEMA, target));
}

/** Whether the rules of the validator find no structural violation. */
function keepsRules(json: Json): boolean {
  const doc = parseGltf(new TextEncoder().encode(JSON.stringify(json)));
  return validateHumanoids(doc).issues.every(({ code }) => !STRUCTURAL.includes(code));
}

describe('validateHumanoids and the JSON Schemas agree', () => {
  it.each(readdirSync(corpus))('on %s', (file) => {
    const json = JSON.parse(readFileSync(new URL(file, corpus), 'utf8')) as Json;
    expect(keepsRules(json)).toBe(keepsSchemas(json));
  });

  it('on arbitrary values of the extension', () => {
    const arbitraryValue = fc.oneof(
      fc.constantFrom<unknown>(null, true, '', 'hips', -1, 0, 1, 1.5, [], {}, [0]),
      fc.nat(3) as fc.Arbitrary<unknown>,
    );
    const name = fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom<string>(...BONES) },
      { weight: 1, arbitrary: fc.constantFrom('Hips', 'waist', '') },
    );
    const often = <T>(sound: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
      fc.oneof({ weight: 6, arbitrary: sound as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: arbitraryValue });
    const bones = fc.dictionary(name, often(fc.nat(3)), { maxKeys: 4, noNullPrototype: true });
    const skeleton = fc.record(
      { rootNode: often(fc.nat(3)), humanoidBones: often(bones) },
      { requiredKeys: ['humanoidBones'] },
    );
    const root = fc.record(
      { humanoidSkeletons: often(fc.array(often(skeleton), { maxLength: 2 })) },
      { requiredKeys: [] },
    );
    const target = fc.record({ humanoidBoneName: often(name) }, { requiredKeys: [] });
    fc.assert(
      fc.property(often(root), often(target), (rootValue, targetValue) => {
        const json: Json = {
          asset: { version: '2.0' },
          extensionsUsed: [EXT],
          nodes: [{ children: [1, 2, 3] }, {}, {}, {}],
          extensions: { [EXT]: rootValue },
          animations: [
            {
              samplers: [{}],
              channels: [{ sampler: 0, target: { path: 'rotation', extensions: { [EXT]: targetValue } } }],
            },
          ],
        };
        expect(keepsRules(json), JSON.stringify([rootValue, targetValue])).toBe(keepsSchemas(json));
      }),
      { seed: 5, numRuns: lawRuns(2000) },
    );
  });
});
