/** Animation channels that name a humanoid bone: EXT_skeleton_humanoid, "Animation definition". */
import { BONES, isBoneName } from '../../../core/humanoid/bones.ts';
import { closestNames } from '../../../core/report/closest-names.ts';
import { EXT_SKELETON_HUMANOID } from '../extensions/ext-skeleton-humanoid.ts';
import { isObject, type JsonObject, memberAt, nameOfValue } from '../schema.ts';
import { extensionOf, type Findings, listOf, note } from './findings.ts';

/** A humanoid channel that can be looked at further. */
export interface HumanoidChannel {
  readonly animation: number;
  readonly channel: number;
  readonly bone: string;
  readonly path: string;
  /** Index of the sampler; −1 where it is none. */
  readonly sampler: number;
}

const PATHS = ['rotation', 'translation', 'scale'];

interface Channels {
  readonly list: readonly unknown[];
  readonly samplers: readonly unknown[];
  readonly pointer: string;
}

function channelsOf(animation: JsonObject, index: number): Channels {
  const list = memberAt(animation, 'channels');
  const samplers = memberAt(animation, 'samplers');
  return {
    list: Array.isArray(list) ? list : [],
    samplers: Array.isArray(samplers) ? samplers : [],
    pointer: `/animations/${index}`,
  };
}

function samplerOf(channel: JsonObject, { samplers }: Channels): number {
  const sampler = memberAt(channel, 'sampler');
  return Number.isSafeInteger(sampler) && (sampler as number) >= 0 && (sampler as number) < samplers.length
    ? (sampler as number)
    : -1;
}

/** The bone of a target with the extension; null when its name cannot be used. */
function checkBone(findings: Findings, extension: unknown, pointer: string): string | null {
  const where = `${pointer}/target/extensions/${EXT_SKELETON_HUMANOID}`;
  if (!isObject(extension)) {
    note(
      findings,
      'EXT_SCHEMA',
      where,
      `The extension is ${nameOfValue(extension)}, expected an object with humanoidBoneName.`,
    );
    return null;
  }
  const name = memberAt(extension, 'humanoidBoneName');
  if (typeof name !== 'string') {
    note(
      findings,
      'EXT_SCHEMA',
      `${where}/humanoidBoneName`,
      `humanoidBoneName is ${nameOfValue(name)}, expected the name of a bone.`,
    );
    return null;
  }
  if (isBoneName(name)) return name;
  const close = closestNames(name, BONES);
  const hint = close.length === 0 ? '' : `; did you mean ${close.join(' or ')}?`;
  note(
    findings,
    'EXT_BONE_UNKNOWN',
    `${where}/humanoidBoneName`,
    `${JSON.stringify(name)} is none of the bones${hint}`,
  );
  return null;
}

function checkPath(findings: Findings, path: unknown, bone: string, pointer: string): path is string {
  const where = `${pointer}/target/path`;
  if (typeof path !== 'string' || !PATHS.includes(path)) {
    note(
      findings,
      'EXT_CHANNEL_PATH',
      where,
      `The path is ${nameOfValue(path)}, expected rotation, translation or scale.`,
    );
    return false;
  }
  if (path === 'scale' || (path === 'translation' && bone !== 'hips')) {
    note(
      findings,
      'EXT_CHANNEL_UNUSUAL',
      where,
      `The ${path} of ${bone} belongs to the body that it was made for; in general only rotations, and the way of the hips, suit others.`,
    );
  }
  return true;
}

/** Channels of one animation that name a bone, with all that is wrong about them noted. */
function checkAnimation(findings: Findings, animation: JsonObject, index: number): HumanoidChannel[] {
  const channels = channelsOf(animation, index);
  const humanoid: HumanoidChannel[] = [];
  const plainSamplers = new Set<number>();
  const users = new Map<string, number>();
  for (const [k, channel] of channels.list.entries()) {
    const pointer = `${channels.pointer}/channels/${k}`;
    const target = isObject(channel) ? memberAt(channel, 'target') : undefined;
    if (!isObject(channel) || !isObject(target)) continue;
    const extension = extensionOf(target);
    const sampler = samplerOf(channel, channels);
    if (extension === undefined) {
      plainSamplers.add(sampler);
      continue;
    }
    const bone = checkBone(findings, extension, pointer);
    if (memberAt(target, 'node') !== undefined) {
      note(
        findings,
        'EXT_CHANNEL_NODE',
        `${pointer}/target/node`,
        'A humanoid channel names a node as well: players without the extension would show its relative rotations as absolute ones. Leave node out.',
      );
    }
    if (sampler < 0) {
      const found = nameOfValue(memberAt(channel, 'sampler'));
      note(
        findings,
        'ANIMATION_SAMPLER',
        `${pointer}/sampler`,
        `The sampler is ${found}, but the animation has ${channels.samplers.length} samplers.`,
      );
    }
    const path = memberAt(target, 'path');
    if (!checkPath(findings, path, bone ?? '', pointer) || bone === null) continue;
    const key = `${bone} ${path}`;
    const former = users.get(key);
    if (former !== undefined) {
      note(
        findings,
        'EXT_CHANNEL_REPEATED',
        `${pointer}/target`,
        `Channel ${former} animates the ${path} of ${bone} already.`,
      );
    } else users.set(key, k);
    humanoid.push({ animation: index, channel: k, bone, path, sampler });
  }
  for (const { channel, sampler } of humanoid) {
    if (sampler < 0 || !plainSamplers.has(sampler)) continue;
    note(
      findings,
      'EXT_SAMPLER_SHARED',
      `${channels.pointer}/channels/${channel}/sampler`,
      `Sampler ${sampler} is used by a channel without the extension as well; its keys cannot be relative and absolute.`,
    );
  }
  return humanoid;
}

/** Checks all humanoid channels of the file. */
export function checkChannels(findings: Findings): HumanoidChannel[] {
  return listOf(findings, 'animations').flatMap((animation, index) =>
    isObject(animation) ? checkAnimation(findings, animation, index) : [],
  );
}

/** Whether any channel target of the file has the extension, right or wrong. */
export function hasHumanoidTargets(findings: Findings): boolean {
  return listOf(findings, 'animations').some((animation, index) => {
    if (!isObject(animation)) return false;
    return channelsOf(animation, index).list.some((channel) => {
      const target = isObject(channel) ? memberAt(channel, 'target') : undefined;
      return isObject(target) && extensionOf(target) !== undefined;
    });
  });
}
