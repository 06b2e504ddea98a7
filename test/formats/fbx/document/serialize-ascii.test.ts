import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FbxTree } from '../../../../src/formats/fbx/document/fbx-tree.ts';
import { parseAsciiFbx } from '../../../../src/formats/fbx/document/parse-ascii.ts';
import { isBinaryFbx } from '../../../../src/formats/fbx/document/parse-binary.ts';
import { parseFbx } from '../../../../src/formats/fbx/document/parse-fbx.ts';
import { emitAsciiFbx } from '../../../../src/formats/fbx/document/serialize-ascii.ts';
import { assetFiles } from '../../../support/assets.ts';
import { lawRuns, sampledCases } from '../../../support/law-runs.ts';
import { fbxBinary, rec } from '../fbx-bytes.ts';
import { recordsAsText, writtenFbx } from '../small-files.ts';

function textOf(tree: FbxTree): string {
  const pieces: string[] = [];
  emitAsciiFbx(tree, (piece) => pieces.push(piece));
  return pieces.join('');
}

const parseText = (text: string): FbxTree => parseAsciiFbx(new TextEncoder().encode(text));

const ownFiles = ['test/external/oracle/fbx-poses/pivots.ascii.fbx'];
const realFiles = [...ownFiles, ...assetFiles('assets', 'fbx'), ...assetFiles('cases', 'fbx')];

describe('emitAsciiFbx', () => {
  const texts = realFiles.filter((path) => !isBinaryFbx(readFileSync(path)));
  it.each(sampledCases(texts.map((path) => [basename(path), path])))(
    'returns the tree of the text %s unchanged',
    (_, path) => {
      const { legacyEncoding: _encoding, ...tree } = parseFbx(readFileSync(path));
      expect(parseText(textOf(tree))).toStrictEqual(tree);
    },
  );

  it('keeps the values of any binary tree', () => {
    fc.assert(
      fc.property(writtenFbx, (written) => {
        const tree = parseFbx(fbxBinary(written));
        const { version, records } = parseText(textOf(tree));
        expect(version).toBe(written.version);
        expect(records).toEqual(recordsAsText(written.records));
      }),
      { seed: 13, numRuns: lawRuns(400) },
    );
  });

  it('writes the version of a binary file, whatever its header says', () => {
    const header = rec('FBXHeaderExtension', [], [rec('FBXVersion', [9000])]);
    expect(parseText(textOf({ encoding: 'binary', version: 7400, records: [header] })).version).toBe(7400);
  });

  it('writes names, letters, bytes and empty lists as the SDK does', () => {
    const model = { ...rec('Model', [7, 'Hips\0\x01Model', 'LimbNode'], [rec('Shading', ['Y'])]), types: 'LSS' };
    const shading = { ...model.records[0], types: 'C' };
    const video = rec('Content', [Uint8Array.of(1, 2, 3)]);
    const empty = { ...rec('References'), hasEmptyList: true as const };
    const records = [{ ...model, records: [shading] }, video, empty, rec('A', [Float32Array.of(0.1), true])];
    expect(textOf({ encoding: 'binary', version: 7400, records })).toBe(
      [
        '; FBX 7.4.0 project file',
        '; ----------------------------------------------------',
        '',
        'Model: 7, "Model::Hips", "LimbNode" {',
        '\tShading: Y',
        '}',
        '',
        'Content: ,',
        '\t"AQID"',
        '',
        'References:  {',
        '}',
        '',
        'A: *1 {',
        '\ta: 0.10000000149011612',
        '},1',
        '',
        '',
      ].join('\n'),
    );
  });

  it('leaves out the id, creator and creation time at the top of a binary file, at which three.js fails in text', () => {
    const top = [rec('FileId', [Uint8Array.of(1)]), rec('CreationTime', ['1970-01-01']), rec('Creator', ['anyrig'])];
    const header = rec('FBXHeaderExtension', [], [rec('FBXVersion', [7400]), rec('Creator', ['anyrig'])]);
    const { records } = parseText(textOf({ encoding: 'binary', version: 7400, records: [header, ...top] }));
    expect(records.map(({ name }) => name)).toEqual(['FBXHeaderExtension']);
    expect(records[0].records.map(({ name }) => name)).toEqual(['FBXVersion', 'Creator']);
  });
});
