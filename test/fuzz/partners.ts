/** Opens the undamaged files that retargeting needs beside a damaged one. */
import { openBytes } from '../../src/files/open.ts';
import type { Partners } from './find-fault.ts';
import { walkBvh, walkVrm } from './seeds.ts';

/**
 * Opens a motion and a character.
 *
 * @returns The opened files.
 */
export async function openPartners(): Promise<Partners> {
  return {
    motion: await openBytes(walkBvh(), { name: 'walk.bvh' }),
    character: await openBytes(walkVrm(), { name: 'character.vrm' }),
  };
}
