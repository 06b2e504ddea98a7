import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import type { FbxRecord } from '../../../../src/formats/fbx/document/fbx-tree.ts';
import { splitName } from '../../../../src/formats/fbx/document/object-names.ts';
import { parseFbx } from '../../../../src/formats/fbx/document/parse-fbx.ts';
import { asset, assetFiles, HAS_ASSETS } from '../../../support/assets.ts';
import { cpuTimer } from '../../../support/cpu-time.ts';
import { IS_FULL_RUN, lawRuns, sampledCases } from '../../../support/law-runs.ts';
import { fbxBinary, rec } from '../fbx-bytes.ts';
import { fbxText } from '../fbx-text.ts';
import { countSound, recordsAsText, smallFbx, writtenFbx } from '../small-files.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Reads; anything thrown but a FormatError with a place, and any unsound tree, fails the test. */
function survives(bytes: Uint8Array): 'read' | 'refused' {
  try {
    countSound(parseFbx(bytes));
    return 'read';
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    expect(['FBX_SYNTAX', 'FBX_VERSION', 'FBX_LIMIT']).toContain(error.code);
    const { offset = -1, line = 0, column = 0 } = error.where;
    const hasPlace = (offset >= 0 && offset <= bytes.length) || (line > 0 && column > 0);
    if (!hasPlace && !error.message.includes('is encrypted')) throw error;
    return 'refused';
  }
}

/** Seeded numbers from 0 up to, not including, the given one (mulberry32). */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * sides);
  };
}

/** One to three changes: bytes flipped, set to telling values, cut out, doubled, cut off; 32-bit words set. */
function mutated(bytes: Uint8Array, roll: (sides: number) => number): Uint8Array {
  let out = Buffer.from(bytes);
  for (let change = roll(3); change >= 0; change--) {
    const at = roll(out.length);
    const length = roll(24);
    switch (roll(7)) {
      case 0:
        out[at] ^= 1 << roll(8);
        break;
      case 1:
        out[at] = [0, 1, 0x22, 0x2a, 0x2c, 0x3a, 0x7b, 0x7d, 0x7f, 0x80, 0xff, 0x69, 0x64, 0x53, 0x52][roll(15)]!;
        break;
      case 2:
        out = Buffer.concat([out.subarray(0, at), out.subarray(at + length)]);
        break;
      case 3:
        out = Buffer.concat([out.subarray(0, at + length), out.subarray(at)]);
        break;
      case 4:
        if (at + 4 <= out.length)
          out.writeUInt32LE([0, 1, 27, 0xffff, 0x7fffffff, 0xffffffff, out.length][roll(7)]!, at);
        break;
      case 5:
        if (at + 4 <= out.length) out.writeUInt32LE((out.readUInt32LE(at) + roll(64) - 32) >>> 0, at);
        break;
      default:
        if (roll(8) === 0) out = out.subarray(0, at);
    }
    if (out.length === 0) return out;
  }
  return out;
}

const withTextNames = (records: readonly FbxRecord[]): FbxRecord[] =>
  records.map(({ name, properties, records: inside }) => {
    const named = properties.map((value) => {
      if (typeof value !== 'string') return value;
      const { name: own, className } = splitName(value);
      return className === '' ? own : `${className}::${own}`;
    });
    return rec(name, named, withTextNames(inside));
  });

describe('parseFbx', () => {
  it('returns the same records for the binary and text forms of any file', () => {
    fc.assert(
      fc.property(writtenFbx, fc.boolean(), fc.constantFrom('\n', '\r\n', '\r'), (written, isDense, newline) => {
        const binary = parseFbx(fbxBinary(written, { compresses: isDense, endsEmptyLists: isDense }));
        const text = parseFbx(utf8(fbxText(written, { newline, comments: isDense, valuesOnOwnLines: !isDense })));
        const expected = recordsAsText(written.records);
        expect(binary.encoding).toBe('binary');
        expect(binary.version).toBe(written.version);
        expect(recordsAsText(binary.records)).toEqual(expected);
        expect(text).toEqual({ encoding: 'ascii', version: written.version, records: expected });
      }),
      { seed: 11, numRuns: lawRuns(400) },
    );
  });

  it('returns the same object names, in two halves', () => {
    const binary = parseFbx(fbxBinary(smallFbx(7400), { lettersAsBytes: true }));
    const text = parseFbx(utf8(fbxText(smallFbx(7400)).replace('Shading: "Y"', 'Shading: Y')));
    expect(withTextNames(text.records)).toEqual(withTextNames(recordsAsText(binary.records)));
    expect(splitName(binary.records[1].records[0].properties[1] as string)).toEqual({
      name: 'Hips',
      className: 'Model',
    });
    expect(splitName(text.records[1].records[0].properties[1] as string)).toEqual({ name: 'Hips', className: 'Model' });
  });

  it('reads a view into the middle of a larger buffer', () => {
    const bytes = fbxBinary(smallFbx(7500));
    const around = new Uint8Array(bytes.length + 13);
    around.set(bytes, 3);
    expect(parseFbx(around.subarray(3, 3 + bytes.length))).toEqual(parseFbx(bytes));
    expect(parseFbx(Buffer.from(bytes))).toEqual(parseFbx(bytes));
  });

  it('does not change its input', () => {
    const bytes = fbxBinary(smallFbx(7400));
    const before = Uint8Array.from(bytes);
    const tree = parseFbx(bytes);
    expect(bytes).toEqual(before);
    const untouched = parseFbx(before);
    bytes.fill(0);
    expect(tree).toEqual(untouched);
  });

  it.each([
    ['older binary files', fbxBinary(smallFbx(5800)), 'FBX_VERSION', /FBX 5\.8/],
    ['newer binary files', fbxBinary(smallFbx(8000)), 'FBX_VERSION', /FBX 8\.0/],
    ['older texts', utf8('; FBX 5.0.0 project file\nMedia {'), 'FBX_VERSION', /FBX 5\.0/],
    [
      'texts that say so only in the header',
      utf8('FBXHeaderExtension: { FBXVersion: 8100 }'),
      'FBX_VERSION',
      /FBX 8\.1/,
    ],
    [
      'encrypted files',
      fbxBinary({
        version: 7400,
        records: [rec('FBXHeaderExtension', [], [rec('EncryptionType', [1]), rec('FBXVersion', [7400])])],
      }),
      'FBX_VERSION',
      /encrypted \(type 1\)/,
    ],
    ['files of other formats', utf8('HIERARCHY\nROOT Hips'), 'FBX_SYNTAX', /Found "HIERARCHY"/],
    ['pictures', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10), 'FBX_SYNTAX', /first record of an FBX/],
    ['nothing', new Uint8Array(0), 'FBX_SYNTAX', /no FBX/],
    ['a text of records without a version', utf8('Objects: {\n}'), 'FBX_SYNTAX', /declares no FBX version/],
  ])('refuses %s', (_, bytes, code, message) => {
    expect(() => parseFbx(bytes)).toThrow(message);
    expect(() => parseFbx(bytes)).toThrow(expect.objectContaining({ code }));
  });

  it('throws for big-endian files', () => {
    const bytes = fbxBinary(smallFbx(7400));
    bytes[22] = 1;
    expect(() => parseFbx(bytes)).toThrow(/big-endian/);
  });

  it('throws a TypeError for a string', () => {
    expect(() => parseFbx('; FBX' as unknown as Uint8Array)).toThrow(TypeError);
  });
});

/** The changes of a byte: all in a full run, otherwise one after the other. */
function masksAt(at: number, masks: readonly number[]): readonly number[] {
  return IS_FULL_RUN ? masks : [masks[at % masks.length]];
}

describe('parseFbx on damaged files', () => {
  it.each([6100, 7400, 7700])('throws for a binary file of version %i truncated at any byte', (version) => {
    const bytes = fbxBinary(smallFbx(version));
    for (let end = 1; end < bytes.length; end++) {
      expect(survives(bytes.subarray(0, end))).toBe('refused');
    }
    expect(survives(bytes)).toBe('read');
  });

  it('throws for a text truncated before the last section, and survives all other truncations', () => {
    const bytes = utf8(fbxText(smallFbx(7400)));
    const results = Array.from(bytes, (_, end) => survives(bytes.subarray(0, end)));
    const text = new TextDecoder().decode(bytes);
    for (const section of ['FBXHeaderExtension', 'Objects', 'Connections', 'Takes']) {
      const begin = `\n${section}:  {`;
      const start = text.indexOf(begin) + begin.length;
      expect(start).toBeGreaterThan(begin.length);
      const end = text.indexOf('\n}', start) + 1;
      expect(results.slice(start, end).every((result) => result === 'refused')).toBe(true);
    }
  });

  it.each(sampledCases([7400, 7700]))('survives every flipped byte of a binary file of version %i', (version) => {
    const bytes = fbxBinary(smallFbx(version));
    let refused = 0;
    for (let at = 0; at < bytes.length; at++) {
      for (const mask of masksAt(at, [0xff, 0x01, 0x80])) {
        const flipped = Uint8Array.from(bytes);
        flipped[at] ^= mask;
        if (survives(flipped) === 'refused') refused++;
      }
    }
    expect(refused).toBeGreaterThan(IS_FULL_RUN ? bytes.length : bytes.length / 3);
  });

  it('survives every flipped byte of a text', () => {
    const bytes = utf8(fbxText(smallFbx(7400)));
    for (let at = 0; at < bytes.length; at++) {
      for (const mask of masksAt(at, [0xff, 0x01, 0x20])) {
        const flipped = Uint8Array.from(bytes);
        flipped[at] ^= mask;
        survives(flipped);
      }
    }
  });

  it('survives many mutations of small files', () => {
    const files = [
      fbxBinary(smallFbx(6100)),
      fbxBinary(smallFbx(7400), { lettersAsBytes: true }),
      fbxBinary(smallFbx(7700), { compresses: false, endsEmptyLists: true }),
      utf8(fbxText(smallFbx(7400))),
    ];
    const roll = dice(20);
    const runs = lawRuns(6000);
    const results = { read: 0, refused: 0 };
    for (let i = 0; i < runs; i++) results[survives(mutated(files[i % files.length], roll))]++;
    expect(Math.min(results.read, results.refused)).toBeGreaterThan(runs / 12);
  });

  it('throws for records 100,000 levels deep, quickly', () => {
    expect(() => parseFbx(utf8(`; FBX 7.4.0\n${'a: {'.repeat(100000)}`))).toThrow(/nest deeper than 64/);
    const depth = 100000;
    const headerBytes = 14;
    const bytes = Buffer.alloc(27 + depth * headerBytes + 13);
    bytes.write('Kaydara FBX Binary  \0\x1a\0', 'latin1');
    bytes.writeUInt32LE(7400, 23);
    for (let level = 0; level < depth; level++) {
      const at = 27 + level * headerBytes;
      bytes.writeUInt32LE(27 + depth * headerBytes, at);
      bytes[at + 12] = 1;
      bytes.write('a', at + 13);
    }
    expect(() => parseFbx(bytes)).toThrow(expect.objectContaining({ code: 'FBX_LIMIT' }));
  });

  it('reads records up to the depth limit, with any number of siblings', () => {
    let inside = rec('Deepest', [1]);
    for (let depth = 0; depth < 62; depth++) inside = rec('Level', [depth], [inside]);
    const records = [rec('FBXHeaderExtension', [], [rec('FBXVersion', [7400])]), inside];
    const beside = Array.from({ length: 30000 }, (_, i) => rec('Beside', [i]));
    const written = { version: 7400, records: [...records, ...beside] };
    expect(countSound(parseFbx(fbxBinary(written)))).toBe(63 + 2 + 30000);
    expect(countSound(parseFbx(utf8(fbxText(written))))).toBe(63 + 2 + 30000);
  });

  it('takes linear time on long words, strings, lists, comments and blanks', () => {
    const head = '; FBX 7.4.0\n';
    const many = 100000;
    const texts = [
      `${head}a: ${'9'.repeat(many)}`,
      `${head}a: ${'"'.repeat(many)}`,
      `${head}a: ${'1,'.repeat(many)}`,
      `${head}a: ${'a'.repeat(many)}`,
      `${head}a: *999999999 {a: ${'1,'.repeat(many)}1}`,
      `${head}${'a: *999999999 {a: 1}\n'.repeat(many / 20)}`,
      `${head}${'a:'.repeat(many)}`,
      `${';\n'.repeat(many)}a: 1`,
      `${head}${' '.repeat(many)}}`,
      `${head}a: "${'&quot'.repeat(many)}"`,
      `${head}a: 1${'.'.repeat(many)}`,
    ];
    const spent = cpuTimer();
    for (const text of texts) survives(utf8(text));
    expect(spent()).toBeLessThan(4000);
  });
});

describe.skipIf(!HAS_ASSETS)('parseFbx on real files', () => {
  const RECORDS: Record<string, readonly ['binary' | 'ascii', number, number]> = {
    'SeedSan_betterfbx.fbx': ['binary', 7500, 4996],
    'm2m_CMU_91_48.fbx': ['binary', 7400, 1594],
    'maya2016_arnaud_skinned.fbx': ['binary', 7500, 3291],
    'mayalt2017_Neo_skinned.fbx': ['binary', 7500, 1076],
    'mixamo_Walking.fbx': ['binary', 7700, 4201],
    'mobu2015_locomotions_3stacks.fbx': ['binary', 7400, 23020],
    'mobu2017_cmu_85_04_cliponly.fbx': ['binary', 7500, 2805],
    'ozz_pab_run.fbx': ['binary', 7400, 10667],
    'ozz_pab_skeleton.fbx': ['binary', 7700, 23986],
    'ozz_pab_walk.fbx': ['binary', 7400, 12146],
    'ufbx_maya_character_7500_binary.fbx': ['binary', 7500, 3043],
    'ufbx_maya_human_ik_6100_ascii.fbx': ['ascii', 6100, 15035],
    'ufbx_maya_human_ik_7400_binary.fbx': ['binary', 7400, 7325],
    'ufbx_maya_kenney_character_7700_binary.fbx': ['binary', 7700, 7197],
    'unirig_tira_blender42.fbx': ['binary', 7400, 1511],
    'unity421_SOMA30_nulls_ascii.fbx': ['ascii', 7700, 1565],
  };

  const recorded = assetFiles('assets/fbx', 'fbx').filter((path) => RECORDS[basename(path)] !== undefined);

  it.each(recorded.map((path) => [basename(path), path]))('reads %s', (name, path) => {
    const tree = parseFbx(readFileSync(path));
    const [encoding, version, count] = RECORDS[name];
    expect([tree.encoding, tree.version, countSound(tree)]).toEqual([encoding, version, count]);
    const sections = tree.records.map((record) => record.name);
    expect(sections).toEqual(expect.arrayContaining(['FBXHeaderExtension', 'Definitions', 'Objects', 'Connections']));
  });

  it('reads every record of the file that Maya wrote as text', () => {
    const path = asset('assets', 'fbx', 'ufbx_maya_human_ik_6100_ascii.fbx');
    const lines = readFileSync(path, 'utf8').split('\n');
    // That file has one record a line, none of whose strings holds a line end.
    const named = lines.filter((line) => /^\s*[A-Za-z0-9_]+:/.test(line));
    expect(countSound(parseFbx(readFileSync(path)))).toBe(named.length);
  });

  it.skipIf(!IS_FULL_RUN)('survives mutations and cuts of all of them', () => {
    const roll = dice(21);
    const results = { read: 0, refused: 0 };
    for (const path of assetFiles('assets/fbx', 'fbx')) {
      const bytes = readFileSync(path);
      const share = Math.ceil(8e6 / bytes.length);
      for (let i = 0; i < share; i++) results[survives(mutated(bytes, roll))]++;
      for (let i = 0; i < 8; i++) results[survives(bytes.subarray(0, roll(bytes.length)))]++;
    }
    expect(Math.min(results.read, results.refused)).toBeGreaterThan(20);
  });
});
