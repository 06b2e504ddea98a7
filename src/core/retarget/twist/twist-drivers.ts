import type { Humanoid } from '../../humanoid/humanoid.ts';
import * as quat from '../../math/quat.ts';
import type { HelperNames } from '../helper-names.ts';
import { referenceParentRotation } from '../node-transforms.ts';
import { type TwistRegion, transformIn } from './twist-region.ts';

/** A rotation that nodes of a region take a fraction of: `Δ = before · q · after`, q the local rotation of the bone. */
export interface TwistDriver {
  /** Index in BONES of the bone that is read. */
  readonly bone: number;
  /** Left factor of Δ, xyzw. */
  readonly before: Float64Array;
  /** Right factor of Δ, xyzw. */
  readonly after: Float64Array;
  /** Unit axis of the twist; null takes the whole rotation. */
  readonly axis: Float64Array | null;
}

export interface TwistCharacter {
  /** The target; its rest is what a player shows. */
  readonly target: Humanoid;
  /** Bone of each node, −1 for none. */
  readonly boneOfNode: Int16Array;
  /** What the node names say. */
  readonly names: HelperNames;
  /** True for nodes that can deform vertices: joints of a skin; every node if the skeleton has no skin. */
  readonly isUsable: (node: number) => boolean;
}

/**
 * Creates the driver for the rotation of a child bone, in the axes of the bone of the region. `axis`: unit axis to take only the twist about it;
 * null takes the whole rotation.
 */
export function childBoneDriver(
  character: TwistCharacter,
  region: TwistRegion,
  bone: number,
  axis: Float64Array | null,
): TwistDriver {
  const { target } = character;
  const { rotations } = target.reference;
  const after = quat.conjugated(rotations, 4 * bone);
  quat.multiply(after, 0, after, 0, rotations, 4 * region.bone);
  const { rotation } = transformIn(region, target.skeleton.parents[target.map.nodes[bone]]);
  return { bone, before: rotation, after, axis };
}

/** Creates the driver for the twist of the bone of the region itself against the bone above it, in its own axes. `axis`: unit axis of the twist. */
export function ownBoneDriver(character: TwistCharacter, region: TwistRegion, axis: Float64Array): TwistDriver {
  const { target, boneOfNode } = character;
  const before = new Float64Array(4);
  referenceParentRotation(before, target, boneOfNode, region.boneNode);
  quat.conjugate(before, 0, before, 0);
  quat.multiply(before, 0, before, 0, target.reference.rotations, 4 * region.bone);
  return { bone: region.bone, before: quat.conjugated(before), after: Float64Array.of(0, 0, 0, 1), axis };
}
