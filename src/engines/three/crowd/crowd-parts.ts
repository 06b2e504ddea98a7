/** Finds what of a model a crowd draws: skinned meshes, and rigid meshes that move with a bone. */
import { type InstancedMesh, Matrix4, type Mesh, type Object3D, type SkinnedMesh } from 'three';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { CrowdModel } from '../../../playback/crowd/plan-crowd.ts';
import type { ThreeHumanoid } from '../create-humanoid.ts';

/** A mesh that is drawn once per character. */
export interface CrowdPart {
  /** The mesh of the model. */
  readonly mesh: Mesh;
  /** Index of its first joint among those of all parts of the model. */
  readonly firstJoint: number;
  /** Number of its joints; 1 for a rigid mesh. */
  readonly jointCount: number;
}

/** The parts of a model. */
export interface CrowdParts {
  /** The meshes. */
  readonly parts: readonly CrowdPart[];
  /** The humanoid, with the joints of all parts, one part after the other. */
  readonly model: CrowdModel;
  /** What cannot be in a crowd. */
  readonly issues: readonly Issue[];
}

type Flags = Partial<
  Record<
    'isSkinnedMesh' | 'isInstancedMesh' | 'isBatchedMesh' | 'isMesh' | 'isLine' | 'isPoints' | 'isSprite' | 'isLight',
    boolean
  >
>;

function isSkinned(mesh: Mesh): mesh is SkinnedMesh {
  return (mesh as Flags).isSkinnedMesh === true;
}

function visibleBelow(root: Object3D): Object3D[] {
  const objects: Object3D[] = [];
  const stack = [root];
  for (let object = stack.pop(); object !== undefined; object = stack.pop()) {
    objects.push(object);
    for (let k = object.children.length - 1; k >= 0; k--)
      if (object.children[k].visible) stack.push(object.children[k]);
  }
  return objects;
}

/** Explains what of an object is left out; null if nothing is. */
function leftOut(object: Object3D): string | null {
  const { isInstancedMesh, isBatchedMesh, isLine, isPoints, isSprite, isLight, isMesh } = object as Flags;
  const name = JSON.stringify(object.name);
  if (isInstancedMesh || isBatchedMesh || isLine || isPoints || isSprite || isLight) return `${object.type} ${name}`;
  const { morphTargetInfluences, geometry } = object as InstancedMesh;
  if (!isMesh || !morphTargetInfluences || Object.keys(geometry.morphAttributes).length === 0) return null;
  return `the morph targets of ${name}`;
}

/**
 * Finds the parts of a model. Objects that are not visible are left out. Throws RangeError if none of the joints of a skinned mesh is a node of the
 * humanoid.
 */
export function findCrowdParts({ humanoid, root, objects }: ThreeHumanoid): CrowdParts {
  const indexOf = new Map(objects.map((object, node) => [object, node]));
  const joints: number[] = [];
  const inverseBind: number[] = [];
  const parts: CrowdPart[] = [];
  const dropped: string[] = [];
  for (const object of visibleBelow(root)) {
    const reason = leftOut(object);
    if (reason !== null) dropped.push(reason);
    const { isMesh, isInstancedMesh, isBatchedMesh } = object as Flags;
    if (!isMesh || isInstancedMesh || isBatchedMesh) continue;
    const mesh = object as Mesh;
    const firstJoint = joints.length;
    if (isSkinned(mesh)) {
      const { skeleton, bindMatrix } = mesh;
      if (!skeleton.bones.some((bone) => indexOf.has(bone))) {
        throw new RangeError(
          `CharacterCrowd: the joints of ${JSON.stringify(mesh.name)} are not nodes of the humanoid. ` +
            'For a VRM of three-vrm, set autoUpdateHumanBones of vrm.humanoid to false before createHumanoid.',
        );
      }
      skeleton.bones.forEach((bone, k) => {
        // A joint outside of the model stays where the root is.
        joints.push(indexOf.get(bone) ?? 0);
        inverseBind.push(...new Matrix4().multiplyMatrices(skeleton.boneInverses[k], bindMatrix).elements);
      });
    } else {
      // A rigid mesh is skinned to the node that it is, or to the nearest one above.
      const fromNode = new Matrix4();
      let at: Object3D = mesh;
      for (; !indexOf.has(at) && at.parent !== null && at !== root; at = at.parent) {
        at.updateMatrix();
        fromNode.premultiply(at.matrix);
      }
      joints.push(indexOf.get(at) ?? 0);
      inverseBind.push(...fromNode.elements);
    }
    parts.push({ mesh, firstJoint, jointCount: joints.length - firstJoint });
  }
  const issues =
    dropped.length === 0
      ? []
      : [
          issue(
            'CROWD_PARTS_DROPPED',
            `A crowd does not show ${dropped.join(', ')}. Show these characters with a CharacterMixer.`,
          ),
        ];
  return { parts, model: { humanoid, skin: { joints, inverseBind } }, issues };
}
