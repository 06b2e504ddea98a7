/** Makes a file of humanoid clips. */
import { extractMotions } from '../../src/files/jobs/extract-motions.ts';
import { concatParts } from '../../src/formats/gltf/index.ts';
import { openDemo } from '../support/make/demo-files.ts';

/** Returns the clips of all demo motions as a GLB with EXT_skeleton_humanoid. */
export async function clipLibrary(): Promise<Uint8Array> {
  const motions = await Promise.all(['walk.glb', 'wave.vrma', 'turn.bvh'].map(openDemo));
  const { outputs } = await extractMotions(motions, { output: 'clips.glb' });
  return concatParts(outputs[0].parts as Uint8Array[]);
}
