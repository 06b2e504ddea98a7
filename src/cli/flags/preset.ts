/** Presets: the options, bone maps and poses of a pair as JSON. */
import { dirname, resolve } from 'node:path';
import type { BoneAssignments } from '../../core/humanoid/humanoid.ts';
import { decodeText } from '../../core/text/decode-text.ts';
import { isObject } from '../../core/text/is-object.ts';
import { readInputSync } from '../../files/node/read-input.ts';
import { OptionError } from '../../files/option-error.ts';
import { checkMotionOptions, type MotionOptions, motionValuesOf } from '../../files/options/motion-options.ts';
import { UsageError } from '../errors/cli-errors.ts';
import { blame } from '../open-input.ts';
import { type HumanoidFlags, isNamedPose } from './read-options.ts';

export interface Preset {
  readonly values: Partial<MotionOptions>;
  readonly source: HumanoidFlags;
  readonly target: HumanoidFlags;
}

const NO_SIDE: HumanoidFlags = { map: undefined, skeleton: undefined, pose: undefined };

export const NO_PRESET: Preset = { values: {}, source: NO_SIDE, target: NO_SIDE };

/** Reads `source` or `target`: a bone map as a file or as in one, a skeleton, a pose. Files are relative to the preset. */
function readSide(value: unknown, name: string, path: string): HumanoidFlags {
  if (value === undefined) return NO_SIDE;
  const found = (what: string): UsageError => new UsageError(`The preset ${path} has ${what}`);
  if (!isObject(value)) throw found(`"${name}": ${JSON.stringify(value)}; expected an object with map, skeleton, pose`);
  const { map, skeleton, pose, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw found(`the unknown field "${name}.${unknown}"; expected map, skeleton, pose`);
  if (map !== undefined && typeof map !== 'string' && !isObject(map))
    throw found(`"${name}.map": ${JSON.stringify(map)}; expected a file, or an object with the node of each bone`);
  if (skeleton !== undefined && typeof skeleton !== 'string' && typeof skeleton !== 'number')
    throw found(`"${name}.skeleton": ${JSON.stringify(skeleton)}; expected a name or an index`);
  if (pose !== undefined && typeof pose !== 'string')
    throw found(`"${name}.pose": ${JSON.stringify(pose)}; expected text, as of --${name}-pose`);
  const [, exact = '', file = ''] = /^(exact:)?(.*)$/s.exec(pose ?? '') ?? [];
  const isFile = pose !== undefined && !isNamedPose(pose);
  return {
    map: typeof map === 'string' ? resolve(dirname(path), map) : (map as BoneAssignments | undefined),
    skeleton: skeleton === undefined ? undefined : String(skeleton),
    pose: isFile ? exact + resolve(dirname(path), file) : pose,
  };
}

/** Reads a preset. Throws UsageError for text that is not JSON, and for unknown or wrong fields; InputError when it cannot be read. */
export function readPreset(path: string): Preset {
  const { text } = blame(path, () => decodeText(readInputSync(path), 'FORMAT_UNKNOWN'));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`The preset ${path} is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(value)) throw new UsageError(`The preset ${path} has no object at its root; expected options`);
  try {
    checkMotionOptions(value);
  } catch (error) {
    if (error instanceof OptionError) throw new UsageError(`The preset ${path}: ${error.message}`);
    throw error;
  }
  const { source, target } = value;
  return {
    values: motionValuesOf(value),
    source: readSide(source, 'source', path),
    target: readSide(target, 'target', path),
  };
}
