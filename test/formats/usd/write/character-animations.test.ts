import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { characterAnimations, sizeOf } from '../../../../src/formats/usd/write/character-animations.ts';
import type { UsdAnimation } from '../../../../src/formats/usd/write/usd-animation.ts';
import { animation, geometryOf, mesh, skin, track, triangle } from './small-geometry.ts';

/** A joint, a node that holds what the joint moves, and a face with one morph target. */
const GEOMETRY = geometryOf(
  [
    ['hips', -1, [0, 3, 0]],
    ['body', -1],
    ['face', 0, [4, 0, 0]],
  ],
  {
    meshes: [
      mesh('body', [triangle([0, 0, 0])]),
      mesh('face', [triangle()], { morphNames: ['smile'], morphWeights: Float32Array.of(0) }),
    ],
    skins: [skin([0], [[0, 0, 0]])],
    shown: [
      { node: 1, skin: 0 },
      { node: 2, mesh: 1 },
    ],
  },
);
const slide = (node: number) => track(node, 'translation', [0, 1], [0, 0, 0, 1, 0, 0]);

function read(clips: UsdAnimation[]) {
  const issues: Issue[] = [];
  const found = characterAnimations(GEOMETRY, clips, issues).map(({ name, tracks, morphs }) => {
    return [name, [...tracks.keys()], [...morphs.keys()]];
  });
  return { found, codes: issues.map(({ code }) => code) };
}

describe('clips of a character', () => {
  it('are by the nodes of its geometry; what moves nothing by itself is left out', () => {
    expect(read([animation('walk', [slide(0), slide(1), slide(2)])])).toEqual({
      found: [['walk', [0, 2], []]],
      codes: [],
    });
  });

  it('are left out when nothing of them remains, with an issue, and so are tracks of strange nodes', () => {
    const strange = animation('strange', [slide(0)], { sourceNodes: [99] });
    expect(read([animation('still', [slide(1)]), strange, animation('walk', [slide(0)])])).toEqual({
      found: [['walk', [0], []]],
      codes: ['CLIP_EMPTY', 'CLIP_EMPTY', 'CHANNELS_DROPPED'],
    });
  });

  it('have weights of morph targets that are there', () => {
    const weights = (sourceNode: number, targetCount: number) => {
      const values = new Float64Array(2 * targetCount);
      return {
        sourceNode,
        nodeName: '',
        targetCount,
        interpolation: 'LINEAR',
        times: Float64Array.of(0, 1),
        values,
      } as const;
    };
    expect(read([animation('smile', [], { morphs: [weights(12, 1)] })])).toEqual({
      found: [['smile', [], [2]]],
      codes: [],
    });
    const odd = animation('odd', [slide(0)], { morphs: [weights(12, 2), weights(10, 1)] });
    expect(read([odd])).toEqual({ found: [['odd', [0], []]], codes: ['CHANNELS_DROPPED'] });
  });
});

describe('the size of nodes', () => {
  it('is the diagonal of the box around them at rest', () => {
    // From the origin to (4, 3, 0).
    expect(sizeOf(GEOMETRY.nodes)).toBe(5);
    expect(sizeOf(geometryOf([]).nodes)).toBe(0);
  });
});
