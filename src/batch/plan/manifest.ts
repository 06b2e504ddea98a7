import { isObject } from '../../core/text/is-object.ts';
import { OptionError } from '../../files/option-error.ts';
import { checkMotionOptions, checkOpenOptions } from '../../files/options/motion-options.ts';
import type { BatchOptions } from './batch-task.ts';
import type { BatchPair, BatchRequest } from './plan-batch.ts';

/** Options of jobs that a batch decides itself. */
const OWN_OPTIONS = ['output', 'vrma', 'vrm', 'meta', 'outputKeys', 'humanoid', 'signal', 'onProgress'] as const;

function fail(what: string, expected: string): never {
  throw new OptionError('manifest', `The manifest has ${what}; expected ${expected}`);
}

function checkKeys(value: Record<string, unknown>, known: readonly string[], where: string): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) fail(`the unknown field ${JSON.stringify(unknown)} in ${where}`, known.join(', '));
}

function paths(value: unknown, field: string): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  return fail(`${field}: ${JSON.stringify(value)}`, `a list of paths as "${field}"`);
}

function optionsOf(value: unknown, where: string): BatchOptions {
  if (value === undefined) return {};
  if (!isObject(value)) return fail(`${where}: ${JSON.stringify(value)}`, 'an object with options');
  const own = OWN_OPTIONS.find((name) => name in value);
  if (own !== undefined) fail(`the unknown field ${JSON.stringify(own)} in ${where}`, 'options of a motion');
  try {
    const { frameRate, up, ...others } = value;
    checkOpenOptions({ frameRate, up });
    checkMotionOptions(others);
  } catch (error) {
    throw error instanceof OptionError ? new OptionError('manifest', `In ${where}: ${error.message}`) : error;
  }
  return value;
}

function pairOf(value: unknown, k: number): BatchPair {
  const where = `pairs[${k}]`;
  if (!isObject(value) || typeof value['motion'] !== 'string' || typeof value['character'] !== 'string')
    return fail(`${where}: ${JSON.stringify(value)}`, 'an object with "motion" and "character"');
  checkKeys(value, ['motion', 'character', 'options'], where);
  const { motion, character, options } = value;
  return { motion, character, ...(options === undefined ? {} : { options: optionsOf(options, `${where}.options`) }) };
}

/** Reads a manifest. Throws OptionError (`manifest`) for text that is not JSON, and for unknown or wrong fields. */
export function parseManifest(text: string): Required<Omit<BatchRequest, 'mode' | 'format'>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new OptionError('manifest', `The manifest is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(value)) return fail('no object at its root', 'an object with motions, characters, pairs, options');
  checkKeys(value, ['motions', 'characters', 'pairs', 'options'], 'its root');
  const pairs = value['pairs'] ?? [];
  if (!Array.isArray(pairs)) return fail('pairs of another type', 'a list of objects as "pairs"');
  return {
    motions: paths(value['motions'], 'motions'),
    characters: paths(value['characters'], 'characters'),
    pairs: pairs.map(pairOf),
    options: optionsOf(value['options'], 'options'),
  };
}
