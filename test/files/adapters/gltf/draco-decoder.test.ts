import { readFileSync } from 'node:fs';
import draco3d from 'draco3dgltf';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadDracoDecoder } from '../../../../src/files/adapters/gltf/draco-decoder.ts';
import { geometryOf } from '../../../../src/files/geometry.ts';
import { openBytes } from '../../../../src/files/open.ts';
import { appendAccessor } from '../../../../src/formats/gltf/accessors/append-accessor.ts';
import { viewBytes } from '../../../../src/formats/gltf/document/buffers.ts';
import type { DracoDecoder, DracoRequest } from '../../../../src/formats/gltf/document/decoders.ts';
import { concatParts, type GltfDocument, parseGltf, serializeGltf } from '../../../../src/formats/gltf/index.ts';
import { asset, HAS_ASSETS } from '../../../support/assets.ts';
import { cpuTimer } from '../../../support/cpu-time.ts';
import { IS_FULL_RUN, sampledCases } from '../../../support/law-runs.ts';
import { documentOf } from '../../../support/make/opened.ts';

const FOLDER = 'conformance/gltf';
const BOX = `${FOLDER}/draco-testdata/testdata/Box/glTF_Binary/Box_Draco.glb`;
const SPHERE = `${FOLDER}/gltf-transform-tests/packages/functions/test/in/DenseSphere.glb`;

type Json = Record<string, unknown>;
const WIDTHS: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };

/** Returns the first stream of a file and the request of its accessors. */
function streamOf(file: string): { doc: GltfDocument; stream: Uint8Array; request: DracoRequest } {
  const doc = parseGltf(new Uint8Array(readFileSync(asset(file))));
  const [mesh] = doc.json['meshes'] as { primitives: { attributes: Record<string, number>; extensions: Json }[] }[];
  const [{ attributes, extensions }] = mesh.primitives;
  const extension = extensions['KHR_draco_mesh_compression'] as {
    bufferView: number;
    attributes: Record<string, number>;
  };
  const accessors = doc.json['accessors'] as { componentType: never; count: number; type: string }[];
  const vertexCount = accessors[attributes['POSITION']].count;
  const wanted = Object.entries(extension.attributes).map(([name, id]) => {
    const { componentType, type } = accessors[attributes[name]];
    return { id, componentType, width: WIDTHS[type] };
  });
  const stream = viewBytes(doc, extension.bufferView);
  return { doc, stream, request: { vertexCount, attributes: wanted, bytes: 60 * vertexCount } };
}

afterEach(() => {
  vi.doUnmock('draco3dgltf');
});

/** Loads a decoder with a replacement of draco3dgltf. */
async function loadWith(make: () => object): Promise<DracoDecoder | null> {
  vi.doMock('draco3dgltf', make);
  return loadDracoDecoder();
}

describe('loadDracoDecoder', () => {
  it('returns null when the package is missing', async () => {
    const missing = await loadWith(() => {
      throw new Error('Cannot find package');
    });
    expect(missing).toBeNull();
  });

  it('returns decoders that throw after an internal failure', async () => {
    let calls = 0;
    const broken = {
      asm: {},
      Mesh: class {},
      Decoder: class {
        DecodeArrayToMesh(): never {
          calls++;
          throw new WebAssembly.RuntimeError('unreachable');
        }
      },
      destroy: () => {},
    };
    const decoder = await loadWith(() => ({ default: { createDecoderModule: async () => broken } }));
    const request = { vertexCount: 1, attributes: [], bytes: 1 };
    expect(() => decoder!.decode(new Uint8Array(4), request)).toThrow(/the decoder failed/);
    expect(() => decoder!.decode(new Uint8Array(4), request)).toThrow(/the decoder failed/);
    expect(calls).toBe(1);
  });
});

describe.skipIf(!HAS_ASSETS)('loadDracoDecoder: decoder of the package', () => {
  it('throws with the mismatch between stream and accessors', async () => {
    const { stream, request } = streamOf(BOX);
    const decoder = (await loadDracoDecoder())!;
    const decode =
      (changes: Partial<DracoRequest>): (() => void) =>
      () =>
        decoder.decode(stream, { ...request, ...changes });
    const [attribute] = request.attributes;
    expect(decode({ vertexCount: 25 })).toThrow('the stream has 24 vertices, its accessors have 25');
    expect(decode({ attributes: [{ ...attribute, id: 9 }] })).toThrow('the stream has no attribute 9');
    expect(decode({ attributes: [{ ...attribute, width: 2 }] })).toThrow(
      'attribute 0 has 3 components, its accessor has 2',
    );
    expect(decode({})).not.toThrow();
    expect(() => decoder.decode(new Uint8Array(0), request)).toThrow('the stream is damaged');
  });

  it('frees all its memory', async () => {
    const create = draco3d.createDecoderModule;
    let module: Awaited<ReturnType<typeof create>> | undefined;
    const decoder = await loadWith(() => ({
      default: {
        createDecoderModule: async (options: Parameters<typeof create>[0]) => {
          module = await create(options);
          return module;
        },
      },
    }));
    const { stream, request } = streamOf(SPHERE);
    const decode = (bytes: Uint8Array): void => {
      try {
        decoder!.decode(bytes, request);
      } catch {
        // Damaged streams have to give it back too.
      }
    };
    for (let i = 0; i < 3; i++) decode(stream);
    const size = module!.HEAPU8.length;
    for (let i = 0; i < 60; i++) decode(i % 2 === 0 ? stream : stream.subarray(0, stream.length - 100 * i));
    expect(module!.HEAPU8.length).toBe(size);
  });

  it('rejects damaged streams quickly and with little memory', async () => {
    let decoder = (await loadDracoDecoder())!;
    let state = 2_463_534_242;
    const random = (below: number): number => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return (state >>> 0) % below;
    };
    let refused = 0;
    let longest = 0;
    const before = process.memoryUsage().rss;
    for (const [file, rounds] of [
      [BOX, IS_FULL_RUN ? 1500 : 400],
      [SPHERE, IS_FULL_RUN ? 150 : 20],
    ] as const) {
      const { stream, request } = streamOf(file);
      for (let round = 0; round < rounds; round++) {
        const damaged = Uint8Array.from(stream);
        // Counts stand in front; 255 makes them as large as they get.
        for (let k = 0; k <= random(4); k++)
          damaged[random(k % 2 === 0 ? 40 : damaged.length)] = random(2) === 0 ? 255 : random(256);
        const spent = cpuTimer();
        try {
          decoder.decode(random(5) === 0 ? damaged.subarray(0, random(damaged.length)) : damaged, request);
        } catch (error) {
          refused++;
          expect((error as Error).constructor).toBe(Error);
          if ((error as Error).message.includes('the decoder failed')) decoder = (await loadDracoDecoder())!;
        }
        longest = Math.max(longest, spent());
      }
    }
    expect(refused).toBeGreaterThan(IS_FULL_RUN ? 800 : 200);
    expect(longest).toBeLessThan(2000);
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 2 ** 20);
  });

  it.each(sampledCases([BOX, SPHERE]))('does not modify the streams of %s', async (path) => {
    const bytes = new Uint8Array(readFileSync(asset(path)));
    const file = await openBytes(bytes, { name: path });
    const doc = documentOf(file);
    const { geometry } = (await geometryOf(file))!;
    expect(geometry.meshes[0].primitives[0].indices!.length).toBeGreaterThan(0);
    expect(concatParts(serializeGltf(doc).parts)).toEqual(bytes);
    const views = structuredClone(doc.json['bufferViews']) as unknown[];
    const { length } = doc.bin!;
    appendAccessor(doc, Float32Array.of(0, 1), { type: 'SCALAR', minMax: true });
    const again = parseGltf(concatParts(serializeGltf(doc).parts));
    expect((again.json['bufferViews'] as unknown[]).slice(0, views.length)).toEqual(views);
    expect(again.json['meshes']).toEqual(parseGltf(bytes).json['meshes']);
    expect(again.bin!.subarray(0, length)).toEqual(parseGltf(bytes).bin);
    const reread = await geometryOf(await openBytes(concatParts(serializeGltf(again).parts)));
    expect(reread!.geometry.meshes).toEqual(geometry.meshes);
  });
});
