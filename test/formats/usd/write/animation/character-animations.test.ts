import { describe, expect, it } from 'vitest';
import type { NewAnimation } from '../../../../../src/core/asset/asset.ts';
import type { Issue } from '../../../../../src/core/report/issue.ts';
import { characterAnimations } from '../../../../../src/formats/usd/write/write-character-layer.ts';
import { animation, geometryOf, mesh, skin, track, triangle } from '../small-geometry.ts';

/** A joint, a node that only holds a skinned mesh, and a face with one morph target. */
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

function read(clips: NewAnimation[]) {
  const issues: Issue[] = [];
  const found = characterAnimations(GEOMETRY, clips, issues).map(({ name, tracks, morphs }) => {
    return [name, [...tracks.keys()], [...morphs.keys()]];
  });
  return { found, codes: issues.map(({ code }) => code) };
}

describe('characterAnimations', () => {
  it('drops tracks of nodes whose transform has no effect', () => {
    expect(read([animation('walk', [slide(0), slide(1), slide(2)])])).toEqual({
      found: [['walk', [0, 2], []]],
      codes: [],
    });
  });

  it('drops clips without effect and tracks of unknown nodes, with issues', () => {
    const unknown = animation('unknown', [slide(0)], { sourceNodes: [99] });
    expect(read([animation('still', [slide(1)]), unknown, animation('walk', [slide(0)])])).toEqual({
      found: [['walk', [0], []]],
      codes: ['CLIP_EMPTY', 'CLIP_EMPTY', 'CHANNELS_DROPPED'],
    });
  });

  it('keeps weights of existing morph targets', () => {
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
    const mismatched = animation('mismatched', [slide(0)], { morphs: [weights(12, 2), weights(10, 1)] });
    expect(read([mismatched])).toEqual({ found: [['mismatched', [0], []]], codes: ['CHANNELS_DROPPED'] });
  });
});
