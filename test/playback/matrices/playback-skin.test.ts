import { expect, it } from 'vitest';
import { geometryOf } from '../../../src/files/node.ts';
import { planPlayback } from '../../../src/playback/matrices/plan-playback.ts';
import { playbackSkin } from '../../../src/playback/matrices/playback-skin.ts';
import { openDemo } from '../../support/make/demo-files.ts';

it('playbackSkin: finds the joints of a skin in the skeleton of the same file, null for other skeletons', async () => {
  const file = await openDemo('mixamo.glb');
  const [part] = file.asset.skeletons;
  const found = await geometryOf(file);
  if (found === null) throw new Error('The demo character has a mesh.');
  const { geometry } = found;
  const skin = playbackSkin(geometry, 0, part);
  const names = Array.from(skin?.joints ?? [], (node) => part.skeleton.names[node]);
  expect(names).toEqual(Array.from(geometry.skins[0].joints, (joint) => geometry.nodes.names[joint]));
  expect(planPlayback(part.skeleton, skin).plan?.resultCount).toBe(geometry.skins[0].joints.length);
  expect(playbackSkin(geometry, 0, { sourceNodes: Int32Array.of(0) })).toBeNull();
});
