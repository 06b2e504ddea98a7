import { BONE } from '../../../src/core/humanoid/bones.ts';
import type { Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import type { makeCharacter } from '../../../src/demo/characters/make-character.ts';

/** Returns a rig that is exported whole: its controls, and beside them the nodes that move the skin; below one root, or the limbs below the controls. */
export function withControls(
  { skeleton, bones }: ReturnType<typeof makeCharacter>,
  [control, deforming]: readonly [control: (name: string) => string, deforming: (name: string) => string],
  isSplit: boolean,
): { rig: Skeleton; own: Int32Array; moves: Uint8Array } {
  const count = skeleton.names.length;
  const limbs = new Set(
    [BONE.leftUpperLeg, BONE.rightUpperLeg, BONE.leftShoulder, BONE.rightShoulder].map((bone) => bones[bone]),
  );
  const plainNames = skeleton.names.map((name) => name.replace('mixamorig:', ''));
  const parents = Array.from(skeleton.parents, (parent, node) =>
    parent < 0 ? 0 : parent + 1 + (isSplit && limbs.has(node) ? 0 : count),
  );
  const rig: Skeleton = {
    name: 'rig',
    names: ['rig', ...plainNames.map(control), ...plainNames.map(deforming)],
    parents: Int32Array.from([-1, ...skeleton.parents.map((parent) => parent + 1), ...parents]),
    rest: Float64Array.from([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, ...skeleton.rest, ...skeleton.rest]),
    bind: null,
    joints: new Uint8Array(2 * count + 1).fill(1, 1),
  };
  const moves = Uint8Array.from(rig.names, (_, node) => (node > count ? 1 : 0));
  return { rig, own: bones.map((node) => (node < 0 ? -1 : 1 + count + node)), moves };
}
