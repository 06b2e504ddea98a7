/** A file of humanoid clips. */
import { extractMotions } from '../../src/files/jobs/extract-motions.ts';
import { concatParts } from '../../src/formats/gltf/index.ts';
import { openDemo } from '../make/demo-files.ts';

/** The clips of all demo motions, as a GLB of EXT_skeleton_humanoid. */
export async function clipLibrary(): Promise<Uint8Array> {
  const motions = await Promise.all(['walk.glb', 'wave.vrma', 'turn.bvh'].map(openDemo));
  const { outputs } = await extractMotions(motions, { output: 'clips.glb' });
  return concatParts(outputs[0].parts as Uint8Array[]);
}
