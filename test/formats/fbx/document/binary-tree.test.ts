import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { binaryTree } from '../../../../src/formats/fbx/document/binary-tree.ts';
import type { FbxRecord, FbxTree } from '../../../../src/formats/fbx/document/fbx-tree.ts';
import { isBinaryFbx } from '../../../../src/formats/fbx/document/parse-binary.ts';
import { parseFbx } from '../../../../src/formats/fbx/document/parse-fbx.ts';
import { emitAsciiFbx } from '../../../../src/formats/fbx/document/serialize-ascii.ts';
import { serializeBinaryFbx } from '../../../../src/formats/fbx/document/serialize-binary.ts';
import { readFbxTree } from '../../../../src/formats/fbx/read-fbx.ts';
import { readFbxTreeGeometry } from '../../../../src/formats/fbx/read-fbx-geometry.ts';
import { assetFiles } from '../../../support/assets.ts';
import { sampledCases } from '../../../support/law-runs.ts';

function fromText(text: string): readonly FbxRecord[] {
  return binaryTree(parseFbx(new TextEncoder().encode(`; FBX 7.4.0 project file\n${text}`))).records.slice(2);
}

function throughText(tree: FbxTree): FbxTree {
  const pieces: string[] = [];
  emitAsciiFbx(tree, (piece) => pieces.push(piece));
  return parseFbx(new TextEncoder().encode(pieces.join('')));
}

const recorded = [
  'test/external/oracle/fbx-meshes/body.fbx',
  'test/external/oracle/fbx-poses/pivots.ascii.fbx',
  ...assetFiles('assets', 'fbx'),
  ...assetFiles('cases', 'fbx'),
];
const texts = recorded.filter((path) => !isBinaryFbx(readFileSync(path)));
const binaries = recorded.filter((path) => !texts.includes(path));

describe('binaryTree', () => {
  it('gives ids, times and properties the types of binary files', () => {
    const [objects, connections, take] = fromText(`Objects: {
      Model: 5, "Model::Hips", "LimbNode" {
        Version: 232
        Properties70: {
          P: "Lcl Translation", "Lcl Translation", "", "A",1,2,3
          P: "InheritType", "enum", "", "",1
          P: "Span", "KTime", "Time", "",7
          P: "Note", "KString", "", "", "a::b"
        }
        Shading: Y
      }
    }
    Connections: {
      C: "OO",5,0
    }
    LocalTime: 0,10`);
    const [model] = objects.records;
    expect([model.types, model.properties]).toEqual(['LSS', [5, 'Hips\0\x01Model', 'LimbNode']]);
    expect(model.records.map(({ types }) => types)).toEqual(['I', '', 'C']);
    expect(model.records[1].records.map(({ types }) => types)).toEqual(['SSSSDDD', 'SSSSI', 'SSSSL', 'SSSSS']);
    expect(model.records[1].records[3].properties[4]).toBe('a::b');
    expect([connections.records[0].types, take.types]).toEqual(['SLL', 'LL']);
  });

  it('gives arrays the types of binary files', () => {
    const records = fromText(`KeyTime: *2 { a: 0,46186158000 }
      KeyAttrFlags: *1 { a: 3080 }
      KeyAttrDataFloat: *4 { a: 1065353216,0,218434821,0 }
      PolygonVertexIndex: *3 { a: 0,1,-3 }
      Vertices: *3 { a: 0,1,2 }
      Content: , "AQI=","Aw=="`);
    expect(records.map(({ properties }) => properties[0])).toEqual([
      BigInt64Array.of(0n, 46186158000n),
      Int32Array.of(3080),
      Float32Array.of(1, 0, 4.099946090724554e-31, 0).map((value, k) =>
        k === 2 ? new Float32Array(Uint32Array.of(218434821).buffer)[0] : value,
      ),
      Int32Array.of(0, 1, -3),
      Float64Array.of(0, 1, 2),
      Uint8Array.of(1, 2, 3),
    ]);
    expect(records.map(({ types }) => types)).toEqual(['l', 'i', 'f', 'i', 'd', 'R']);
  });

  it('keeps numbers that the type of binary files does not hold', () => {
    const [index, time] = fromText('UVIndex: *1 { a: 0.5 }\nLocalTime: 0.5,9007199254740993');
    expect([index.types, time.types]).toEqual(['d', 'DL']);
  });

  it.each(sampledCases(texts, 6).map((path) => [basename(path), path]))(
    'makes a binary file of %s with the same content',
    async (_, path) => {
      const tree = parseFbx(readFileSync(path));
      const binary = parseFbx(Buffer.concat(serializeBinaryFbx(tree)));
      expect(binary.encoding).toBe('binary');
      // Values of curves become float32, so only what does not depend on them is equal.
      const [before, after] = [readFbxTree(tree), readFbxTree(binary)];
      expect(after.skeletons).toEqual(before.skeletons);
      expect(after.clips.map(({ name, duration }) => [name, duration])).toEqual(
        before.clips.map(({ name, duration }) => [name, duration]),
      );
      expect(await readFbxTreeGeometry(binary, {})).toEqual(await readFbxTreeGeometry(tree, {}));
    },
  );

  it.each(sampledCases(binaries, 8).map((path) => [basename(path), path]))(
    'restores the types of %s from its text',
    (_, path) => {
      const tree = parseFbx(readFileSync(path));
      const known = /^(?:Objects|Connections|Definitions|GlobalSettings|Takes)$/;
      const typesOf = (records: readonly FbxRecord[], inside: string): string[] =>
        records.flatMap(({ name, types, records: nested }) => [
          `${inside}${name} ${types}`,
          ...typesOf(nested, `${inside}${name}/`),
        ]);
      const list = (one: FbxTree): string[] =>
        typesOf(
          one.records.filter(({ name }) => known.test(name)),
          '',
        );
      const again = list(binaryTree(throughText(tree)));
      const before = list(tree);
      expect(again.length).toBe(before.length);
      // Blender writes it as a boolean, of which text has the number.
      const isOdd = (line: string): boolean => line.includes('/Shading ');
      expect(before.filter((line, k) => line !== again[k] && !isOdd(line))).toEqual([]);
    },
  );
});
