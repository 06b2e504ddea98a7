import { describe, expect, it } from 'vitest';
import {
  arrayAt,
  booleanAt,
  ensureList,
  indexAt,
  indicesAt,
  integerAt,
  type JsonObject,
  listItem,
  memberAt,
  numberAt,
  numbersAt,
  objectAt,
  objectItem,
  pointerTo,
  required,
  stringAt,
} from '../../../../src/formats/gltf/document/json-access.ts';

const JSON_TEXT = `{
  "nodes": [{"children": [1, 0]}, {"children": ["a"], "mesh": -1, "skin": 1.5, "camera": 1e400, "name": 5}, 7],
  "scenes": 5, "skins": {}, "meshes": null,
  "ok": {"int": 3.0, "number": 0.5, "text": "t", "flag": false, "list": [1, 2, 3], "node": 2, "far": 3}
}`;
const json = JSON.parse(JSON_TEXT) as JsonObject;
const ok = json['ok'] as JsonObject;
const node = (json['nodes'] as JsonObject[])[1]!;

function wrong(run: () => unknown, pointer: string, code = 'GLTF_SCHEMA'): void {
  expect(run).toThrow(expect.objectContaining({ name: 'FormatError', code, where: { pointer } }));
}

describe('typed accessors (stringAt, integerAt, …)', () => {
  it('return values of the right type, and undefined for absent members', () => {
    expect(integerAt(ok, 'int', '/ok')).toBe(3);
    expect(numberAt(ok, 'number', '/ok')).toBe(0.5);
    expect(stringAt(ok, 'text', '/ok')).toBe('t');
    expect(booleanAt(ok, 'flag', '/ok')).toBe(false);
    expect(numbersAt(ok, 'list', '/ok', 3)).toEqual([1, 2, 3]);
    expect(indexAt(ok, 'node', '/ok', json, 'nodes')).toBe(2);
    expect(objectAt(json, 'ok', '')).toBe(ok);
    expect(arrayAt(json, 'cameras', '')).toEqual([]);
    for (const read of [integerAt, numberAt, stringAt, booleanAt, objectAt]) {
      expect((read as typeof stringAt)(ok, 'absent', '/ok')).toBeUndefined();
    }
    expect(numbersAt(ok, 'absent', '/ok', 3)).toBeUndefined();
    expect(indexAt(ok, 'absent', '/ok', json, 'nodes')).toBeUndefined();
    expect(indicesAt(listItem(json, 'nodes', 0), 'children', '/nodes/0', json, 'nodes')).toEqual([1, 0]);
  });

  it('ignore members of the prototype', () => {
    for (const key of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      expect(memberAt(ok, key)).toBeUndefined();
      expect(objectAt(ok, key, '')).toBeUndefined();
    }
  });

  it('report the JSON pointer of a value of the wrong type', () => {
    wrong(() => integerAt(node, 'mesh', '/nodes/1'), '/nodes/1/mesh');
    wrong(() => integerAt(node, 'skin', '/nodes/1'), '/nodes/1/skin');
    wrong(() => integerAt(node, 'camera', '/nodes/1'), '/nodes/1/camera');
    wrong(() => numberAt(node, 'camera', '/nodes/1'), '/nodes/1/camera');
    wrong(() => stringAt(node, 'name', '/nodes/1'), '/nodes/1/name');
    wrong(() => booleanAt(node, 'name', '/nodes/1'), '/nodes/1/name');
    wrong(() => objectAt(json, 'nodes', ''), '/nodes');
    wrong(() => objectAt(json, 'meshes', ''), '/meshes');
    wrong(() => arrayAt(json, 'scenes', ''), '/scenes');
    wrong(() => arrayAt(json, 'skins', ''), '/skins');
    wrong(() => numbersAt(ok, 'list', '/ok', 4), '/ok/list');
    wrong(() => numbersAt(node, 'children', '/nodes/1', 1), '/nodes/1/children');
    wrong(() => indicesAt(node, 'children', '/nodes/1', json, 'nodes'), '/nodes/1/children/0');
    wrong(() => objectItem(json['nodes'] as unknown[], 2, '/nodes'), '/nodes/2');
    wrong(() => listItem(json, 'nodes', 2), '/nodes/2');
    wrong(() => required(undefined, 'count', '/accessors/0'), '/accessors/0/count');
  });

  it('distinguish an index past the end from a value of the wrong type', () => {
    wrong(() => indexAt(ok, 'far', '/ok', json, 'nodes'), '/ok/far', 'GLTF_REFERENCE');
    wrong(() => indicesAt(ok, 'list', '/ok', json, 'nodes'), '/ok/list/2', 'GLTF_REFERENCE');
    wrong(() => listItem(json, 'nodes', 3), '/nodes/3', 'GLTF_REFERENCE');
    wrong(() => listItem(json, 'cameras' as 'nodes', 0), '/cameras/0', 'GLTF_REFERENCE');
  });

  it('escape names in JSON pointers', () => {
    expect(pointerTo('/a', 'b/c~d')).toBe('/a/b~1c~0d');
  });
});

describe('growingList', () => {
  it('returns the array itself and creates it if absent', () => {
    const document: JsonObject = {};
    ensureList(document, 'skins').push(1);
    ensureList(document, 'skins').push(2);
    expect(document).toEqual({ skins: [1, 2] });
    wrong(() => ensureList({ skins: 5 }, 'skins'), '/skins');
  });
});
