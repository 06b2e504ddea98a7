/** Samplers of humanoid channels: glTF 2.0 sections 3.11, 5.8 and Appendix C. */
import { accessorInfo, readFloats } from '../accessors/accessor.ts';
import { describeValue, isObject, type JsonObject, memberAt } from '../document/json-access.ts';
import type { HumanoidChannel } from './check-channels.ts';
import { addIssue, attempt, faultOf, isIndexOf, itemOf, type Validation } from './validation.ts';

/** Tolerance for the length of a rotation. The coarsest encoding that glTF allows, bytes, is off by up to 2 · 1/254. */
const UNIT_LENGTH = 8e-3;

/**
 * Checks that times are finite, non-negative and strictly increasing: sections 3.11 and 5.8. Number of keys; undefined
 * where they cannot be read.
 */
function checkInput(validation: Validation, sampler: JsonObject, pointer: string): number | undefined {
  const input = memberAt(sampler, 'input');
  const where = `${pointer}/input`;
  if (!isIndexOf(validation, 'accessors', input)) {
    addIssue(
      validation,
      'ANIMATION_SAMPLER',
      where,
      `The input is ${describeValue(input)}, expected the index of an accessor.`,
    );
    return undefined;
  }
  return attempt(validation, 'ANIMATION_SAMPLER', where, () => {
    const { type, componentType, count } = accessorInfo(validation.doc, input);
    if (type !== 'SCALAR' || componentType !== 5126) {
      addIssue(
        validation,
        'ANIMATION_TIMES',
        where,
        `Key times are ${type} of component type ${componentType}, expected SCALAR of 5126 (float).`,
      );
      return undefined;
    }
    const accessor = itemOf(validation, 'accessors', input) ?? {};
    if (!Array.isArray(memberAt(accessor, 'min')) || !Array.isArray(memberAt(accessor, 'max'))) {
      addIssue(
        validation,
        'ANIMATION_TIMES',
        `/accessors/${input}`,
        'The accessor of the key times lacks min or max. Both are required, as players read the duration from max.',
      );
    }
    const fault = faultOf(validation, `times ${input}`, () => timeFault(readFloats(validation.doc, input)));
    if (fault !== null) addIssue(validation, 'ANIMATION_TIMES', `/accessors/${input}`, fault);
    return count;
  });
}

function timeFault(times: Float32Array): string | null {
  const wrong = times.findIndex(
    (time, key) => !(time >= 0 && (key === 0 || time > times[key - 1])) || time === Infinity,
  );
  if (wrong < 0) return null;
  return `Key ${wrong} is at ${times[wrong]} s. Key times must be finite, non-negative and strictly increasing.`;
}

function rotationFault(values: Float32Array, isCubic: boolean): string | null {
  const stride = isCubic ? 12 : 4;
  for (let at = isCubic ? 4 : 0; at < values.length; at += stride) {
    const length = Math.hypot(values[at], values[at + 1], values[at + 2], values[at + 3]);
    if (Math.abs(length - 1) <= UNIT_LENGTH) continue;
    return `The rotation of key ${Math.floor(at / stride)} has length ${length.toPrecision(4)}, expected 1.`;
  }
  return null;
}

function valueFault(values: Float32Array, isRotation: boolean, isCubic: boolean): string | null {
  if (!values.every(Number.isFinite)) return 'The output has a value that is NaN or infinite, expected finite numbers.';
  return isRotation ? rotationFault(values, isCubic) : null;
}

function checkOutput(
  validation: Validation,
  sampler: JsonObject,
  pointer: string,
  path: string,
  keys: number | undefined,
  isCubic: boolean,
): void {
  const output = memberAt(sampler, 'output');
  const where = `${pointer}/output`;
  if (!isIndexOf(validation, 'accessors', output)) {
    addIssue(
      validation,
      'ANIMATION_SAMPLER',
      where,
      `The output is ${describeValue(output)}, expected the index of an accessor.`,
    );
    return;
  }
  attempt(validation, 'ANIMATION_SAMPLER', where, () => {
    const { type, count } = accessorInfo(validation.doc, output);
    const wanted = path === 'rotation' ? 'VEC4' : 'VEC3';
    if (type !== wanted) {
      addIssue(
        validation,
        'ANIMATION_VALUES',
        where,
        `The values of a ${path} channel are ${type}, expected ${wanted}.`,
      );
      return;
    }
    const needed = keys === undefined ? count : keys * (isCubic ? 3 : 1);
    if (count !== needed) {
      addIssue(
        validation,
        'ANIMATION_VALUES',
        where,
        `The sampler has ${count} values for ${keys} keys, expected ${needed}.`,
      );
      return;
    }
    const isRotation = path === 'rotation';
    const key = `${isCubic ? 'cubic' : 'plain'} ${isRotation ? 'rotations' : 'values'} ${output}`;
    const fault = faultOf(validation, key, () => valueFault(readFloats(validation.doc, output), isRotation, isCubic));
    if (fault !== null) addIssue(validation, 'ANIMATION_VALUES', where, fault);
  });
}

function checkSampler(validation: Validation, sampler: JsonObject, pointer: string, path: string): void {
  const interpolation = memberAt(sampler, 'interpolation') ?? 'LINEAR';
  if (typeof interpolation !== 'string' || !['STEP', 'LINEAR', 'CUBICSPLINE'].includes(interpolation)) {
    addIssue(
      validation,
      'ANIMATION_SAMPLER',
      `${pointer}/interpolation`,
      `The interpolation is ${describeValue(interpolation)}, expected STEP, LINEAR or CUBICSPLINE.`,
    );
    return;
  }
  const isCubic = interpolation === 'CUBICSPLINE';
  const keys = checkInput(validation, sampler, pointer);
  if (isCubic && keys !== undefined && keys < 2) {
    addIssue(
      validation,
      'ANIMATION_TIMES',
      `${pointer}/input`,
      `The CUBICSPLINE sampler has ${keys} key, expected at least 2.`,
    );
  }
  checkOutput(validation, sampler, pointer, path, keys, isCubic);
}

/**
 * Checks every sampler that humanoid channels use, each once per path.
 *
 * @param validation The running validation.
 * @param channels The humanoid channels.
 */
export function checkSamplers(validation: Validation, channels: readonly HumanoidChannel[]): void {
  const done = new Set<string>();
  for (const { animation, sampler, path } of channels) {
    const key = `${animation} ${sampler} ${path}`;
    if (sampler < 0 || done.has(key)) continue;
    done.add(key);
    const samplers = memberAt(itemOf(validation, 'animations', animation) ?? {}, 'samplers');
    const found = Array.isArray(samplers) ? samplers[sampler] : undefined;
    const pointer = `/animations/${animation}/samplers/${sampler}`;
    if (isObject(found)) checkSampler(validation, found, pointer, path);
    else
      addIssue(validation, 'ANIMATION_SAMPLER', pointer, `The sampler is ${describeValue(found)}, expected an object.`);
  }
}
