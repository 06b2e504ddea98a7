import { existsSync, readFileSync, statSync } from 'node:fs';
import fc from 'fast-check';
import { validateBytes } from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { parseGltf } from '../../../../../src/formats/gltf/index.ts';
import { CORE_CODES } from '../../../../../src/formats/gltf/validate/core/findings.ts';
import { validateGltf } from '../../../../../src/formats/gltf/validate/core/validate-gltf.ts';
import { asset, assetFiles, HAS_ASSETS } from '../../../../assets.ts';
import { documentText } from '../../../../documents.ts';
import { IS_FULL_RUN, lawRuns } from '../../../../law-runs.ts';
import { glbOf } from '../../../../make/glb.ts';
import { type Difference, differenceOf, reportedFiles, SCOPE } from './khronos-differences.ts';

const floats = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);

/** Findings for a GLB, as `CODE pointer`. */
function found(json: Record<string, unknown>, bin?: Uint8Array): string[] {
  const file = glbOf({ asset: { version: '2.0' }, ...json }, bin);
  return validateGltf(parseGltf(file))
    .map(({ code, pointer }) => `${code} ${pointer}`)
    .sort();
}

/** Findings of the Khronos validator for the same GLB, as far as anyrig has their codes; each once. */
async function theirs(json: Record<string, unknown>, bin?: Uint8Array): Promise<string[]> {
  const file = glbOf({ asset: { version: '2.0' }, ...json }, bin);
  const { issues } = await validateBytes(Uint8Array.from(file), { maxIssues: 0, writeTimestamp: false });
  const known = issues.messages.filter(({ code }) => Object.hasOwn(CORE_CODES, code));
  return [...new Set(known.map(({ code, pointer }) => `${code} ${pointer}`))].sort();
}

const NODES = [
  { name: 'a', children: [1], extras: {} },
  { name: 'b', rotation: [0, 0, 0, 1], extras: {} },
];
/** Two times, two rotations, one matrix. */
const BIN = floats(0, 1, 0, 0, 0, 1, 0, 0, 0, 1, ...[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
const VALID = {
  nodes: NODES,
  buffers: [{ byteLength: BIN.length }],
  bufferViews: [
    { buffer: 0, byteLength: 8 },
    { buffer: 0, byteOffset: 8, byteLength: 32 },
    { buffer: 0, byteOffset: 40, byteLength: 64 },
  ],
  accessors: [
    { bufferView: 0, componentType: 5126, count: 2, type: 'SCALAR', min: [0], max: [1] },
    { bufferView: 1, componentType: 5126, count: 2, type: 'VEC4' },
    { bufferView: 2, componentType: 5126, count: 1, type: 'MAT4' },
  ],
  skins: [{ joints: [0], inverseBindMatrices: 2 }],
  animations: [
    { channels: [{ sampler: 0, target: { node: 1, path: 'rotation' } }], samplers: [{ input: 0, output: 1 }] },
  ],
};

describe('validateGltf', () => {
  it('finds nothing in a valid file', () => {
    expect(found(VALID, BIN)).toEqual([]);
    expect(found({})).toEqual([]);
  });

  const [times, ...others] = VALID.accessors;
  const sampler = { input: 0, output: 1 };
  const channel = { sampler: 0, target: { node: 1, path: 'rotation' } };
  it.each<[string, Record<string, unknown>]>([
    ['a wrong minimum', { accessors: [{ ...times, min: [0.5] }, ...others] }],
    ['an accessor past its view', { accessors: [{ ...times, count: 3 }, ...others] }],
    [
      'an unaligned accessor',
      { bufferViews: [{ buffer: 0, byteOffset: 2, byteLength: 8 }, ...VALID.bufferViews.slice(1)] },
    ],
    [
      'a view past its buffer',
      { bufferViews: [...VALID.bufferViews.slice(0, 2), { buffer: 0, byteOffset: 48, byteLength: 64 }] },
    ],
    ['a missing accessor', { animations: [{ channels: [channel], samplers: [{ input: 0, output: 7 }] }] }],
    ['two channels of one target', { animations: [{ channels: [channel, channel], samplers: [sampler] }] }],
    [
      'a wrong path',
      { animations: [{ channels: [{ ...channel, target: { node: 1, path: 'turn' } }], samplers: [sampler] }] },
    ],
    ['a wrong number of values', { accessors: [times, { ...others[0], count: 1 }, others[1]] }],
    [
      'values of another type',
      { animations: [{ channels: [{ sampler: 0, target: { node: 1, path: 'scale' } }], samplers: [sampler] }] },
    ],
    ['too few matrices', { skins: [{ joints: [0, 1], inverseBindMatrices: 2 }] }],
    ['matrices of another type', { skins: [{ joints: [0], inverseBindMatrices: 1 }] }],
    ['a skeleton that is no root', { skins: [{ joints: [0, 1], skeleton: 1 }] }],
    ['a repeated joint', { skins: [{ joints: [0, 0] }] }],
    ['a loop', { nodes: [{ children: [1] }, { children: [0] }] }],
    ['two parents', { nodes: [{ children: [1, 2] }, {}, { children: [1] }] }],
    ['a scene with an inner node', { scenes: [{ nodes: [1] }] }],
    ['a quaternion that is too long', { nodes: [NODES[0], { rotation: [0, 0, 1, 1], extras: {} }] }],
    [
      'a matrix with shear',
      { nodes: [NODES[0], { matrix: [1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], extras: {} }] },
    ],
    ['an undeclared extension', { nodes: [{ ...NODES[0], extensions: { ABC_d: {} } }, NODES[1]] }],
    ['a required extension that is not used', { extensionsRequired: ['ABC_d'], extensionsUsed: ['ABC_e'] }],
    [
      'wrong types',
      {
        nodes: [
          { ...NODES[0], name: 3 },
          { rotation: 1, scale: [1, 'x', 1] },
        ],
      },
    ],
    [
      'sparse indices that do not increase',
      {
        accessors: [
          times,
          {
            ...others[0],
            sparse: {
              count: 2,
              indices: { bufferView: 2, componentType: 5121, byteOffset: 8 },
              values: { bufferView: 1 },
            },
          },
          others[1],
        ],
      },
    ],
    [
      'a sparse index past the end',
      {
        accessors: [
          times,
          {
            ...others[0],
            sparse: {
              count: 1,
              indices: { bufferView: 2, componentType: 5121, byteOffset: 2 },
              values: { bufferView: 1 },
            },
          },
          others[1],
        ],
      },
    ],
    ['a missing required property', { skins: [{}], animations: [{ channels: [{}], samplers: [{}] }] }],
    ['an index that is no integer', { nodes: [{ children: [0.5] }, { mesh: -1, extras: {} }] }],
    ['empty lists', { nodes: [], skins: [{ joints: [] }] }],
    [
      'numbers out of range',
      { nodes: [NODES[0], { rotation: [0, 0, 2, 1], extras: {} }], bufferViews: [{ buffer: 0, byteLength: 0 }] },
    ],
  ])('reports %s as the Khronos glTF Validator does', async (_, change) => {
    const json = { ...VALID, ...change };
    const ours = found(json, BIN);
    expect(ours).not.toEqual([]);
    expect([...new Set(ours)]).toEqual(await theirs(json, BIN));
  });

  it('never throws, whatever the JSON', () => {
    const keys = [
      'nodes',
      'skins',
      'animations',
      'accessors',
      'bufferViews',
      'buffers',
      'scenes',
      'extensions',
      'extras',
    ];
    const member = [
      'channels',
      'samplers',
      'joints',
      'children',
      'sparse',
      'indices',
      'target',
      'sampler',
      'node',
      'path',
      'bufferView',
      'count',
      'type',
      'componentType',
      'matrix',
    ];
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(0, 1, -1, 0.5, 'MAT4', 5126, null, true, 'rotation'),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...member), tie('any'), { maxKeys: 4 }),
      ),
    })).any;
    const law = fc.property(fc.dictionary(fc.constantFrom(...keys), value), (json) => {
      validateGltf(parseGltf(glbOf({ asset: { version: '2.0' }, ...json }, BIN)));
    });
    fc.assert(law, { seed: 1, numRuns: lawRuns(1000) });
  });
});

describe.skipIf(!HAS_ASSETS || !existsSync(asset('conformance/gltf/khronos-validator')))(
  'Khronos glTF Validator',
  () => {
    it('validateGltf: agrees with the Khronos glTF Validator, except as docs/gltf-conformance.md lists', async () => {
      const differences: Difference[] = [];
      let agreed = 0;
      const files = reportedFiles();
      for (const file of files) {
        const one = await differenceOf(file);
        agreed += one.agreed;
        if (one.difference !== null) differences.push(one.difference);
      }
      const page = documentText('docs/gltf-conformance.md');
      const rows = [...page.matchAll(/^\| `((?:base|ext)\/[^`]+)` \| (.*?) \| (.+) \|$/gm)].map(
        ([, file, cell, why]) => {
          expect(why.length).toBeGreaterThan(20);
          return { file, entries: [...cell.matchAll(/`([^`]+)`/g)].map(([, entry]) => entry) };
        },
      );
      expect(differences).toEqual(rows);
      expect(page).toContain(`has ${files.length} test assets`);
      expect(page).toContain(
        `${agreed} findings agree, and ${files.length - differences.length} of the ${files.length} files`,
      );
    }, 60_000);

    it.skipIf(!IS_FULL_RUN)(
      'validateGltf: agrees with the package gltf-validator on real characters',
      async () => {
        let agreed = 0;
        for (const path of assetFiles('assets', 'glb', 'vrm', 'vrma')) {
          if (statSync(path).size > 6_000_000) continue;
          const bytes = new Uint8Array(readFileSync(path));
          const { issues } = await validateBytes(bytes, { maxIssues: 0, writeTimestamp: false });
          const known = issues.messages
            .filter(({ code, pointer = '' }) => Object.hasOwn(CORE_CODES, code) && SCOPE.test(pointer))
            .map(({ code, pointer }) => `${code} ${pointer}`);
          const ours = validateGltf(parseGltf(bytes))
            // The package is older than this code.
            .filter(({ code, pointer }) => code !== 'NODE_SKINNED_MESH_PARENT_TRANSFORMS' && SCOPE.test(pointer))
            .map(({ code, pointer }) => `${code} ${pointer}`);
          expect([...new Set(ours)].sort(), path).toEqual([...new Set(known)].sort());
          agreed += ours.length;
        }
        expect(agreed).toBeGreaterThan(250);
      },
      120_000,
    );
  },
);
