import { describe, expect, it } from 'vitest';
import { readAccessor } from '../../../src/formats/gltf/accessor.ts';
import { isInDracoMesh } from '../../../src/formats/gltf/draco.ts';
import { documentOf } from '../../make/glb.ts';

const draco = { KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } } };

describe('accessors of Draco meshes', () => {
  it('are told from accessors of zeros', () => {
    const doc = documentOf({
      meshes: [
        { primitives: [{ attributes: { POSITION: 0 }, indices: 1, extensions: draco }] },
        { primitives: [{ attributes: { POSITION: 2 } }] },
      ],
      accessors: [5126, 5123, 5126].map((componentType) => ({ componentType, count: 1, type: 'SCALAR' })),
    });
    expect([0, 1, 2].map((index) => isInDracoMesh(doc, index))).toEqual([true, true, false]);
    for (const index of [0, 1]) {
      expect(() => readAccessor(doc, index)).toThrow(
        expect.objectContaining({ code: 'GLTF_COMPRESSION', where: { pointer: `/accessors/${index}` } }),
      );
    }
    expect([...readAccessor(doc, 2).array]).toEqual([0]);
  });

  it('are looked for in any JSON without throwing', () => {
    for (const meshes of [
      5,
      [5],
      [{ primitives: 5 }],
      [{ primitives: [null, { extensions: draco, attributes: 5 }] }],
    ]) {
      expect(isInDracoMesh(documentOf({ meshes }), 0)).toBe(false);
    }
  });
});
