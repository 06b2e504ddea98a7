import { describe, expect, it } from 'vitest';
import { definePrim, makeLayer } from '../../../../src/formats/usd/author/author-prims.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { localToWorld } from '../../../../src/formats/usd/stage/xform-ops.ts';
import { linearAnimation } from '../../../../src/formats/usd/write/animation/linear-animation.ts';
import { addNodePrims } from '../../../../src/formats/usd/write/write-character-layer.ts';
import { animation, geometryOf, mesh, skin, track, triangle } from './small-geometry.ts';

const CODES = { origin: 0, perSecond: 1 };

describe('addNodePrims', () => {
  const geometry = geometryOf(
    [
      ['room', -1, [1, 0, 0]],
      ['door', 0, [0, 2, 0]],
      ['hips', 0],
      ['ring', 2],
      ['body', 0],
    ],
    { meshes: [mesh('body', [triangle([0, 0, 0])])], skins: [skin([2], [[0, 0, 0]])], shown: [{ node: 4, skin: 0 }] },
  );
  const nearestJointNode = Int32Array.of(-1, -1, 2, 2, -1);

  it('adds Xforms, except for joints, their descendants and nodes that only hold skinned meshes', () => {
    const layer = makeLayer({});
    definePrim(layer, '/Root', 'Xform');
    const paths = addNodePrims(layer, '/Root', geometry, { nearestJointNode }, [], CODES);
    expect(paths).toEqual(['/Root/room', '/Root/room/door', '', '', '']);
    expect([...localToWorld(openStage(layer), '/Root/room/door', 'default').subarray(12, 15)]).toEqual([1, 2, 0]);
  });

  it('animates Xforms by the first clip', () => {
    const layer = makeLayer({});
    definePrim(layer, '/Root', 'Xform');
    const clips = [4, 8].map((end) => {
      const open = animation('open', [track(1, 'translation', [0, 2], [0, 2, 0, end, 2, 0])]);
      return linearAnimation(open, (source) => source - 10, geometry.nodes, 1).animation;
    });
    addNodePrims(layer, '/Root', geometry, { nearestJointNode }, clips, CODES);
    const stage = openStage(layer);
    expect([0, 1, 2].map((time) => localToWorld(stage, '/Root/room/door', time)[12])).toEqual([1, 3, 5]);
  });
});
