import { parseBinary } from 'fbx-parser';
import { describe, expect, it } from 'vitest';
import { isBinaryFbx, parseBinaryFbx } from '../../../../src/formats/fbx/document/parse-binary.ts';
import { fbxBinary, rec } from '../fbx-bytes.ts';

describe('parseBinaryFbx', () => {
  it('returns all values as they were written', () => {
    const records = [
      rec(
        'A',
        [
          1,
          -0,
          0.5,
          2n ** 60n,
          'é\0\x01Model',
          'a::b',
          '',
          'Y',
          true,
          false,
          Uint8Array.of(1, 2, 3),
          new Uint8Array(100),
        ],
        [rec('B', [], [rec('C', ['in the middle', Int32Array.of(1, 2)])]), rec('D', [new Uint8Array(0)])],
      ),
      rec('E', [Float32Array.of(0.1), new Float64Array(1000), BigInt64Array.of(-(2n ** 63n), 2n ** 53n + 1n), 7]),
    ];
    for (const version of [6100, 7400, 7500]) {
      for (const lettersAsBytes of [true, false]) {
        const first = { ...records[0], types: lettersAsBytes ? 'IDDLSSSCCCRR' : 'IDDLSSSSCCRR' };
        expect(parseBinaryFbx(fbxBinary({ version, records }, { lettersAsBytes }))).toStrictEqual({
          encoding: 'binary',
          version,
          records: [first, records[1]],
        });
      }
    }
  });

  it('returns 64-bit integers as numbers if that is exact', () => {
    const values = [0n, -5n, 2n ** 53n - 1n, 2n ** 53n, -(2n ** 53n) + 1n, -(2n ** 63n)];
    const { records } = parseBinaryFbx(fbxBinary({ version: 7400, records: [rec('A', values)] }));
    expect(records[0].properties).toEqual([0, -5, 2 ** 53 - 1, 2n ** 53n, -(2 ** 53) + 1, -(2n ** 63n)]);
  });

  it('reads bytes and 8-bit numbers', () => {
    const bytes = fbxBinary({ version: 7400, records: [rec('A', [true, false])] });
    const at = 27 + 14;
    bytes.set([0x42, 1, 0x5a, 0xfe], at);
    expect(parseBinaryFbx(bytes).records[0].properties).toEqual([true, -2]);
  });

  it('agrees with fbx-parser', () => {
    const records = [rec('A', [1, 0.5, 'text'], [rec('B', [2 ** 40], [rec('C')]), rec('D', [-3])]), rec('E')];
    const bytes = fbxBinary({ version: 7700, records });
    const plain = (nodes: ReturnType<typeof parseBinary>): unknown[] =>
      nodes.map(({ name, props, nodes: inside }) => ({ name, properties: props, records: plain(inside) }));
    expect(parseBinaryFbx(bytes).records).toMatchObject(plain(parseBinary(bytes)));
  });

  it('keeps the type codes, empty lists and the start of the footer', () => {
    const records = [rec('A', [1, 2n, 0.5, 'text', true], [rec('B', [new Int32Array(2)])]), rec('Empty')];
    const bytes = fbxBinary({ version: 7400, records }, { endsEmptyLists: true });
    const id = Uint8Array.from({ length: 16 }, (_, k) => k);
    const tree = parseBinaryFbx(Buffer.concat([bytes, id, new Uint8Array(9)]));
    expect(tree.records.map(({ types }) => types)).toEqual(['ILDSC', '']);
    expect(tree.records[1].hasEmptyList).toBe(true);
    expect(tree.footerId).toEqual(id);
  });

  it('throws for an incomplete header', () => {
    const bytes = fbxBinary({ version: 7400, records: [] });
    expect(() => parseBinaryFbx(bytes.subarray(0, 26))).toThrow(
      expect.objectContaining({ code: 'FBX_SYNTAX', where: { offset: 26 } }),
    );
  });
});

describe('isBinaryFbx', () => {
  it('recognizes the magic bytes, even if the file ends within them', () => {
    const bytes = fbxBinary({ version: 7400, records: [] });
    expect(isBinaryFbx(bytes)).toBe(true);
    expect(isBinaryFbx(bytes.subarray(0, 1))).toBe(true);
    expect(isBinaryFbx(new Uint8Array(0))).toBe(false);
    bytes[21] = 0;
    expect(isBinaryFbx(bytes)).toBe(false);
  });
});
