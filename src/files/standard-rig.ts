import type { Humanoid } from '../core/humanoid/humanoid.ts';
import { bodyPositions } from '../core/humanoid/rigs/body-proportions.ts';
import { createRigSkeleton } from '../core/humanoid/rigs/create-rig-skeleton.ts';
import type { StandardRigName } from '../core/humanoid/rigs/rig-names.ts';
import { readGltf } from '../formats/gltf/read/read-gltf.ts';
import { writeMotionDocument } from '../formats/gltf/write/write-motion.ts';
import type { GltfFile } from './open-file.ts';
import { checkRig } from './rig-url.ts';

/**
 * Creates a standard rig as a file: a skeleton without a mesh, with the names, hierarchy, axes and rest pose of a convention. It is used like a character
 * file; jobs that write other formats than glTF want the option `mesh: false`.
 *
 * @param rig `mixamo` (T-pose), `ue5` (Manny of Unreal Engine 5 in its A-pose, with twist, metacarpal and IK joints), `unity` (names of its Humanoid),
 *   `vrm` (VRM 1.0, normalized), `smplx` (SMPL-X, 55 joints in their order), `soma` (SOMA with 77 joints and a root).
 * @param proportions Whose bone lengths it has: those of a humanoid, or by default of an adult of 1.70 m.
 * @returns The file, named like the rig.
 * @throws OptionError (`to`) for a name that is no standard rig.
 * @example
 * const walk = await openFile('walk.bvh');
 * const { outputs } = await retargetMotions([walk], createStandardRig('ue5'), { output: 'walk.glb' });
 */
export function createStandardRig(rig: StandardRigName, proportions: Humanoid | null = null): GltfFile {
  checkRig(rig);
  const document = writeMotionDocument(createRigSkeleton(rig, bodyPositions(proportions)), []);
  return { format: 'gltf', name: rig, asset: readGltf(document), document, readResource: null, standardRig: rig };
}
