/** A frame of a CharacterMixer without the kernel, whose allocations are counted. */
import { frameOf } from './probe-frame.ts';

export const call: () => void = await frameOf({});
