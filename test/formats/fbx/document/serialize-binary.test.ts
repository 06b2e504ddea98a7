import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import fc from 'fast-check';
import { parseBinary } from 'fbx-parser';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import type { FbxTree } from '../../../../src/formats/fbx/document/fbx-tree.ts';
import { isBinaryFbx, parseBinaryFbx } from '../../../../src/formats/fbx/document/parse-binary.ts';
import { parseFbx } from '../../../../src/formats/fbx/document/parse-fbx.ts';
import { serializeBinaryFbx } from '../../../../src/formats/fbx/document/serialize-binary.ts';
import { assetFiles } from '../../../support/assets.ts';
import { lawRuns, sampledCases } from '../../../support/law-runs.ts';
import { fbxBinary, rec } from '../fbx-bytes.ts';
import { writtenFbx } from '../small-files.ts';

const bytesOf = (tree: FbxTree): Buffer => Buffer.concat(serializeBinaryFbx(tree));

/** What belongs together at both ends of a file, as the FBX SDK wants it. */
const footerId = Uint8Array.from({ length: 16 }, (_, k) => k + 1);

const stamps = [rec('FileId', [new Uint8Array(16)]), rec('CreationTime', ['2026-11-30 00:00:00:000'])];

function treeOf(version: number, ...records: FbxTree['records']): FbxTree {
  return { encoding: 'binary', version, records: [...stamps, ...records], footerId };
}

const ownFiles = ['fbx-poses/pivots.binary.fbx', 'fbx-meshes/body.fbx'].map((name) => `test/external/oracle/${name}`);
const realFiles = [...ownFiles, ...assetFiles('assets', 'fbx'), ...assetFiles('cases', 'fbx')].filter((path) =>
  isBinaryFbx(readFileSync(path)),
);

describe('serializeBinaryFbx', () => {
  it.each(sampledCases(realFiles, 8).map((path) => [basename(path), path]))(
    'returns the tree of %s unchanged',
    (_, path) => {
      const tree = parseFbx(readFileSync(path));
      expect(parseFbx(bytesOf(tree))).toStrictEqual(tree);
    },
  );

  it('returns any tree unchanged', () => {
    fc.assert(
      fc.property(writtenFbx, fc.boolean(), (written, endsEmptyLists) => {
        const parsed = parseBinaryFbx(fbxBinary(written, { endsEmptyLists }));
        const tree = { ...parsed, records: [...stamps, ...parsed.records], footerId };
        expect(parseBinaryFbx(bytesOf(tree))).toStrictEqual(tree);
      }),
      { seed: 12, numRuns: lawRuns(400) },
    );
  });

  it('writes all types of values', () => {
    const properties = [-3, 70000, 2n ** 60n, 0.1, 0.5, true, 'Y', -2, 'é', Uint8Array.of(9)];
    const arrays = [Int32Array.of(-1), BigInt64Array.of(2n ** 60n), Float32Array.of(0.5), Float64Array.of(0.1)];
    const bytes = [Uint8Array.of(0, 1), Uint8Array.of(200)];
    const scalars = { ...rec('A', properties), types: 'YILDFCCZSR' };
    const lists = { ...rec('B', [...arrays, ...bytes]), types: 'ilfdbc' };
    expect(parseBinaryFbx(bytesOf(treeOf(7500, scalars, lists))).records.slice(2)).toStrictEqual([scalars, lists]);
  });

  it('deflates arrays of more than 128 bytes', () => {
    const sizeOf = (count: number): number => bytesOf(treeOf(7400, rec('A', [new Float64Array(count)]))).length;
    expect(sizeOf(16) - sizeOf(0)).toBe(128);
    expect(sizeOf(17) - sizeOf(0)).toBeLessThan(64);
    expect(sizeOf(20000)).toBeLessThan(1000);
  });

  it('keeps the bytes of text in older encodings', () => {
    const japanese = Buffer.from([0x83, 0x7b, 0x81, 0x5b, 0x83, 0x93]);
    const source = Buffer.from(fbxBinary({ version: 7400, records: [rec('A', ['xxxxxx', 'ボーン'])] }));
    japanese.copy(source, source.indexOf('xxxxxx'));
    const tree = parseBinaryFbx(source);
    const written = bytesOf(tree);
    expect(tree.records[0].properties[0]).toBe('ボーン');
    expect(written.includes(japanese)).toBe(true);
    expect(parseBinaryFbx(written).records.slice(2)).toStrictEqual(tree.records);
  });

  it.each([7400, 7500])('writes the footer at every alignment, version %i', (version) => {
    for (let length = 0; length < 32; length++) {
      const bytes = bytesOf(treeOf(version, rec('A', ['x'.repeat(length)])));
      const footer = bytes.subarray(bytes.lastIndexOf(footerId));
      const versionAt = bytes.length - 16 - 120 - 4;
      expect(bytes.readUInt32LE(versionAt)).toBe(version);
      expect((versionAt - 4) % 16).toBe(0);
      expect(footer.length).toBeGreaterThanOrEqual(16 + 1 + 4 + 4 + 120 + 16);
      expect(bytes.subarray(-16).toString('hex')).toBe('f85a8c6adef5d97eece90ce3758f290b');
    }
  });

  it.each([
    ['a footer', stamps, undefined],
    ['a file id', [stamps[1]], footerId],
    ['a creation time', [stamps[0]], footerId],
  ])('gives a tree without %s all three parts that the FBX SDK wants together', (_, given, id) => {
    const header = rec('FBXHeaderExtension');
    const tree: FbxTree = {
      encoding: 'binary',
      version: 7400,
      records: [header, ...given, rec('Creator', ['anyrig'])],
    };
    const { records, footerId: found } = parseBinaryFbx(bytesOf(id === undefined ? tree : { ...tree, footerId: id }));
    expect(records.map(({ name }) => name)).toEqual(['FBXHeaderExtension', 'FileId', 'CreationTime', 'Creator']);
    // As Blender's exporter writes them.
    expect(Buffer.from(records[1].properties[0] as Uint8Array).toString('hex')).toBe(
      '28b32aebb624ccc2bfc8b02aa92bfcf1',
    );
    expect(records[2].properties[0]).toBe('1970-01-01 10:00:00:000');
    expect(Buffer.from(found!).toString('hex')).toBe('fabcab09d0c8d466b176fb831cf7267e');
  });

  it('writes the footer of the FBX SDK byte by byte', () => {
    for (const path of sampledCases(realFiles.filter((name) => /mixamo|maya|mobu/.test(name)))) {
      const source = readFileSync(path);
      const { footerId } = parseFbx(source);
      const footer = source.subarray(source.lastIndexOf(Buffer.from(footerId!)));
      // Sizes of deflated arrays differ, so the file before it is longer or shorter by some bytes.
      const written = bytesOf(parseFbx(source));
      expect(written.subarray(-140)).toEqual(footer.subarray(-140));
      expect((written.length - 4) % 16).toBe((source.length - 4) % 16);
    }
  });

  it('is readable by fbx-parser', () => {
    const record = rec('A', [1, 0.5, 'text'], [rec('B', [2 ** 40])]);
    for (const version of [7400, 7700]) {
      const read = parseBinary(bytesOf(treeOf(version, record)));
      expect(read.slice(2)).toMatchObject([
        { name: 'A', props: [1, 0.5, 'text'], nodes: [{ name: 'B', props: [2 ** 40] }] },
      ]);
    }
  });

  it('throws for a record whose name is longer than a binary file can hold', () => {
    const tree = treeOf(7400, rec('é'.repeat(128)));
    expect(() => serializeBinaryFbx(tree)).toThrow(FormatError);
    expect(() => serializeBinaryFbx(tree)).toThrow(/256 bytes/);
  });
});
