/** A frame of a BabylonMixer with the kernel, whose allocations are counted. */
import { DEMO_MOTIONS } from '../../../../src/demo/index.ts';
import { BabylonMixer, createCharacterRig } from '../../../../src/engines/babylon/index.ts';
import { createPlaybackMemory, type PlaybackMemory } from '../../../../src/playback/kernel/playback-memory.ts';
import { loadGlb } from '../scenes.ts';

const memory = (await createPlaybackMemory()) as PlaybackMemory;
const { root, groups, scene } = await loadGlb(DEMO_MOTIONS[0].bytes());
const mixer = new BabylonMixer(root, createCharacterRig(root, { memory }));
mixer.animation(groups[0]).start(true);
const { skeletons } = scene;

export const call = (): void => {
  mixer.update(1 / 60);
  for (let k = 0; k < skeletons.length; k++) skeletons[k].prepare(true);
};
