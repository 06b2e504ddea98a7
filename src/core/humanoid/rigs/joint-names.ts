import { BONES } from '../bones.ts';
import { expandConvention } from '../mapping/by-name/convention-names.ts';
import type { ConventionName } from '../mapping/by-name/conventions.ts';

/** The convention of each set of names; `rigify` are the deform bones, as vertex groups of Blender name them. */
const CONVENTIONS_OF_NAMES = {
  mixamo: 'mixamo',
  ue5: 'unreal_ue5_manny_metahuman',
  unity: 'unity_human_body_bones',
  vrm: 'vrm1',
  humanik: 'humanik_motionbuilder',
  rigify: 'rigify_def',
} as const satisfies Readonly<Record<string, ConventionName>>;

/** A set of names that joints can get. */
export type JointNaming = keyof typeof CONVENTIONS_OF_NAMES;

export const JOINT_NAMINGS: readonly JointNaming[] = Object.keys(CONVENTIONS_OF_NAMES) as JointNaming[];

/**
 * Gives the nodes of bones the names of a convention. Other nodes keep theirs, and so do bones that the convention does not name. A name that
 * another node keeps gets a number. `nodes`: node of every bone, −1 without; in the order of BONES.
 */
export function renameBones(names: readonly string[], nodes: ArrayLike<number>, naming: JointNaming): string[] {
  const wanted = expandConvention(CONVENTIONS_OF_NAMES[naming]);
  const renamed = [...names];
  const isRenamed = (bone: number): boolean => nodes[bone] >= 0 && wanted[BONES[bone]] !== undefined;
  const bones = Array.from(BONES.keys()).filter(isRenamed);
  const renamedNodes = new Set(bones.map((bone) => nodes[bone]));
  const taken = new Set(names.filter((_, node) => !renamedNodes.has(node)));
  for (const bone of bones) {
    const [name] = wanted[BONES[bone]] as string[];
    let unique = name;
    for (let count = 2; taken.has(unique); count++) unique = `${name}_${count}`;
    taken.add(unique);
    renamed[nodes[bone]] = unique;
  }
  return renamed;
}
