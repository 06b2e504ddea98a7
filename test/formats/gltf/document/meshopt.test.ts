import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { beforeAll, describe, expect, it } from 'vitest';
import { readAccessor, readFloats } from '../../../../src/formats/gltf/accessors/accessor.ts';
import { viewBytes } from '../../../../src/formats/gltf/document/buffers.ts';
import { type GltfDocument, parseGltf } from '../../../../src/formats/gltf/document/document.ts';
import { attachMeshoptDecoder, hasCompressedViews } from '../../../../src/formats/gltf/document/meshopt.ts';
import { serializeGltf } from '../../../../src/formats/gltf/document/serialize-gltf.ts';
import { glbOf } from '../../../support/make/glb.ts';

const VALUES = Float32Array.of(0, 0.5, 1, 2, 3, 5, 8, 13);
const PLAIN = new Uint8Array(VALUES.buffer);
let packed: Uint8Array;
beforeAll(async () => {
  await MeshoptEncoder.ready;
  packed = MeshoptEncoder.encodeGltfBuffer(PLAIN, 8, 4, 'ATTRIBUTES');
});

interface Edits {
  readonly extension?: Record<string, unknown>;
  readonly view?: Record<string, unknown>;
  readonly name?: string;
  readonly fallback?: Record<string, unknown>;
}

/** One compressed view of floats in a GLB. Its uncompressed bytes belong in buffer 1, which has no data by default. */
function compressed({ extension, view, name = 'EXT_meshopt_compression', fallback = {} }: Edits = {}): GltfDocument {
  const object = { buffer: 0, byteLength: packed.length, byteStride: 4, count: 8, mode: 'ATTRIBUTES', ...extension };
  return parseGltf(
    glbOf(
      {
        asset: { version: '2.0' },
        buffers: [
          { byteLength: packed.length },
          { byteLength: 32, extensions: { [name]: { fallback: true } }, ...fallback },
        ],
        bufferViews: [{ buffer: 1, byteLength: 32, extensions: { [name]: object }, ...view }],
        accessors: [{ bufferView: 0, componentType: 5126, count: 8, type: 'SCALAR' }],
      },
      packed,
    ),
  );
}

const failure = (pointer: string): unknown =>
  expect.objectContaining({ name: 'FormatError', code: 'GLTF_COMPRESSION', where: { pointer } });

describe('viewBytes of compressed views', () => {
  it.each(['EXT_meshopt_compression', 'KHR_meshopt_compression'])(
    'with %s are decompressed once when they are read',
    async (name) => {
      const doc = compressed({ name });
      expect(hasCompressedViews(doc)).toBe(true);
      await attachMeshoptDecoder(doc, MeshoptDecoder);
      expect(readFloats(doc, 0)).toEqual(VALUES);
      expect(viewBytes(doc, 0)).toBe(viewBytes(doc, 0));
      expect(serializeGltf(doc).parts).toEqual([doc.source!.bytes]);
    },
  );

  it('throws without a decoder', () => {
    expect(() => readFloats(compressed(), 0)).toThrow(failure('/bufferViews/0/extensions/EXT_meshopt_compression'));
  });

  it('returns the uncompressed fallback without a decoder, else decompresses', async () => {
    const doc = compressed({ fallback: { uri: `data:;base64,${Buffer.from(new Uint8Array(32)).toString('base64')}` } });
    expect([...readFloats(doc, 0)]).toEqual(Array(8).fill(0));
    await attachMeshoptDecoder(doc, MeshoptDecoder);
    expect(readFloats(doc, 0)).toEqual(VALUES);
  });

  it('checks compressed views against the file like plain ones', async () => {
    const doc = compressed();
    await attachMeshoptDecoder(doc, MeshoptDecoder);
    (doc.json['accessors'] as Record<string, unknown>[])[0]!['count'] = 9;
    expect(() => readAccessor(doc, 0)).toThrow(expect.objectContaining({ code: 'GLTF_ACCESSOR' }));
  });

  it.each<[string, Edits]>([
    ['a count that does not fit the view', { extension: { count: 7 } }],
    ['the largest count', { extension: { count: Number.MAX_SAFE_INTEGER } }],
    ['the largest stride', { extension: { byteStride: Number.MAX_SAFE_INTEGER } }],
    ['a stride above 256', { extension: { byteStride: 260, count: 1 }, view: { byteLength: 260 } }],
    ['a stride that is not a multiple of 4', { extension: { byteStride: 2, count: 16 } }],
    ['an unknown mode', { extension: { mode: '__proto__' } }],
    ['an unknown filter', { extension: { filter: 'constructor' } }],
    ['a filter of the other extension', { extension: { filter: 'COLOR' } }],
    ['a filter for another stride', { extension: { filter: 'QUATERNION' } }],
    ['an index count that is not a multiple of 3', { extension: { mode: 'TRIANGLES' } }],
    ['indices with a filter', { extension: { mode: 'INDICES', filter: 'EXPONENTIAL' } }],
    ['indices of 8 bytes', { extension: { mode: 'INDICES', byteStride: 8, count: 4 } }],
    ['truncated compressed bytes', { extension: { byteLength: 5 } }],
    ['invalid compressed bytes', { extension: { mode: 'INDICES' } }],
  ])('throws for %s', async (_, edits) => {
    const doc = compressed(edits);
    await attachMeshoptDecoder(doc, MeshoptDecoder);
    expect(() => readFloats(doc, 0)).toThrow(failure('/bufferViews/0/extensions/EXT_meshopt_compression'));
  });

  it('throws for two compression extensions on one view', () => {
    const doc = compressed();
    const view = (doc.json['bufferViews'] as { extensions: Record<string, unknown> }[])[0]!;
    view.extensions['KHR_meshopt_compression'] = view.extensions['EXT_meshopt_compression'];
    expect(() => readFloats(doc, 0)).toThrow(failure('/bufferViews/0'));
  });

  it('applies the limits before decompressing', async () => {
    const doc = compressed({ extension: { count: 2 ** 27, byteStride: 256 }, view: { byteLength: 2 ** 35 } });
    await attachMeshoptDecoder(doc, MeshoptDecoder);
    expect(() => readFloats(doc, 0)).toThrow(expect.objectContaining({ code: 'GLTF_LIMIT' }));
  });
});

describe('hasCompressedViews', () => {
  it('never throws', () => {
    for (const bufferViews of [undefined, 5, [5, null], [{ extensions: 5 }], [{ extensions: { X: {} } }], [{}]]) {
      const doc = parseGltf(
        glbOf({ asset: { version: '2.0' }, ...(bufferViews === undefined ? {} : { bufferViews }) }),
      );
      expect(hasCompressedViews(doc)).toBe(false);
    }
  });
});
