import { describe, expect, it } from 'vitest';
import { readUsdAsset } from '../../../../src/formats/usd/read/read-usd-asset.ts';
import { readUsdScene } from '../../../../src/formats/usd/read/read-usd-scene.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import { writeMotionLayer } from '../../../../src/formats/usd/write/write-motion-layer.ts';
import { animation, geometryOf, track } from './small-geometry.ts';
import { METERS_Y } from './written-points.ts';

const { nodes } = geometryOf([
  ['Hips', -1, [0, 1, 0]],
  ['Head', 0, [0, 0.5, 0]],
]);
const { clip } = animation('walk', [
  track(0, 'translation', [0, 0.5], [0, 1, 0, 1, 1, 0]),
  track(1, 'rotation', [0, 0.5], [0, 0, 0, 1, 0, 1, 0, 0]),
]);

describe('writeMotionLayer', () => {
  it('writes a Skeleton of all nodes with the clips, bound at rest', () => {
    const sources = [clip, { ...clip, name: 'none', tracks: [] }];
    const { layer, issues } = writeMotionLayer(nodes, sources, METERS_Y, 'Walk 1');
    expect(issues.map(({ code }) => code)).toEqual(['CLIP_EMPTY']);
    const stage = openStage(layer);
    expect(stage.prims.map(({ path, typeName }) => [path, typeName])).toEqual([
      ['/Walk_1', 'SkelRoot'],
      ['/Walk_1/Skeleton', 'Skeleton'],
      ['/Walk_1/Skeleton/walk', 'SkelAnimation'],
    ]);
    const asset = readUsdAsset(readUsdScene(stage));
    const [{ skeleton }] = asset.skeletons;
    expect(skeleton.names.slice(-2)).toEqual(['Hips', 'Head']);
    const [{ name, duration, clips }] = asset.clips;
    expect([name, duration, clips[0].tracks.map(({ path }) => path)]).toEqual([
      'walk',
      0.5,
      ['translation', 'rotation'],
    ]);
    expect(Array.from(clips[0].tracks[0].values)).toEqual([0, 1, 0, 1, 1, 0]);
  });

  it('writes the bind pose of the skeleton', () => {
    const bind = Float64Array.from([1, 2].flatMap((y) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, y, 0, 1]));
    const stage = openStage(writeMotionLayer({ ...nodes, bind }, [clip], METERS_Y, 'a').layer);
    expect(readUsdScene(stage).skeletons[0].animated.definition.bind).toEqual(bind);
  });
});
