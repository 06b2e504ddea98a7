import { describe, expect, it } from 'vitest';
import { createDocument, type GltfDocument, parseGltf } from '../../../../src/formats/gltf/document/document.ts';
import { concatParts } from '../../../../src/formats/gltf/document/glb.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';
import { serializeGltf } from '../../../../src/formats/gltf/document/serialize-gltf.ts';
import {
  addSkeletonDefinition,
  type HumanoidSkeletonDefinition,
  readSkeletonDefinitions,
  replaceSkeletonDefinition,
} from '../../../../src/formats/gltf/extensions/ext-skeleton-humanoid.ts';

const NAME = 'EXT_skeleton_humanoid';

function documentWith(nodeCount: number, extension?: unknown): GltfDocument {
  const doc = createDocument();
  doc.json['nodes'] = Array.from({ length: nodeCount }, () => ({}));
  if (extension !== undefined) doc.json['extensions'] = { [NAME]: extension };
  return doc;
}

function read(doc: GltfDocument): { definitions: readonly HumanoidSkeletonDefinition[]; codes: string[] } {
  const { definitions, issues } = readSkeletonDefinitions(doc);
  return { definitions, codes: issues.map(({ code, where }) => `${code} ${where.pointer}`) };
}

describe('readSkeletonDefinitions', () => {
  it('reads several skeletons of one file', () => {
    const doc = documentWith(9, {
      humanoidSkeletons: [
        { rootNode: 0, humanoidBones: { hips: 1, spine: 2 } },
        { rootNode: 4, humanoidBones: { head: 8, hips: 5 } },
      ],
    });
    expect(read(doc)).toEqual({
      definitions: [
        { rootNode: 0, bones: { hips: 1, spine: 2 } },
        { rootNode: 4, bones: { head: 8, hips: 5 } },
      ],
      codes: [],
    });
  });

  it('reads the single object of the published schema and reports it', () => {
    const doc = documentWith(3, { rootNode: 0, humanoidBones: { hips: 1 } });
    expect(read(doc)).toEqual({
      definitions: [{ rootNode: 0, bones: { hips: 1 } }],
      codes: [`EXT_SINGLE_OBJECT /extensions/${NAME}`],
    });
  });

  it('returns nothing for a file without the extension or with clips only', () => {
    expect(read(documentWith(1))).toEqual({ definitions: [], codes: [] });
    expect(read(documentWith(1, {}))).toEqual({ definitions: [], codes: [] });
    expect(read(documentWith(1, 7))).toEqual({ definitions: [], codes: [] });
  });

  it('drops invalid entries and keeps the indices of definitions', () => {
    const list = `/extensions/${NAME}/humanoidSkeletons`;
    const humanoidBones = { hips: 1, __proto__x: 2, spine: 7, chest: '2', neck: 1, extras: { any: 1 } };
    const doc = documentWith(3, {
      humanoidSkeletons: [null, { rootNode: -1, humanoidBones }, { rootNode: 1, humanoidBones: [] }],
    });
    expect(read(doc)).toEqual({
      definitions: [
        { rootNode: -1, bones: {} },
        { rootNode: -1, bones: { hips: 1 } },
        { rootNode: 1, bones: {} },
      ],
      codes: [
        `EXT_SKELETON ${list}/0`,
        `EXT_SKELETON ${list}/1/rootNode`,
        `EXT_SKELETON ${list}/1/humanoidBones/__proto__x`,
        `EXT_SKELETON ${list}/1/humanoidBones/spine`,
        `EXT_SKELETON ${list}/1/humanoidBones/chest`,
        `EXT_SKELETON ${list}/1/humanoidBones/neck`,
        `EXT_SKELETON ${list}/2/humanoidBones`,
      ],
    });
  });

  it('ignores bone names that are members of Object.prototype', () => {
    const humanoidBones = JSON.parse('{"__proto__": 1, "constructor": 2, "hips": 0}') as JsonObject;
    const { definitions, codes } = read(documentWith(3, { humanoidSkeletons: [{ rootNode: 0, humanoidBones }] }));
    expect(definitions).toEqual([{ rootNode: 0, bones: { hips: 0 } }]);
    expect(codes).toHaveLength(2);
  });
});

describe('addSkeletonDefinition and replaceSkeletonDefinition', () => {
  it('append to the array, in bone order, and list the extension once', () => {
    const doc = documentWith(6);
    doc.json['extensionsUsed'] = ['KHR_materials_unlit'];
    expect(addSkeletonDefinition(doc, { rootNode: 0, bones: { spine: 2, hips: 1 } })).toBe(0);
    expect(addSkeletonDefinition(doc, { rootNode: 3, bones: { hips: 4 } })).toBe(1);
    expect(doc.json['extensionsUsed']).toEqual(['KHR_materials_unlit', NAME]);
    expect(JSON.stringify(doc.json['extensions'])).toBe(
      `{"${NAME}":{"humanoidSkeletons":[{"rootNode":0,"humanoidBones":{"hips":1,"spine":2}},{"rootNode":3,"humanoidBones":{"hips":4}}]}}`,
    );
  });

  it('convert the single object of the published schema to an array', () => {
    const doc = documentWith(4, { rootNode: 0, humanoidBones: { hips: 1 }, extras: { by: 'hand' } });
    expect(addSkeletonDefinition(doc, { rootNode: 2, bones: { hips: 3 } })).toBe(1);
    expect(doc.json['extensions']).toEqual({
      [NAME]: {
        extras: { by: 'hand' },
        humanoidSkeletons: [
          { rootNode: 0, humanoidBones: { hips: 1 } },
          { rootNode: 2, humanoidBones: { hips: 3 } },
        ],
      },
    });
  });

  it('change no other byte of the file', () => {
    const text = '{ "asset" : {"version":"2.0"},\n "nodes":[ {"name":"a"} , {}],  "extras": {"x":1.50} }';
    const doc = parseGltf(new TextEncoder().encode(text));
    addSkeletonDefinition(doc, { rootNode: 0, bones: { hips: 1 } });
    const printed = new TextDecoder().decode(concatParts(serializeGltf(doc).parts));
    expect(printed).toContain('"nodes":[ {"name":"a"} , {}],  "extras": {"x":1.50}');
    expect(read(parseGltf(new TextEncoder().encode(printed))).definitions).toEqual([
      { rootNode: 0, bones: { hips: 1 } },
    ]);
  });

  it('keep extras and extensions of a replaced definition', () => {
    const doc = documentWith(4, { humanoidSkeletons: [{ rootNode: 0, humanoidBones: { hips: 1 }, extras: 5 }] });
    replaceSkeletonDefinition(doc, 0, { rootNode: 1, bones: { hips: 2 } });
    expect(doc.json['extensions']).toEqual({
      [NAME]: { humanoidSkeletons: [{ rootNode: 1, humanoidBones: { hips: 2 }, extras: 5 }] },
    });
    expect(() => replaceSkeletonDefinition(doc, 1, { rootNode: 1, bones: { hips: 2 } })).toThrow(RangeError);
  });

  it('throw for invalid definitions', () => {
    const doc = documentWith(3);
    const bad = [
      { rootNode: 3, bones: { hips: 0 } },
      { rootNode: 0, bones: { hips: -1 } },
      { rootNode: 0, bones: {} },
      { rootNode: 0, bones: { hips: 1, spine: 1 } },
      { rootNode: 0, bones: { hipsy: 1 } },
    ];
    for (const definition of bad) expect(() => addSkeletonDefinition(doc, definition)).toThrow(RangeError);
    expect(doc.json['extensions']).toBeUndefined();
  });
});
