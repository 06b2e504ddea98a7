/** Malicious files (cut off, damaged, inconsistent): readers throw a FormatError or return a result, quickly. */
import { readFileSync } from 'node:fs';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { beforeAll, describe, expect, it } from 'vitest';
import { FormatError } from '../../../src/core/report/format-error.ts';
import { accessorInfo, readFloats } from '../../../src/formats/gltf/accessors/accessor.ts';
import { appendAccessor } from '../../../src/formats/gltf/accessors/append-accessor.ts';
import { bufferBytes, listResources, viewBytes } from '../../../src/formats/gltf/document/buffers.ts';
import { toGlb, toGltf } from '../../../src/formats/gltf/document/convert-container.ts';
import { hasCompressedViews } from '../../../src/formats/gltf/document/meshopt.ts';
import {
  attachMeshoptDecoder,
  concatParts,
  loadResources,
  parseGltf,
  serializeGltf,
} from '../../../src/formats/gltf/index.ts';
import { asset, assetFiles, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN, lawRuns } from '../../support/law-runs.ts';
import { glbOf } from '../../support/make/glb.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A small GLB with every kind of buffer view and accessor. */
const SMALL_JSON = {
  asset: { version: '2.0', minVersion: '2.0' },
  extensionsUsed: ['EXT_meshopt_compression', 'KHR_draco_mesh_compression'],
  buffers: [{ byteLength: 96 }, { byteLength: 4, uri: 'data:;base64,AAECAw==' }, { byteLength: 2, uri: 'b.bin' }],
  bufferViews: [
    { buffer: 0, byteOffset: 0, byteLength: 48, byteStride: 16 },
    { buffer: 0, byteOffset: 48, byteLength: 4 },
    { buffer: 1, byteOffset: 1, byteLength: 2 },
    { buffer: 2, byteLength: 2 },
    {
      buffer: 0,
      byteLength: 32,
      extensions: {
        EXT_meshopt_compression: {
          buffer: 0,
          byteOffset: 52,
          byteLength: 40,
          byteStride: 4,
          count: 8,
          mode: 'ATTRIBUTES',
        },
      },
    },
  ],
  accessors: [
    { bufferView: 0, byteOffset: 4, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 1] },
    { bufferView: 1, componentType: 5121, normalized: true, count: 4, type: 'SCALAR' },
    {
      componentType: 5121,
      count: 9,
      type: 'SCALAR',
      sparse: { count: 2, indices: { bufferView: 2, componentType: 5121, byteOffset: 0 }, values: { bufferView: 3 } },
    },
    { bufferView: 4, componentType: 5126, count: 8, type: 'SCALAR' },
    { bufferView: 0, componentType: 5121, count: 2, type: 'MAT3' },
    { componentType: 5123, count: 1, type: 'SCALAR' },
  ],
  meshes: [
    {
      primitives: [
        {
          attributes: { POSITION: 5 },
          extensions: { KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } } },
        },
      ],
    },
  ],
  images: [{ uri: 'a%20b.png' }, { uri: 'data:image/png;base64,AAAA' }],
};
const SMALL = glbOf(
  SMALL_JSON,
  Uint8Array.from({ length: 96 }, (_, i) => (i * 37) & 0x3f),
  [['ABCD', Uint8Array.of(1, 2, 3, 4)]],
);

/** Runs a step. Returns undefined for a FormatError; any other error fails the test. */
function attempt<T>(step: () => T, context: () => string): T | undefined {
  try {
    return step();
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw new Error(`${context()}: ${(error as Error).stack}`);
  }
}

/** Runs all functions of the document layer on a file. Returns the number of readable accessors. */
async function exercise(bytes: Uint8Array, context: () => string): Promise<number> {
  const doc = attempt(() => parseGltf(bytes), context);
  if (doc === undefined) return 0;
  let readable = 0;
  // An unedited document keeps its bytes, however unusual they are.
  if (Buffer.compare(concatParts(serializeGltf(doc).parts), bytes) !== 0)
    throw new Error(`${context()}: printed changed`);
  if (hasCompressedViews(doc)) await attachMeshoptDecoder(doc, MeshoptDecoder);
  attempt(() => listResources(doc), context);
  try {
    await loadResources(doc, async (path) => (path === 'b.bin' ? Uint8Array.of(7, 8) : new Uint8Array(1)), {
      images: true,
    });
  } catch (error) {
    attempt(() => {
      throw error;
    }, context);
  }
  const lengthOf = (value: unknown): number => (Array.isArray(value) ? Math.min(value.length, 200) : 1);
  for (let i = 0; i < lengthOf(doc.json['buffers']); i++) attempt(() => bufferBytes(doc, i), context);
  for (let i = 0; i < lengthOf(doc.json['bufferViews']); i++) attempt(() => viewBytes(doc, i), context);
  for (let i = 0; i < lengthOf(doc.json['accessors']); i++) {
    attempt(() => accessorInfo(doc, i), context);
    const floats = attempt(() => readFloats(doc, i), context);
    if (floats !== undefined) readable++;
    if (floats !== undefined && floats.length === 0) throw new Error(`${context()}: accessor ${i} is empty`);
  }
  const index = attempt(() => appendAccessor(doc, Float32Array.of(1, 2, 3), { type: 'VEC3' }), context);
  attempt(() => (doc.container === 'glb' ? toGltf(doc, 'out.bin') : toGlb(doc)), context);
  attempt(() => (doc.container === 'glb' ? toGltf(doc, 'out.bin') : toGlb(doc)), context);
  const printed = attempt(() => serializeGltf(doc, { binName: 'out.bin' }), context);
  if (printed === undefined) throw new Error(`${context()}: cannot be printed`);
  if (index !== undefined) attempt(() => readFloats(doc, index), context);
  return readable;
}

/** Small pseudo-random numbers, the same in every run (xorshift32). */
function randomBits(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** Paths of all values of a JSON value: keys and indices from the root. */
function pathsOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const members = Array.isArray(value) ? value.map((item, i) => [i, item] as const) : Object.entries(value);
  return [path, ...members.flatMap(([key, member]) => pathsOf(member, [...path, key]))];
}

const small = (): string[] => {
  const files = [...assetFiles('conformance/gltf', 'glb', 'vrm', 'vrma'), asset('assets/glb/m2m_rig-human.glb')];
  return files.filter((file) => readFileSync(file).length < 12_000);
};

beforeAll(() => MeshoptDecoder.ready);

/** Distance of the bytes and values that are changed: a full run takes all. */
const STEP = IS_FULL_RUN ? 1 : 3;

describe('malicious files', () => {
  it('the undamaged file is readable', async () => {
    // All accessors except the Draco and the compressed one, whose bytes are not valid streams.
    expect(await exercise(SMALL, () => 'whole')).toBe(4);
  });

  it('readers throw a FormatError or return a result for a file cut off at any byte', async () => {
    for (let length = 0; length < SMALL.length; length += STEP) {
      await exercise(Uint8Array.from(SMALL.subarray(0, length)), () => `cut at ${length}`);
    }
  });

  it('readers throw a FormatError or return a result for a file cut off at any byte with a matching header', async () => {
    for (let length = 20; length < SMALL.length; length += STEP) {
      const bytes = Uint8Array.from(SMALL.subarray(0, length));
      new DataView(bytes.buffer).setUint32(8, length, true);
      await exercise(bytes, () => `cut at ${length}, header repaired`);
    }
  });

  it('readers throw a FormatError or return a result for flipped bits', async () => {
    const random = randomBits(1);
    for (let run = 0; run < lawRuns(6000); run++) {
      const bytes = Uint8Array.from(SMALL);
      const flips = 1 + (random() % 3);
      for (let i = 0; i < flips; i++) bytes[random() % bytes.length]! ^= 1 << (random() % 8);
      await exercise(bytes, () => `run ${run}`);
    }
  });

  it('readers throw a FormatError or return a result for any JSON value replaced by any other', async () => {
    const values = [
      '-1',
      '1.5',
      '1e400',
      '9007199254740993',
      '4294967296',
      '0',
      '255',
      '"x"',
      'null',
      'true',
      '[]',
      '{}',
      '[[]]',
      '[null]',
      '"__proto__"',
      '"../x"',
      '""',
    ];
    let cases = 0;
    for (const path of pathsOf(SMALL_JSON)) {
      for (const [k, value] of values.entries()) {
        if ((cases + k) % STEP !== 0) continue;
        const copy = structuredClone({ root: SMALL_JSON }) as Record<string, unknown>;
        const keys = ['root', ...path];
        const last = keys.pop()!;
        const parent = keys.reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, copy);
        parent[last] = '@@';
        const text = JSON.stringify(copy['root']).replace('"@@"', () => value);
        await exercise(glbOf(text, SMALL.subarray(-108, -12)), () => `/${path.join('/')} = ${value}`);
      }
      cases += values.length;
    }
    expect(cases).toBeGreaterThan(1700);
  });

  it('readers throw a FormatError or return a result for endless nesting, repetition and references', async () => {
    const many = 20_000;
    const texts = [
      `{"asset":{"version":"2.0"},"extras":${'['.repeat(600)}${']'.repeat(600)}}`,
      `{"asset":{"version":"2.0"},"extras":${'{"a":'.repeat(100_000)}`,
      `{"asset":{"version":"2.0"},${'"extras":1,'.repeat(many)}"extras":2}`,
      `{"asset":{"version":"2.0"},"accessors":[${'{"componentType":5126,"count":9000000,"type":"VEC4"},'.repeat(many)}0]}`,
      `{"asset":{"version":"2.0"},"meshes":[${'{"primitives":[{"extensions":{"KHR_draco_mesh_compression":{}}}]},'.repeat(many)}0]}`,
    ];
    for (const text of texts) await exercise(utf8(text), () => text.slice(0, 80));
  });

  it('readers stay within the memory limit for data that is referenced many times', () => {
    const count = 4000;
    const json = {
      asset: { version: '2.0' },
      buffers: [{ byteLength: 1_000_000 }],
      bufferViews: [{ buffer: 0, byteLength: 1_000_000 }],
      accessors: Array.from({ length: count }, () => ({
        bufferView: 0,
        componentType: 5121,
        normalized: true,
        count: 1_000_000,
        type: 'SCALAR',
      })),
    };
    const doc = parseGltf(glbOf(json, new Uint8Array(1_000_000)));
    const first = readFloats(doc, 0);
    for (let i = 1; i < count; i++) if (readFloats(doc, i) !== first) expect.fail(`accessor ${i} was decoded again`);
  });

  describe.skipIf(!HAS_ASSETS)('damaged real-world files', () => {
    it('readers throw a FormatError or return a result for a file cut off at any byte', async () => {
      const bytes = readFileSync(asset('conformance/gltf/own-vrm-like/hazards.glb'));
      for (let length = 0; length < bytes.length; length += STEP) {
        await exercise(Uint8Array.from(bytes.subarray(0, length)), () => `hazards cut at ${length}`);
      }
    });

    it('readers throw a FormatError or return a result for flipped bits', async () => {
      const random = randomBits(2);
      const files = small();
      expect(files.length).toBeGreaterThan(30);
      for (let run = 0; run < lawRuns(4000); run++) {
        const file = files[run % files.length]!;
        const bytes = Uint8Array.from(readFileSync(file));
        if (bytes.length === 0) continue;
        const flips = 1 + (random() % 4);
        for (let i = 0; i < flips; i++) bytes[random() % bytes.length]! ^= 1 << (random() % 8);
        await exercise(bytes, () => `${file}, run ${run}`);
      }
    }, 120_000);

    it('readers throw a FormatError or return a result for files that are invalid on purpose', async () => {
      for (const file of assetFiles('conformance/gltf/khronos-validator', 'glb', 'gltf')) {
        await exercise(readFileSync(file), () => file);
      }
    });
  });
});
