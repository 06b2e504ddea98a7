import { describe, expect, it } from 'vitest';
import { CORNERS, failure, meshFile, read } from '../geometry-file.ts';
import { type SmallAccessor, smallFile } from '../small-file.ts';

const indices = (array: SmallAccessor['array']): SmallAccessor => ({ type: 'SCALAR', array });

describe('readMesh', () => {
  it.each([
    ['bytes', Uint8Array.of(2, 1, 0)],
    ['shorts', Uint16Array.of(2, 1, 0)],
    ['ints', Uint32Array.of(2, 1, 0)],
  ])('converts indices of %s to 32 bits', (_, array) => {
    expect(read(meshFile({ indices: 1 }, [indices(array)])).part.indices).toEqual(Uint32Array.of(2, 1, 0));
  });

  it.each([
    ['an index past the vertices', indices(Uint16Array.of(0, 1, 3))],
    ['the primitive restart value', indices(Uint8Array.of(0, 255, 1))],
    ['signed indices', indices(Int16Array.of(0, 1, 2))],
    ['vector indices', { type: 'VEC3', array: Uint16Array.of(0, 1, 2) }],
  ])('throws GLTF_ACCESSOR for %s', (_, accessor) => {
    const doc = meshFile({ indices: 1 }, [accessor]);
    expect(() => read(doc)).toThrow(expect.objectContaining(failure('GLTF_ACCESSOR', '/accessors/1')));
  });

  it('reads the mode', () => {
    const modes = Array.from({ length: 7 }, (_, mode) => read(meshFile({ mode })).part.mode);
    const expected = ['points', 'lines', 'line-loop', 'line-strip', 'triangles', 'triangle-strip', 'triangle-fan'];
    expect(modes).toEqual(expected);
    expect(() => read(meshFile({ mode: 7 }))).toThrow(
      expect.objectContaining(failure('GLTF_SCHEMA', '/meshes/0/primitives/0/mode')),
    );
  });

  it('drops primitives without positions', () => {
    const part = { attributes: { POSITION: 0 } };
    const doc = smallFile({ nodes: [{ mesh: 0 }], meshes: [{ primitives: [{ attributes: {} }, part] }] }, [CORNERS]);
    const { geometry, messages } = read(doc);
    expect(geometry.meshes[0].primitives).toHaveLength(1);
    expect(messages).toEqual(['1 mesh primitive was dropped for lack of the attribute POSITION']);
  });

  it('reads morph target names from the extras of the mesh, else of its first primitive', () => {
    const targets = [{ POSITION: 0 }, { POSITION: 0 }];
    const extras = { targetNames: ['smile'] };
    const of = (mesh: object, part: object): readonly string[] => {
      const primitives = [{ attributes: { POSITION: 0 }, targets, ...part }];
      return read(smallFile({ nodes: [{ mesh: 0 }], meshes: [{ primitives, ...mesh }] }, [CORNERS])).geometry.meshes[0]
        .morphNames;
    };
    expect(of({ extras }, {})).toEqual(['smile', '']);
    expect(of({}, { extras })).toEqual(['smile', '']);
    expect(of({ extras: { targetNames: [1, 'blink', 'more'] } }, { extras })).toEqual(['', 'blink']);
    expect(of({ extras: ['smile'] }, { extras: null })).toEqual(['', '']);
  });

  it('pads or truncates morph weights of meshes and nodes to the number of targets', () => {
    const targets = [{ POSITION: 0 }, { POSITION: 0 }];
    const doc = (weights: unknown, own: unknown): ReturnType<typeof smallFile> =>
      smallFile(
        {
          nodes: [{ mesh: 0, ...(own === undefined ? {} : { weights: own }) }],
          meshes: [
            {
              primitives: [{ attributes: { POSITION: 0 }, targets }],
              ...(weights === undefined ? {} : { weights }),
            },
          ],
        },
        [CORNERS],
      );
    const plain = read(doc(undefined, undefined));
    expect([...plain.geometry.meshes[0].morphWeights]).toEqual([0, 0]);
    expect(plain.geometry.instances[0].morphWeights).toBeNull();
    const both = read(doc([0.5, 0.25], [1, 0]));
    expect([...both.geometry.meshes[0].morphWeights]).toEqual([0.5, 0.25]);
    expect([...both.geometry.instances[0].morphWeights!]).toEqual([1, 0]);
    const repaired = read(doc([0.5], [1, 2, 3]));
    expect([...repaired.geometry.meshes[0].morphWeights]).toEqual([0.5, 0]);
    expect([...repaired.geometry.instances[0].morphWeights!]).toEqual([1, 2]);
    expect(repaired.messages).toEqual([
      '2 lists of morph weights were padded or truncated to the number of morph targets',
    ]);
    expect(() => read(doc(['x'], undefined))).toThrow(
      expect.objectContaining(failure('GLTF_SCHEMA', '/meshes/0/weights/0')),
    );
  });

  it('gives all primitives the same number of morph targets', () => {
    const part = { attributes: { POSITION: 0 } };
    const primitives = [part, { ...part, targets: [{ POSITION: 0 }] }];
    const { geometry, messages } = read(smallFile({ nodes: [{ mesh: 0 }], meshes: [{ primitives }] }, [CORNERS]));
    expect(geometry.meshes[0].primitives.map(({ morphTargets }) => morphTargets.length)).toEqual([1, 1]);
    expect(geometry.meshes[0].primitives[0].morphTargets[0].positions).toBeNull();
    expect(messages).toEqual([
      '1 mesh primitive has fewer morph targets than others of the mesh; empty targets were added',
    ]);
  });
});
