import { describe, expect, it } from 'vitest';
import { readAccessor } from '../../../../src/formats/gltf/accessors/accessor.ts';
import { hasDracoMeshes, isInDracoMesh } from '../../../../src/formats/gltf/document/draco.ts';
import { documentOf } from '../../../support/make/glb.ts';

const draco = { KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } } };

describe('isInDracoMesh', () => {
  it('distinguishes compressed accessors from accessors of zeros in the same mesh', () => {
    const doc = documentOf({
      meshes: [
        { primitives: [{ attributes: { POSITION: 0, JOINTS_0: 3 }, indices: 1, extensions: draco }] },
        { primitives: [{ attributes: { POSITION: 2 } }] },
      ],
      accessors: [5126, 5123, 5126, 5123].map((componentType) => ({ componentType, count: 1, type: 'SCALAR' })),
    });
    expect(hasDracoMeshes(doc)).toBe(true);
    expect([0, 1, 2, 3].map((index) => isInDracoMesh(doc, index))).toEqual([true, true, false, false]);
    for (const index of [0, 1]) {
      expect(() => readAccessor(doc, index)).toThrow(
        expect.objectContaining({ code: 'GLTF_COMPRESSION', where: { pointer: `/accessors/${index}` } }),
      );
    }
    expect([...readAccessor(doc, 2).array]).toEqual([0]);
  });

  it('never throws, whatever the JSON', () => {
    for (const meshes of [
      5,
      [5],
      [{ primitives: 5 }],
      [{ primitives: [null, { extensions: draco, attributes: 5 }] }],
      [
        {
          primitives: [{ extensions: { KHR_draco_mesh_compression: { attributes: 5 } }, attributes: { POSITION: 0 } }],
        },
      ],
      [{ primitives: [{ extensions: { KHR_draco_mesh_compression: 5 }, attributes: { POSITION: 0 } }] }],
    ]) {
      const doc = documentOf({ meshes });
      expect(isInDracoMesh(doc, 0)).toBe(false);
      expect(hasDracoMeshes(doc)).toBeTypeOf('boolean');
    }
    expect(hasDracoMeshes(documentOf({}))).toBe(false);
  });
});
