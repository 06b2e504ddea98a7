import { describe, expect, it } from 'vitest';
import type { DracoDecoder, DracoRequest } from '../../../../src/formats/gltf/document/decoders.ts';
import {
  attachDracoDecoder,
  concatParts,
  type GltfDocument,
  serializeGltf,
} from '../../../../src/formats/gltf/index.ts';
import { failure, read } from '../geometry-file.ts';
import { smallFile, vectors } from '../small-file.ts';

type Json = Record<string, unknown>;
const POSITIONS = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
const JOINTS = Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0);
const WHERE = '/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression';

interface Parts {
  readonly primitive?: Json;
  readonly extension?: Json;
  /** Edits of the accessors of positions, joints and indices (1 to 3). */
  readonly accessors?: readonly Json[];
}

/** A triangle in a stream of four bytes, with normals in an ordinary accessor. */
function compressed({ primitive, extension, accessors = [] }: Parts = {}): GltfDocument {
  const doc = smallFile(
    {
      nodes: [{ mesh: 0 }],
      meshes: [
        {
          primitives: [
            {
              attributes: { NORMAL: 0, POSITION: 1, JOINTS_0: 2, WEIGHTS_0: 4 },
              indices: 3,
              ...primitive,
              extensions: {
                KHR_draco_mesh_compression: { bufferView: 2, attributes: { POSITION: 7, JOINTS_0: 3 }, ...extension },
              },
            },
          ],
        },
      ],
    },
    [
      vectors('VEC3', 0, 0, 1, 0, 0, 1, 0, 0, 1),
      vectors('VEC4', 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0),
      { type: 'SCALAR', array: Uint8Array.of(1, 2, 3, 4) },
    ],
  );
  const list = doc.json['accessors'] as Json[];
  doc.json['accessors'] = [
    list[0],
    { componentType: 5126, count: 3, type: 'VEC3', ...accessors[0] },
    { componentType: 5121, count: 3, type: 'VEC4', ...accessors[1] },
    { componentType: 5123, count: 3, type: 'SCALAR', ...accessors[2] },
    list[1],
  ];
  return doc;
}

interface Fake extends DracoDecoder {
  readonly asked: { stream: Uint8Array; request: DracoRequest }[];
}

function fake(changes: { indices?: Uint32Array; positions?: Float32Array; error?: unknown } = {}): Fake {
  const asked: Fake['asked'] = [];
  return {
    asked,
    decode(stream, request) {
      asked.push({ stream, request });
      if ('error' in changes) throw changes.error;
      const arrays = request.attributes.map(({ id }) => (id === 7 ? (changes.positions ?? POSITIONS) : JOINTS));
      return { indices: changes.indices ?? Uint32Array.of(0, 1, 2), attributes: arrays };
    },
  };
}

describe('decodeDraco', () => {
  it('reads the listed attributes from the stream and the others from accessors', () => {
    const doc = compressed();
    const decoder = fake();
    attachDracoDecoder(doc, decoder);
    const { part } = read(doc);
    expect(part).toMatchObject({
      mode: 'triangles',
      vertexCount: 3,
      indices: Uint32Array.of(0, 1, 2),
      positions: POSITIONS,
    });
    expect([...part.normals!]).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1]);
    expect([...part.influences!.indices]).toEqual([...JOINTS]);
    expect(decoder.asked).toEqual([
      {
        stream: Uint8Array.of(1, 2, 3, 4),
        request: {
          vertexCount: 3,
          attributes: [
            { id: 7, componentType: 5126, width: 3 },
            { id: 3, componentType: 5121, width: 4 },
          ],
          bytes: 3 * (12 + 4) + 3 * 4,
        },
      },
    ]);
  });

  it('decodes a stream once and keeps the file unchanged', () => {
    const doc = compressed();
    const decoder = fake();
    attachDracoDecoder(doc, decoder);
    read(doc);
    const { decodedBytes } = doc.cache;
    read(doc);
    expect(decoder.asked).toHaveLength(1);
    expect(doc.cache.decodedBytes).toBe(decodedBytes);
    expect(concatParts(serializeGltf(doc).parts)).toEqual(concatParts(serializeGltf(compressed()).parts));
  });

  it('decodes strips to triangles, whose number differs from the accessor count', () => {
    const doc = compressed({ primitive: { mode: 5 }, accessors: [{}, {}, { count: 4 }] });
    attachDracoDecoder(doc, fake({ indices: Uint32Array.of(0, 1, 2, 2, 1, 0) }));
    expect(read(doc).part).toMatchObject({ mode: 'triangles', indices: Uint32Array.of(0, 1, 2, 2, 1, 0) });
  });

  it('throws with the package to install if the decoder is missing', () => {
    expect(() => read(compressed())).toThrow(expect.objectContaining(failure('GLTF_COMPRESSION', WHERE)));
    expect(() => read(compressed())).toThrow(/Install the package draco3dgltf and call attachDracoDecoder/);
  });

  it('returns null without a decoder if the accessors have uncompressed data', () => {
    const views = [{ bufferView: 0 }, { bufferView: 1, componentType: 5121 }, { bufferView: 2, componentType: 5121 }];
    const doc = compressed({ accessors: views, primitive: { indices: undefined } });
    expect([...read(doc).part.positions]).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1]);
    attachDracoDecoder(doc, fake());
    expect(read(doc).part.positions).toEqual(POSITIONS);
  });

  it.each<[string, Parts, Parameters<typeof fake>[0], string]>([
    ['of lines', { primitive: { mode: 1 } }, {}, WHERE],
    ['with attributes of different counts', { accessors: [{}, { count: 4 }] }, {}, WHERE],
    ['with none of their attributes inside', { extension: { attributes: { COLOR_0: 1 } } }, {}, WHERE],
    ['with more indices than the accessor', {}, { indices: new Uint32Array(6) }, WHERE],
    ['with an index past the vertices', {}, { indices: Uint32Array.of(0, 1, 3) }, WHERE],
    ['with another number of values', {}, { positions: new Float32Array(6) }, WHERE],
    ['that the decoder refuses', {}, { error: new Error('no') }, WHERE],
    ['that break the decoder', {}, { error: 'no error at all' }, WHERE],
  ])('throws for meshes %s', (_, parts, changes, pointer) => {
    const doc = compressed(parts);
    attachDracoDecoder(doc, fake(changes));
    expect(() => read(doc)).toThrow(expect.objectContaining(failure('GLTF_COMPRESSION', pointer)));
  });

  it('applies the limits before decoding', () => {
    const count = Number.MAX_SAFE_INTEGER;
    const doc = compressed({ accessors: [{ count }, { count }] });
    const decoder = fake();
    attachDracoDecoder(doc, decoder);
    expect(() => read(doc)).toThrow(expect.objectContaining(failure('GLTF_LIMIT', WHERE)));
    expect(decoder.asked).toEqual([]);
  });
});
