/**
 * EXT_skeleton_humanoid, "Animation definition": channels that name a bone instead of a node, and the bodies that they are for. A file may have the motions
 * of several bodies: their hips were at different heights.
 */
import type { AssetSkeleton } from '../../../core/asset/asset.ts';
import { BONE, BONE_MIRRORS, isBoneName } from '../../../core/humanoid/bones.ts';
import type { HumanoidClip } from '../../../core/humanoid/humanoid-clip.ts';
import { type PortableBody, portableBody } from '../../../core/humanoid/portable-body.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { GltfDocument } from '../document.ts';
import { arrayAt, isObject, type JsonObject, memberAt, nameOfValue } from '../schema.ts';
import { EXT_SKELETON_HUMANOID } from './ext-skeleton-humanoid.ts';

/** What `extras.unit` is in the files that we write, and the only unit that is read. */
const UNIT = 'meter';

/** Bodies times animations: more is an attack. */
const MAX_BODIES = 1_000_000;

/** A body that humanoid channels of a file are for. */
export interface ClipBody {
  readonly body: PortableBody;
  readonly restHipsHeight: number | null;
}

/** The bodies of the humanoid channels of a file. */
export interface ClipBodies {
  readonly bodies: readonly ClipBody[];
  /** Index of the body per animation, −1 where it has no humanoid channels. */
  readonly ofAnimation: Int32Array;
}

/** The extension of a channel's target; undefined without. */
export function humanoidTarget(target: JsonObject): unknown {
  const extensions = memberAt(target, 'extensions');
  return isObject(extensions) ? memberAt(extensions, EXT_SKELETON_HUMANOID) : undefined;
}

/** The bone that the extension of a target names, an index of BONES; −1 when it names none. */
export function boneOfTarget(extension: unknown): number {
  const name = isObject(extension) ? memberAt(extension, 'humanoidBoneName') : undefined;
  return typeof name === 'string' && isBoneName(name) ? BONE[name] : -1;
}

/** Bones of the humanoid channels of an animation; what is no channel is not looked at. */
function bonesOf(animation: JsonObject): number[] {
  const channels = memberAt(animation, 'channels');
  if (!Array.isArray(channels)) return [];
  return channels.flatMap((channel: unknown) => {
    const target = isObject(channel) ? memberAt(channel, 'target') : undefined;
    const bone = isObject(target) ? boneOfTarget(humanoidTarget(target)) : -1;
    return bone < 0 ? [] : [bone];
  });
}

/** Height of the hips as an animation tells it; null where it does not. */
function heightOf(animation: JsonObject, pointer: string, issues: Issue[]): number | null {
  const extras = memberAt(animation, 'extras');
  const height = isObject(extras) ? memberAt(extras, 'restHipsHeight') : undefined;
  if (!isObject(extras) || height === undefined) return null;
  if (!(typeof height === 'number' && height > 0 && height < Number.POSITIVE_INFINITY)) {
    const message = `restHipsHeight is ${nameOfValue(height)}, expected a number above 0; the hips travel as far as in the motion`;
    issues.push(issue('EXT_CHANNEL', message, { pointer: `${pointer}/extras/restHipsHeight` }));
    return null;
  }
  const unit = memberAt(extras, 'unit');
  if (unit !== undefined && unit !== UNIT) {
    const message = `The unit of restHipsHeight is ${nameOfValue(unit)}, expected "${UNIT}"; lengths are taken as meters`;
    issues.push(issue('EXT_CHANNEL', message, { pointer: `${pointer}/extras/unit` }));
  }
  return height;
}

/** What an animation says about the body of its motion; nothing where the height is not known. */
export function extrasOfClip({ restHipsHeight }: HumanoidClip): JsonObject {
  return restHipsHeight === null ? {} : { extras: { restHipsHeight, unit: UNIT } };
}

/** Looks at the channels of all animations, not at their keys. FormatError GLTF_LIMIT. */
export function readClipBodies(doc: GltfDocument, issues: Issue[]): ClipBodies {
  const animations = arrayAt(doc.json, 'animations', '');
  const ofAnimation = new Int32Array(animations.length).fill(-1);
  const groups = new Map<number | null, { index: number; bones: Set<number> }>();
  animations.forEach((animation, k) => {
    const bones = isObject(animation) ? bonesOf(animation) : [];
    if (bones.length === 0) return;
    const height = heightOf(animation as JsonObject, `/animations/${k}`, issues);
    const group = groups.get(height) ?? { index: groups.size, bones: new Set() };
    groups.set(height, group);
    // Both sides: a motion may be mirrored.
    for (const bone of bones) group.bones.add(bone).add(BONE_MIRRORS[bone]);
    ofAnimation[k] = group.index;
    if (groups.size * animations.length > MAX_BODIES) {
      const message = `The humanoid channels of the file are for more than ${groups.size - 1} bodies, more than anyrig takes from one file`;
      throw new FormatError('GLTF_LIMIT', message, { pointer: '/animations' });
    }
  });
  const bodies = [...groups].map(([restHipsHeight, { bones }]) => {
    return { body: portableBody(bones, restHipsHeight), restHipsHeight };
  });
  return { bodies, ofAnimation };
}

/** The bodies as skeletons of the file, none of whose nodes is one of the file. Names differ from each other and from those taken. */
export function skeletonsOfBodies({ bodies }: ClipBodies, taken: readonly string[]): AssetSkeleton[] {
  const names = new Set(taken);
  return bodies.map(({ body: { skeleton, declared }, restHipsHeight }) => {
    const plain =
      bodies.length === 1 || restHipsHeight === null
        ? skeleton.name
        : `${skeleton.name}, hips at ${Number(restHipsHeight.toFixed(3))} m`;
    let name = plain;
    for (let n = 2; names.has(name); n++) name = `${plain} (${n})`;
    names.add(name);
    const sourceNodes = new Int32Array(skeleton.names.length).fill(-1);
    return { skeleton: { ...skeleton, name }, sourceNodes, declared, isPortable: true };
  });
}
