/** Reads VRMs of three-vrm. Structural types make three-vrm itself optional. */
import type { Object3D } from 'three';
import { BONE, BONE_COUNT, BONES, type BoneName } from '../../core/humanoid/bones.ts';
import type { FileHumanoid } from '../../formats/gltf/extensions/human-bones.ts';

/** A VRM of `@pixiv/three-vrm`: `gltf.userData.vrm`. */
export interface VrmLike {
  /** The root of the model. */
  readonly scene: Object3D;
  /** Metadata; `metaVersion` is "0" for VRM 0.x. */
  readonly meta: {
    /** Major version of VRM: "0" or "1". */
    readonly metaVersion: string;
  };
  /** The bones, raw and normalized. */
  readonly humanoid: {
    /** Whether three-vrm copies the normalized bones to the raw ones every frame. */
    readonly autoUpdateHumanBones: boolean;
    /** Root of the normalized bones. */
    readonly normalizedHumanBonesRoot: Object3D;
    /**
     * Returns the raw bone, a node of the file.
     *
     * @param name The bone.
     * @returns The object; null when the bone is missing.
     */
    getRawBoneNode(name: BoneName): Object3D | null;
    /**
     * Returns the normalized bone, whose rest rotation is the identity.
     *
     * @param name The bone.
     * @returns The object; null when the bone is missing.
     */
    getNormalizedBoneNode(name: BoneName): Object3D | null;
  };
}

/** Returns whether a character is a VRM. */
export function isVrm(character: Object3D | VrmLike): character is VrmLike {
  return 'scene' in character && 'humanoid' in character;
}

/** Reads the declared bones and facing of a rig of a VRM. VRM 0.x faces −Z. */
export function readVrmDeclaration(
  { humanoid, meta }: VrmLike,
  rig: 'raw' | 'normalized',
  indexOf: ReadonlyMap<Object3D, number>,
): FileHumanoid {
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  for (const name of BONES) {
    const bone = rig === 'normalized' ? humanoid.getNormalizedBoneNode(name) : humanoid.getRawBoneNode(name);
    if (bone !== null) nodes[BONE[name]] = indexOf.get(bone) ?? -1;
  }
  const isVrm0 = meta.metaVersion === '0';
  return { format: isVrm0 ? 'vrm0' : 'vrm1', facing: isVrm0 ? '-Z' : '+Z', title: '', nodes };
}
