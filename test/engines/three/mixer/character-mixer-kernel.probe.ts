/** A frame of a CharacterMixer with the kernel, whose allocations are counted. */
import { createPlaybackMemory, type PlaybackMemory } from '../../../../src/playback/kernel/playback-memory.ts';
import { frameOf } from './probe-frame.ts';

const memory = (await createPlaybackMemory()) as PlaybackMemory;

export const call: () => void = await frameOf({ memory });
