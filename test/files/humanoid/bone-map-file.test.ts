import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BONE, BONE_COUNT } from '../../../src/core/humanoid/bones.ts';
import { FormatError } from '../../../src/core/report/format-error.ts';
import { createBoneMapFile, parseBoneMap, serializeBoneMap } from '../../../src/files/humanoid/bone-map-file.ts';
import { openDemo } from '../../support/make/demo-files.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function errorOf(text: string): FormatError {
  try {
    parseBoneMap(utf8(text));
  } catch (error) {
    expect(error).toBeInstanceOf(FormatError);
    return error as FormatError;
  }
  throw new Error('nothing was thrown');
}

describe('createBoneMapFile', () => {
  it('uses node names, and indices where a name is empty or not unique', async () => {
    const { skeleton, sourceNodes } = (await openDemo('mixamo.glb')).asset.skeletons[0];
    const nodes = new Int32Array(BONE_COUNT).fill(-1);
    nodes[BONE.hips] = 1;
    nodes[BONE.spine] = 2;
    nodes[BONE.head] = 3;
    nodes[BONE.neck] = 4;
    const names = skeleton.names.map((name, node) => (node === 2 ? '' : node === 3 || node === 5 ? 'twin' : name));
    const map = { nodes, confidence: new Float32Array(BONE_COUNT), from: 'given' };
    const part = {
      skeleton: { ...skeleton, names },
      sourceNodes: sourceNodes.map((node) => node + 100),
      declared: null,
    };
    expect(createBoneMapFile(part, map)).toEqual({ bones: { hips: names[1], spine: 102, neck: names[4], head: 103 } });
  });
});

describe('parseBoneMap', () => {
  it('parses what serializeBoneMap wrote', () => {
    const bones = { hips: 'mixamorig:Hips', head: 3 };
    expect(parseBoneMap(utf8(serializeBoneMap({ bones })))).toEqual(bones);
  });

  it('skips bones with the value null', () => {
    expect(parseBoneMap(utf8('{"bones":{"hips":"a","jaw":null}}'))).toEqual({ hips: 'a' });
  });

  it('throws JSON_INVALID for text that is not JSON', () => {
    expect(errorOf('{"bones":').code).toBe('JSON_INVALID');
    expect(errorOf('').code).toBe('JSON_INVALID');
  });

  it.each(['[]', 'null', '{}', '{"bones":[]}', '{"bones":{"hips":{}}}', '{"bones":{"hips":1.5}}', '{"bones":null}'])(
    'throws BONE_MAP_INVALID with the expected form for %s',
    (text) => {
      expect(errorOf(text).code).toBe('BONE_MAP_INVALID');
    },
  );

  it('returns a map or throws a FormatError for any JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.jsonValue(), (text, bones) => {
        for (const one of [text, JSON.stringify({ bones })]) {
          try {
            parseBoneMap(utf8(one));
          } catch (error) {
            expect(error).toBeInstanceOf(FormatError);
          }
        }
      }),
      { seed: 2 },
    );
  });
});
