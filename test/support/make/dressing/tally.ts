/** Maps dressed rigs without names, and counts what comes out. */
import {
  BONE,
  BONE_COUNT,
  BONE_MIRRORS,
  BONES,
  isFingerBone,
  REQUIRED_BONES,
} from '../../../../src/core/humanoid/bones.ts';
import { type BoneMapping, mapBones } from '../../../../src/core/humanoid/mapping/map-bones.ts';
import { whyNotHumanoid } from '../../../../src/core/humanoid/mapping/why-not-humanoid.ts';
import type { Dressed } from './dress.ts';

/** Results of many dressed humanoids. */
export interface Tally {
  /** Bones with the expected node, and all bones; those of a refused rig are wrong. */
  required: number;
  allRequired: number;
  fingers: number;
  allFingers: number;
  /** Humanoids whose left limbs are mapped to the right without a LEFT_RIGHT_AMBIGUOUS. */
  readonly flipped: string[];
  readonly refused: string[];
}

/** Creates an empty tally. */
export const emptyTally = (): Tally => ({
  required: 0,
  allRequired: 0,
  fingers: 0,
  allFingers: 0,
  flipped: [],
  refused: [],
});

/** Maps a dressed rig as a file without names; null when it is refused. */
function mapDressed({ skeleton, clip }: Dressed): BoneMapping | null {
  const mapping = mapBones(skeleton, { motion: clip, explain: false });
  return whyNotHumanoid(skeleton, mapping.map, undefined, mapping.shapeRefusal) === null ? mapping : null;
}

/** Tests whether a dressed rig is mapped as a humanoid. */
export function isAccepted(dressed: Dressed): boolean {
  return mapDressed(dressed) !== null;
}

const LIMBS: readonly number[] = [BONE.leftHand, BONE.leftFoot, BONE.leftUpperArm, BONE.leftUpperLeg];

/** Maps a dressed humanoid and adds the result to a tally. A rig that does not show its front may be mirrored. */
export function addToTally(tally: Tally, dressed: Dressed): void {
  const { name, kinds, right } = dressed;
  const what = `${name}: ${kinds.join(', ')}`;
  const mapping = mapDressed(dressed);
  if (mapping === null) tally.refused.push(what);
  let nodes: ArrayLike<number> = mapping?.map.nodes ?? new Int32Array(BONE_COUNT).fill(-1);
  const isFlipped = LIMBS.some((bone) => nodes[bone] >= 0 && right[BONE_MIRRORS[bone]].includes(nodes[bone]));
  if (mapping !== null && isFlipped) {
    if (!mapping.issues.some(({ code }) => code === 'LEFT_RIGHT_AMBIGUOUS')) tally.flipped.push(what);
    else nodes = mapping.map.nodes.map((_, bone) => mapping.map.nodes[BONE_MIRRORS[bone]]);
  }
  for (const bone of REQUIRED_BONES) if (right[BONE[bone]].includes(nodes[BONE[bone]])) tally.required++;
  tally.allRequired += REQUIRED_BONES.length;
  for (const [bone, boneName] of BONES.entries()) {
    if (!isFingerBone(boneName) || (right[bone][0] < 0 && nodes[bone] < 0)) continue;
    tally.allFingers++;
    if (right[bone].includes(nodes[bone])) tally.fingers++;
  }
}
