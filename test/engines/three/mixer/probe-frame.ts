/** A frame for the probes of allocations. */
import { DEMO_MOTIONS } from '../../../../src/demo/index.ts';
import type { RigOptions } from '../../../../src/engines/scene/character/rig.ts';
import { CharacterMixer, createCharacterRig } from '../../../../src/engines/three/index.ts';
import { loadBytes } from '../scenes.ts';
import { skinnedMeshes } from './instances.ts';

/** Returns a function that updates a walking character and its skeletons. */
export async function frameOf(options: RigOptions): Promise<() => void> {
  const [{ name, bytes }] = DEMO_MOTIONS;
  const { root, animations } = await loadBytes(name, bytes());
  const mixer = new CharacterMixer(root, createCharacterRig(root, options));
  mixer.clipAction(animations[0]).play();
  const skeletons = skinnedMeshes(root).map(({ skeleton }) => skeleton);
  root.updateMatrixWorld();
  return () => {
    mixer.update(1 / 60);
    for (let k = 0; k < skeletons.length; k++) skeletons[k].update();
  };
}
