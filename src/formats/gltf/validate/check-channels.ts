/** Animation channels that name a humanoid bone: EXT_skeleton_humanoid, "Animation definition". */
import { BONES, isBoneName } from '../../../core/humanoid/bones.ts';
import { closestNames } from '../../../core/report/closest-names.ts';
import { describeValue, isObject, memberAt } from '../document/json-access.ts';
import { extensionOf, isIndex, listOf, memberOf } from '../document/loose-json.ts';
import { EXT_SKELETON_HUMANOID } from '../extensions/ext-skeleton-humanoid.ts';
import { addIssue, type Validation } from './validation.ts';

interface HumanoidChannel {
  readonly animation: number;
  readonly channel: number;
  readonly bone: string;
  /** Index of the sampler; −1 where it does not exist. */
  readonly sampler: number;
}

const PATHS = ['rotation', 'translation', 'scale'];

/** The bone name of a target with the extension; null where it cannot be used. */
function checkBone(validation: Validation, extension: unknown, pointer: string): string | null {
  const where = `${pointer}/target/extensions/${EXT_SKELETON_HUMANOID}`;
  if (!isObject(extension)) {
    addIssue(
      validation,
      'EXT_SCHEMA',
      where,
      `The extension is ${describeValue(extension)}, expected an object with the member humanoidBoneName.`,
    );
    return null;
  }
  const name = memberAt(extension, 'humanoidBoneName');
  if (typeof name !== 'string') {
    addIssue(
      validation,
      'EXT_SCHEMA',
      `${where}/humanoidBoneName`,
      `humanoidBoneName is ${describeValue(name)}, expected the name of a humanoid bone.`,
    );
    return null;
  }
  if (isBoneName(name)) return name;
  const close = closestNames(name, BONES);
  const hint = close.length === 0 ? '' : ` Did you mean ${close.join(' or ')}?`;
  addIssue(
    validation,
    'EXT_BONE_UNKNOWN',
    `${where}/humanoidBoneName`,
    `humanoidBoneName is ${JSON.stringify(name)}, expected one of the ${BONES.length} bone names.${hint}`,
  );
  return null;
}

function checkPath(validation: Validation, path: unknown, bone: string, pointer: string): path is string {
  const where = `${pointer}/target/path`;
  if (typeof path !== 'string' || !PATHS.includes(path)) {
    addIssue(
      validation,
      'EXT_CHANNEL_PATH',
      where,
      `The path is ${describeValue(path)}, expected rotation, translation or scale.`,
    );
    return false;
  }
  if (path === 'scale' || (path === 'translation' && bone !== 'hips')) {
    addIssue(
      validation,
      'EXT_CHANNEL_UNUSUAL',
      where,
      `The channel animates the ${path} of ${bone}, which depends on the proportions of the character. Only rotations and the hips translation transfer to other characters; remove this channel.`,
    );
  }
  return true;
}

/** Humanoid channels of one animation; adds an issue for every violation. */
function checkAnimation(validation: Validation, animation: unknown, index: number): HumanoidChannel[] {
  const samplerCount = listOf(animation, 'samplers').length;
  const humanoid: HumanoidChannel[] = [];
  const plainSamplers = new Set<number>();
  const users = new Map<string, number>();
  for (const [k, channel] of listOf(animation, 'channels').entries()) {
    const pointer = `/animations/${index}/channels/${k}`;
    const target = memberOf(channel, 'target');
    if (!isObject(channel) || !isObject(target)) continue;
    const extension = extensionOf(target, EXT_SKELETON_HUMANOID);
    const named = memberAt(channel, 'sampler');
    const sampler = isIndex(named, samplerCount) ? named : -1;
    if (extension === undefined) {
      plainSamplers.add(sampler);
      continue;
    }
    const bone = checkBone(validation, extension, pointer);
    if (memberAt(target, 'node') !== undefined) {
      addIssue(
        validation,
        'EXT_CHANNEL_NODE',
        `${pointer}/target/node`,
        'The humanoid channel also has target.node. Players without the extension would apply its relative rotations as absolute ones. Remove target.node.',
      );
    }
    const path = memberAt(target, 'path');
    if (!checkPath(validation, path, bone ?? '', pointer) || bone === null) continue;
    const key = `${bone} ${path}`;
    const former = users.get(key);
    if (former !== undefined) {
      addIssue(
        validation,
        'EXT_CHANNEL_REPEATED',
        `${pointer}/target`,
        `Channel ${former} already animates the ${path} of ${bone}. Remove one of the two channels.`,
      );
    } else users.set(key, k);
    humanoid.push({ animation: index, channel: k, bone, sampler });
  }
  for (const { channel, sampler } of humanoid) {
    if (sampler < 0 || !plainSamplers.has(sampler)) continue;
    addIssue(
      validation,
      'EXT_SAMPLER_SHARED',
      `/animations/${index}/channels/${channel}/sampler`,
      `Sampler ${sampler} is also used by a channel without the extension, but its keys cannot be both relative and absolute. Give each channel its own sampler.`,
    );
  }
  return humanoid;
}

export function checkChannels(validation: Validation): HumanoidChannel[] {
  return listOf(validation.doc.json, 'animations').flatMap((animation, index) =>
    checkAnimation(validation, animation, index),
  );
}
