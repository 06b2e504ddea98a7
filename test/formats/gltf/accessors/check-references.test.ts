import { expect, it } from 'vitest';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import { checkReferences } from '../../../../src/formats/gltf/accessors/append-accessor.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';

const whole = {
  accessors: [{ bufferView: 0 }, {}],
  bufferViews: [{}],
  images: [{ uri: 'a.png' }],
  meshes: [{ primitives: [{ indices: 1, attributes: { POSITION: 0 }, targets: [{ POSITION: 1 }] }] }],
};

it('checkReferences: accepts references within the file, and files without meshes', () => {
  expect(() => checkReferences(whole)).not.toThrow();
  expect(() => checkReferences({})).not.toThrow();
});

it.each<[string, JsonObject]>([
  ['/meshes/0/primitives/0/indices', { meshes: [{ primitives: [{ indices: 2 }] }] }],
  ['/meshes/0/primitives/0/attributes/NORMAL', { meshes: [{ primitives: [{ attributes: { NORMAL: 9 } }] }] }],
  ['/meshes/0/primitives/0/targets/0/POSITION', { meshes: [{ primitives: [{ targets: [{ POSITION: 2 }] }] }] }],
  ['/accessors/0/bufferView', { accessors: [{ bufferView: 1 }], meshes: [] }],
  ['/images/0/bufferView', { images: [{ bufferView: 1 }] }],
])('checkReferences: refuses an index past the end at %s', (pointer, change) => {
  try {
    checkReferences({ ...whole, ...change });
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(FormatError);
    expect(error).toMatchObject({ code: 'GLTF_REFERENCE', where: { pointer } });
  }
});
