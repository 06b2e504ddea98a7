/**
 * EXT_skeleton_humanoid, "Animation definition": animation channels that name a bone instead of a node, and the
 * canonical rigs that they animate. One file may hold motions recorded with different hips heights.
 */
import type { AssetSkeleton } from '../../../core/asset/asset.ts';
import { BONE, BONE_MIRRORS, isBoneName } from '../../../core/humanoid/bones.ts';
import { type CanonicalRig, createCanonicalRig } from '../../../core/humanoid/canonical-rig.ts';
import type { HumanoidClip } from '../../../core/humanoid/humanoid-clip.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { GltfDocument } from '../document/document.ts';
import { arrayAt, describeValue, isObject, type JsonObject } from '../document/json-access.ts';
import { extensionOf, listOf, memberOf, textOf } from '../document/loose-json.ts';
import { EXT_SKELETON_HUMANOID } from './ext-skeleton-humanoid.ts';

/** The only value of `extras.unit` that is written and read. Part of the file format, hence not the American spelling. */
const UNIT = 'metre';

/** Rigs times animations; a larger file is treated as an attack. */
const MAX_RIGS = 1_000_000;

export interface ChannelRigs {
  /** One rig per distinct hips height above the ground in the reference pose, meters; null where the file does not declare it. */
  readonly rigs: readonly { readonly rig: CanonicalRig; readonly restHipsHeight: number | null }[];
  /** Index of the rig per animation, −1 for animations without humanoid channels. */
  readonly rigOfAnimation: Int32Array;
}

/**
 * Gets the EXT_skeleton_humanoid object of a channel target. Returns the raw extension value, which may be anything; undefined where the target has
 * none.
 */
export function humanoidTarget(target: unknown): unknown {
  return extensionOf(target, EXT_SKELETON_HUMANOID);
}

export function boneOfTarget(extension: unknown): number {
  const name = textOf(extension, 'humanoidBoneName');
  return isBoneName(name) ? BONE[name] : -1;
}

/** Bones of the humanoid channels of an animation. Malformed channels are skipped. */
function bonesOf(animation: JsonObject): number[] {
  return listOf(animation, 'channels')
    .map((channel) => boneOfTarget(humanoidTarget(memberOf(channel, 'target'))))
    .filter((bone) => bone >= 0);
}

/** Least and greatest hips height, meters: all translations of a rig of this size are in the range of anyrig. */
const HEIGHTS: readonly [least: number, greatest: number] = [1e-9, 1e9];

/** Hips height that an animation declares, meters; null where it declares none. */
function heightOf(animation: JsonObject, pointer: string, issues: Issue[]): number | null {
  const height = memberOf(animation, 'extras', 'restHipsHeight');
  if (height === undefined) return null;
  if (!(typeof height === 'number' && height >= HEIGHTS[0] && height <= HEIGHTS[1])) {
    const message = `restHipsHeight is ${describeValue(height)}, expected a number from ${HEIGHTS[0]} to ${HEIGHTS[1]}. The hips translation was not scaled.`;
    issues.push(issue('EXT_CHANNEL', message, { pointer: `${pointer}/extras/restHipsHeight` }));
    return null;
  }
  const unit = memberOf(animation, 'extras', 'unit');
  if (unit !== undefined && unit !== UNIT) {
    const message = `The unit of restHipsHeight is ${describeValue(unit)}, expected "${UNIT}". Lengths were read as meters.`;
    issues.push(issue('EXT_CHANNEL', message, { pointer: `${pointer}/extras/unit` }));
  }
  return height;
}

/**
 * Builds the `extras` of an animation that record the hips height of its motion. Returns `{ restHipsHeight, unit }`, or an empty object where the
 * height is unknown.
 */
export function extrasOfClip({ restHipsHeight }: HumanoidClip): JsonObject {
  return restHipsHeight === null ? {} : { restHipsHeight, unit: UNIT };
}

/**
 * Groups the humanoid channels of all animations by hips height and creates one canonical rig per group. Key data is not read. `issues` receives
 * EXT_CHANNEL for an invalid height or unit. Throws FormatError GLTF_LIMIT for too many different hips heights.
 */
export function readChannelRigs(doc: GltfDocument, issues: Issue[]): ChannelRigs {
  const animations = arrayAt(doc.json, 'animations', '');
  const rigOfAnimation = new Int32Array(animations.length).fill(-1);
  const groups = new Map<number | null, { index: number; bones: Set<number> }>();
  animations.forEach((animation, k) => {
    const bones = isObject(animation) ? bonesOf(animation) : [];
    if (bones.length === 0) return;
    const height = heightOf(animation as JsonObject, `/animations/${k}`, issues);
    const group = groups.get(height) ?? { index: groups.size, bones: new Set() };
    groups.set(height, group);
    // Both sides, so that the motion can be mirrored.
    for (const bone of bones) group.bones.add(bone).add(BONE_MIRRORS[bone]);
    rigOfAnimation[k] = group.index;
    if (groups.size * animations.length > MAX_RIGS) {
      const message = `The humanoid channels of the file declare more than ${groups.size - 1} different hips heights, which exceeds the limit for one file. Split the animations into several files.`;
      throw new FormatError('GLTF_LIMIT', message, { pointer: '/animations' });
    }
  });
  const rigs = [...groups].map(([restHipsHeight, { bones }]) => {
    return { rig: createCanonicalRig(bones, restHipsHeight), restHipsHeight };
  });
  return { rigs, rigOfAnimation };
}

/** Lists the rigs as skeletons of the asset. Their nodes do not exist in the file. */
export function skeletonsOfRigs({ rigs }: ChannelRigs, taken: readonly string[]): AssetSkeleton[] {
  const names = new Set(taken);
  return rigs.map(({ rig: { skeleton, declared }, restHipsHeight }): AssetSkeleton => {
    const plain =
      rigs.length === 1 || restHipsHeight === null
        ? skeleton.name
        : `${skeleton.name}, hips at ${Number(restHipsHeight.toFixed(3))} m`;
    let name = plain;
    for (let n = 2; names.has(name); n++) name = `${plain} (${n})`;
    names.add(name);
    const sourceNodes = new Int32Array(skeleton.names.length).fill(-1);
    return { skeleton: { ...skeleton, name }, sourceNodes, declared, isCanonicalRig: true };
  });
}
