/** Reads VRMs of three-vrm. Structural types make three-vrm itself optional. */
import type { Object3D } from 'three';
import { BONE, BONE_COUNT, BONES, type BoneName } from '../../core/humanoid/bones.ts';
import type { FileHumanoid } from '../../formats/gltf/extensions/human-bones.ts';
import type { StandIn } from './read-meshes.ts';

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

export function isVrm(character: Object3D | VrmLike): character is VrmLike {
  return 'scene' in character && 'humanoid' in character;
}

/** Finds the normalized bone that every object of a VRM moves with, in the current pose: that of the nearest raw bone above it. */
export function readVrmStandIns({ scene, humanoid }: VrmLike): Map<Object3D, StandIn> {
  scene.updateWorldMatrix(true, true);
  const normalized = new Map<Object3D, Object3D>();
  for (const name of BONES) {
    const [raw, own] = [humanoid.getRawBoneNode(name), humanoid.getNormalizedBoneNode(name)];
    if (raw !== null && own !== null) normalized.set(raw, own);
  }
  const standIns = new Map<Object3D, StandIn>();
  scene.traverse((object) => {
    const above = object.parent === null ? undefined : standIns.get(object.parent)?.object;
    const own = normalized.get(object) ?? above;
    if (own === undefined) return;
    standIns.set(object, { object: own, matrix: own.matrixWorld.clone().invert().multiply(object.matrixWorld) });
  });
  return standIns;
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
