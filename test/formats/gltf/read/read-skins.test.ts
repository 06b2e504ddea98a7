import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import type { Issue } from '../../../../src/core/report/issue.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';
import { readNodes } from '../../../../src/formats/gltf/read/read-nodes.ts';
import { readSkins } from '../../../../src/formats/gltf/read/read-skins.ts';
import { moved, scalars, smallFile, vectors } from '../small-file.ts';

const NODES: JsonObject[] = [{}, { children: [2] }, { children: [3] }, {}, { mesh: 0, skin: 0 }, { mesh: 0, skin: 0 }];
const MESHES = [{ primitives: [] }];
const MATRICES = vectors('MAT4', ...moved(1, 0, 0), ...moved(2, 0, 0));

function read(skins: unknown, nodes = NODES, issues: Issue[] = []) {
  const doc = smallFile({ nodes, skins, meshes: MESHES }, [MATRICES, scalars(0, 1)]);
  return readSkins(doc, readNodes(doc, issues), issues);
}

describe('readSkins', () => {
  it('returns joints and skinned nodes as forest nodes, and matrices in the order of the file', () => {
    const [skin] = read([{ name: 'body', joints: [3, 1], inverseBindMatrices: 0, skeleton: 1 }]);
    expect(skin).toMatchObject({ index: 0, name: 'body', meshNodes: [4, 5] });
    expect(Array.from(skin.joints)).toEqual([3, 1]);
    expect([skin.inverseBind?.[12], skin.inverseBind?.[28]]).toEqual([1, 2]);
  });

  it('keeps the first occurrence of a repeated joint, with its matrix', () => {
    const issues: Issue[] = [];
    const [skin] = read([{ joints: [3, 3, 1], inverseBindMatrices: 0 }], NODES, issues);
    expect(Array.from(skin.joints)).toEqual([3, 1]);
    // The third joint has no matrix, and the second matrix belongs to the dropped repetition.
    expect(skin.inverseBind).toHaveLength(16);
    expect(issues.map(({ message }) => message.replace(/^Skin 0 /, ''))).toEqual([
      'has only 2 inverse bind matrices for 3 joints; the other joints use their rest pose',
      'lists joints more than once; one repetition was ignored',
    ]);
  });

  it('keeps the index of a skin after an ignored one', () => {
    expect(read([{ joints: [] }, { joints: [1], inverseBindMatrices: 0 }]).map(({ index }) => index)).toEqual([1]);
  });

  it.each([
    ['a skin that is null', [null], 'GLTF_SCHEMA'],
    ['joints that are a number', [{ joints: 1 }], 'GLTF_SCHEMA'],
    ['a joint that does not exist', [{ joints: [1, 9] }], 'GLTF_REFERENCE'],
    ['a joint that is a fraction', [{ joints: [1.5] }], 'GLTF_SCHEMA'],
    ['matrices that do not exist', [{ joints: [1], inverseBindMatrices: 9 }], 'GLTF_REFERENCE'],
    ['matrices that are scalars', [{ joints: [1], inverseBindMatrices: 1 }], 'GLTF_ACCESSOR'],
  ])('throws for %s', (_, skins, code) => {
    let found: unknown;
    try {
      read(skins, NODES.slice(0, 4));
    } catch (error) {
      found = error;
    }
    expect(found).toBeInstanceOf(FormatError);
    expect((found as FormatError).code).toBe(code);
    expect((found as FormatError).where.pointer).toMatch(/^\/skins\/0/);
  });

  it('throws for a node whose skin does not exist', () => {
    expect(() => read([])).toThrow(FormatError);
  });
});
