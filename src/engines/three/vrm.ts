/** What three-vrm says about a VRM. Only its shape is known here: three-vrm itself is not needed. */
import type { Object3D } from 'three';
import { BONE, BONE_COUNT, BONES, type BoneName } from '../../core/humanoid/bones.ts';
import type { FileHumanoid } from '../../formats/gltf/extensions/human-bones.ts';

/** A VRM of `@pixiv/three-vrm`: `gltf.userData.vrm`. */
export interface VrmLike {
  readonly scene: Object3D;
  readonly meta: { readonly metaVersion: string };
  readonly humanoid: {
    readonly autoUpdateHumanBones: boolean;
    readonly normalizedHumanBonesRoot: Object3D;
    getRawBoneNode(name: BoneName): Object3D | null;
    getNormalizedBoneNode(name: BoneName): Object3D | null;
  };
}

export function isVrm(character: Object3D | VrmLike): character is VrmLike {
  return 'scene' in character && 'humanoid' in character;
}

/** The root of the bones that are to be animated: where three-vrm copies the normalized ones over the raw ones every frame, those. */
export function rigOfVrm({ scene, humanoid }: VrmLike): Object3D {
  return humanoid.autoUpdateHumanBones ? humanoid.normalizedHumanBonesRoot : scene;
}

/** The bones of that rig as indices of its scene graph. A VRM 0.x faces −Z. */
export function declaredByVrm({ humanoid, meta }: VrmLike, indexOf: ReadonlyMap<Object3D, number>): FileHumanoid {
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  for (const name of BONES) {
    const bone = humanoid.autoUpdateHumanBones ? humanoid.getNormalizedBoneNode(name) : humanoid.getRawBoneNode(name);
    if (bone !== null) nodes[BONE[name]] = indexOf.get(bone) ?? -1;
  }
  const isFirst = meta.metaVersion === '0';
  return { format: isFirst ? 'vrm0' : 'vrm1', facing: isFirst ? '-Z' : '+Z', title: '', nodes };
}
