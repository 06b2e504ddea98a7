import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readFloats } from '../../../../src/formats/gltf/accessors/accessor.ts';
import { appendAccessor } from '../../../../src/formats/gltf/accessors/append-accessor.ts';
import { dropOrphans } from '../../../../src/formats/gltf/accessors/drop-orphans.ts';
import { bufferBytes, viewBytes } from '../../../../src/formats/gltf/document/buffers.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';
import { type GltfDocument, parseGltf, replaceClips, serializeGltf } from '../../../../src/formats/gltf/index.ts';
import { asset, HAS_ASSETS } from '../../../support/assets.ts';
import { sampledCases } from '../../../support/law-runs.ts';
import { glbOf } from '../../../support/make/glb.ts';
import { glbBytes, openDocument } from '../open.ts';
import { validatorCodes } from '../validator.ts';

type Items = Record<string, unknown>[];

const list = (doc: GltfDocument, key: string): Items => (doc.json[key] ?? []) as Items;

/** Three nodes; animation keys in accessors 0 and 1, a bind matrix in 2, and 3, to which nothing refers. Accessors 0 and 1 share a view. */
function makeDocument(more: JsonObject = {}): GltfDocument {
  const values = Float32Array.from({ length: 4 + 12 + 16 + 4 }, (_, i) => i);
  const json = {
    asset: { version: '2.0' },
    nodes: [{}, {}, {}],
    buffers: [{ byteLength: values.byteLength }],
    bufferViews: [
      { buffer: 0, byteLength: 64 },
      { buffer: 0, byteOffset: 64, byteLength: 64 },
      { buffer: 0, byteOffset: 128, byteLength: 16 },
    ],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 4, type: 'SCALAR', min: [0], max: [3] },
      { bufferView: 0, byteOffset: 16, componentType: 5126, count: 4, type: 'VEC3' },
      { bufferView: 1, componentType: 5126, count: 1, type: 'MAT4' },
      { bufferView: 2, componentType: 5126, count: 4, type: 'SCALAR' },
    ],
    skins: [{ joints: [0], inverseBindMatrices: 2 }],
    animations: [
      { channels: [{ sampler: 0, target: { node: 0, path: 'translation' } }], samplers: [{ input: 0, output: 1 }] },
    ],
    ...more,
  };
  return parseGltf(glbOf(json, new Uint8Array(values.buffer)));
}

/** Replaces the animation by one that uses a new accessor for both times and the old values. */
function replaceTimes(doc: GltfDocument): void {
  const times = appendAccessor(doc, Float32Array.of(0, 2, 4, 6), { type: 'SCALAR', minMax: true });
  (list(doc, 'animations')[0]['samplers'] as Items)[0]['input'] = times;
}

const samplerOf = (doc: GltfDocument): Record<string, number> =>
  (list(doc, 'animations')[0]['samplers'] as Record<string, number>[])[0];

describe('dropOrphans', () => {
  it('keeps references right in a damaged list of accessors, where an entry is null', () => {
    const doc = makeDocument();
    list(doc, 'accessors').push(null as unknown as Record<string, unknown>);
    replaceTimes(doc);
    const out = dropOrphans(doc);
    const { input } = samplerOf(out);
    expect(list(out, 'accessors')[input]).toMatchObject({ count: 4, min: [0], max: [6] });
  });

  it('returns the document itself where an edit orphaned nothing', () => {
    const doc = makeDocument();
    expect(dropOrphans(doc)).toBe(doc);
    appendAccessor(doc, Float32Array.of(1), { type: 'SCALAR' });
    list(doc, 'accessors').pop();
    list(doc, 'skins').push({ joints: [1], inverseBindMatrices: 2 });
    const { animations } = doc.json;
    (animations as Items).push((animations as Items)[0]);
    expect(glbBytes(dropOrphans(doc)).length).toBeGreaterThan(0);
  });

  it('removes an accessor from a view that others still use, with its bytes', () => {
    const doc = makeDocument();
    replaceTimes(doc);
    const values = readFloats(doc, samplerOf(doc)['output']);
    const out = dropOrphans(doc);
    expect(list(out, 'accessors')).toHaveLength(4);
    expect(list(out, 'bufferViews').map(({ byteLength }) => byteLength)).toEqual([48, 64, 16, 16]);
    expect(bufferBytes(out, 0)).toHaveLength(144);
    expect([...readFloats(out, samplerOf(out)['input'])]).toEqual([0, 2, 4, 6]);
    expect(readFloats(out, samplerOf(out)['output'])).toEqual(values);
    // The edited document stays as it was.
    expect([list(doc, 'accessors').length, bufferBytes(doc, 0).length]).toEqual([5, 160]);
  });

  it('keeps what the file brought along unreferenced', () => {
    const doc = makeDocument();
    replaceTimes(doc);
    const out = dropOrphans(doc);
    expect(list(out, 'accessors').map((one) => [...viewBytes(out, one['bufferView'] as number)].length)).toContain(16);
    const last = list(out, 'accessors').findIndex(({ bufferView }) => bufferView === 2);
    expect([...readFloats(out, last)]).toEqual([32, 33, 34, 35]);
  });

  it.each([
    ['an index in an unknown extension', { extensions: { ACME_physics: { shape: { accessor: 0 } } } }, true],
    ['an index in extras', { extras: [0] }, true],
    ['a JSON pointer in extras', { extras: { data: '/accessors/0/max' } }, true],
    ['an unknown property of the root', { acme: { times: 0 } }, true],
    ['another index', { extras: { data: 7 } }, false],
    ['an index of a known extension, which is none of an accessor', { extensions: { VRMC_vrm: { node: 0 } } }, false],
  ])('%s decides whether data stays', (_, more, isKept) => {
    const doc = makeDocument(more as JsonObject);
    replaceTimes(doc);
    const out = dropOrphans(doc);
    expect(out === doc || list(out, 'accessors').length === 5).toBe(isKept);
  });

  it('items that unknown data refers to keep their index when others move', () => {
    const doc = makeDocument({ extras: { skin: 2 } });
    replaceTimes(doc);
    const out = dropOrphans(doc);
    expect(readFloats(out, 2)).toEqual(readFloats(doc, 2));
    expect(list(out, 'accessors')).toHaveLength(4);
    expect([...readFloats(out, samplerOf(out)['input'])]).toEqual([0, 2, 4, 6]);
  });

  it('removes data of external buffers into a new file', () => {
    const doc = makeDocument();
    const bytes = bufferBytes(doc, 0);
    list(doc, 'buffers')[0]['uri'] = 'data.bin';
    const gltf = parseGltf(new TextEncoder().encode(JSON.stringify(doc.json)));
    gltf.resources.set('data.bin', bytes);
    replaceTimes(gltf);
    const out = dropOrphans(gltf);
    expect(list(out, 'buffers')[0]).toEqual({ byteLength: 128, uri: 'data-2.bin' });
    expect(out.resources.get('data-2.bin')).toHaveLength(128);
    expect(gltf.resources.get('data.bin')).toHaveLength(144);
    expect(serializeGltf(out, { binName: 'new.bin' }).resources.map(({ path }) => path)).toEqual(['new.bin']);
  });
});

const hashOf = (data: Uint8Array | Float64Array): string => createHash('sha256').update(data).digest('hex');

describe.skipIf(!HAS_ASSETS)('dropOrphans on real files', () => {
  it.each(sampledCases(['assets/glb/RobotExpressive.glb', 'assets/glb/Xbot.glb', 'assets/glb/KayKit_Knight.glb']))(
    'all that %s refers to stays equal when its clips are replaced',
    async (path) => {
      const doc = await openDocument(asset(path));
      const tracks = [
        { target: 0, path: 'rotation', interpolation: 'LINEAR', times: [0, 1], values: [0, 0, 0, 1, 0, 0, 1, 0] },
      ];
      replaceClips(doc, [
        { name: 'new', clip: { name: 'new', duration: 1, tracks: tracks as never }, sourceNodes: [0] },
      ]);
      const out = dropOrphans(doc);
      const valuesOf = (of: GltfDocument): unknown[] => {
        const accessors = [
          ...list(of, 'meshes').flatMap(({ primitives }) =>
            (primitives as Items).flatMap(({ attributes, indices, targets = [] }) => [
              attributes,
              { indices },
              ...(targets as Items),
            ]),
          ),
          ...list(of, 'animations')
            .flatMap(({ samplers }) => samplers as Items)
            .map(({ input, output }) => ({ input, output })),
          ...list(of, 'skins').map(({ inverseBindMatrices }) => ({ inverseBindMatrices })),
        ]
          .flatMap((set) => Object.values(set as object))
          .filter((index) => index !== undefined);
        const images = list(of, 'images').map(({ bufferView }) => hashOf(viewBytes(of, bufferView as number)));
        return [...accessors.map((index) => hashOf(Float64Array.from(readFloats(of, index as number)))), ...images];
      };
      expect(valuesOf(out)).toEqual(valuesOf(doc));
      expect(list(out, 'accessors').length).toBeLessThan(list(doc, 'accessors').length);
      expect(glbBytes(out).length).toBeLessThan(glbBytes(doc).length);
      const [before, after] = [await validatorCodes(glbBytes(doc)), await validatorCodes(glbBytes(out))];
      expect([...after.keys()].filter((code) => !before.has(code))).toEqual([]);
    },
    60_000,
  );
});
