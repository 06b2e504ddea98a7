/** A frame of a CharacterMixer with the kernel, whose allocations are counted. */
import { createPlaybackMemory, loadPlaybackKernel, type PlaybackKernel } from '../../../../src/kernels/index.ts';
import { frameOf } from './probe-frame.ts';

const memory = createPlaybackMemory((await loadPlaybackKernel()) as PlaybackKernel);

export const call: () => void = await frameOf({ memory });
