/** Samplers that humanoid channels rest on: glTF 2.0 sections 3.11, 5.8 and Appendix C. */
import { accessorInfo, readFloats } from '../accessor.ts';
import { isObject, type JsonObject, memberAt, nameOfValue } from '../schema.ts';
import type { HumanoidChannel } from './check-channels.ts';
import { attempt, type Findings, isIndexOf, itemOf, note } from './findings.ts';

/** How far the length of a rotation may be off 1: bytes, the coarsest form that glTF allows, miss by 2 · 1/254. */
const UNIT_LENGTH = 8e-3;

/** Rising finite times from 0 on: section 3.11 and 5.8. Gives the number of keys; undefined when it cannot be read. */
function checkInput(findings: Findings, sampler: JsonObject, pointer: string): number | undefined {
  const input = memberAt(sampler, 'input');
  const where = `${pointer}/input`;
  if (!isIndexOf(findings, 'accessors', input)) {
    note(
      findings,
      'ANIMATION_SAMPLER',
      where,
      `The input is ${nameOfValue(input)}, expected the index of an accessor.`,
    );
    return undefined;
  }
  return attempt(findings, 'ANIMATION_SAMPLER', where, () => {
    const { type, componentType } = accessorInfo(findings.doc, input);
    if (type !== 'SCALAR' || componentType !== 5126) {
      note(
        findings,
        'ANIMATION_TIMES',
        where,
        `Key times are ${type} of component type ${componentType}, expected SCALAR of 5126 (float).`,
      );
      return undefined;
    }
    const accessor = itemOf(findings, 'accessors', input) ?? {};
    if (!Array.isArray(memberAt(accessor, 'min')) || !Array.isArray(memberAt(accessor, 'max'))) {
      note(
        findings,
        'ANIMATION_TIMES',
        `/accessors/${input}`,
        'Key times have no min and max; players take the duration from there.',
      );
    }
    const times = readFloats(findings.doc, input);
    const wrong = times.findIndex(
      (time, key) => !(time >= 0 && (key === 0 || time > times[key - 1])) || time === Infinity,
    );
    if (wrong >= 0) {
      note(
        findings,
        'ANIMATION_TIMES',
        `/accessors/${input}`,
        `Key ${wrong} is at ${times[wrong]} s; times must be finite, from 0 on, and rise.`,
      );
    }
    return times.length;
  });
}

function checkRotations(findings: Findings, values: Float32Array, isCubic: boolean, where: string): void {
  const stride = isCubic ? 12 : 4;
  for (let at = isCubic ? 4 : 0; at < values.length; at += stride) {
    const length = Math.hypot(values[at], values[at + 1], values[at + 2], values[at + 3]);
    if (Math.abs(length - 1) <= UNIT_LENGTH) continue;
    note(
      findings,
      'ANIMATION_VALUES',
      where,
      `The rotation of key ${Math.floor(at / stride)} has length ${length.toPrecision(4)}, expected 1.`,
    );
    return;
  }
}

function checkOutput(
  findings: Findings,
  sampler: JsonObject,
  pointer: string,
  path: string,
  keys: number | undefined,
  isCubic: boolean,
): void {
  const output = memberAt(sampler, 'output');
  const where = `${pointer}/output`;
  if (!isIndexOf(findings, 'accessors', output)) {
    note(
      findings,
      'ANIMATION_SAMPLER',
      where,
      `The output is ${nameOfValue(output)}, expected the index of an accessor.`,
    );
    return;
  }
  attempt(findings, 'ANIMATION_SAMPLER', where, () => {
    const { type, count } = accessorInfo(findings.doc, output);
    const wanted = path === 'rotation' ? 'VEC4' : 'VEC3';
    if (type !== wanted) {
      note(findings, 'ANIMATION_VALUES', where, `Values of a ${path} are ${type}, expected ${wanted}.`);
      return;
    }
    const needed = keys === undefined ? count : keys * (isCubic ? 3 : 1);
    if (count !== needed) {
      note(findings, 'ANIMATION_VALUES', where, `${keys} keys need ${needed} values, there are ${count}.`);
      return;
    }
    const values = readFloats(findings.doc, output);
    if (!values.every(Number.isFinite)) note(findings, 'ANIMATION_VALUES', where, 'A value is not a finite number.');
    else if (path === 'rotation') checkRotations(findings, values, isCubic, where);
  });
}

function checkSampler(findings: Findings, sampler: JsonObject, pointer: string, path: string): void {
  const interpolation = memberAt(sampler, 'interpolation') ?? 'LINEAR';
  if (typeof interpolation !== 'string' || !['STEP', 'LINEAR', 'CUBICSPLINE'].includes(interpolation)) {
    note(
      findings,
      'ANIMATION_SAMPLER',
      `${pointer}/interpolation`,
      `The interpolation is ${nameOfValue(interpolation)}, expected STEP, LINEAR or CUBICSPLINE.`,
    );
    return;
  }
  const isCubic = interpolation === 'CUBICSPLINE';
  const keys = checkInput(findings, sampler, pointer);
  if (isCubic && keys !== undefined && keys < 2) {
    note(findings, 'ANIMATION_TIMES', `${pointer}/input`, `CUBICSPLINE has ${keys} key, expected at least 2.`);
  }
  checkOutput(findings, sampler, pointer, path, keys, isCubic);
}

/** Checks every sampler that humanoid channels use, each once per path. */
export function checkSamplers(findings: Findings, channels: readonly HumanoidChannel[]): void {
  const done = new Set<string>();
  for (const { animation, sampler, path } of channels) {
    const key = `${animation} ${sampler} ${path}`;
    if (sampler < 0 || done.has(key)) continue;
    done.add(key);
    const samplers = memberAt(itemOf(findings, 'animations', animation) ?? {}, 'samplers');
    const found = Array.isArray(samplers) ? samplers[sampler] : undefined;
    const pointer = `/animations/${animation}/samplers/${sampler}`;
    if (isObject(found)) checkSampler(findings, found, pointer, path);
    else note(findings, 'ANIMATION_SAMPLER', pointer, `The sampler is ${nameOfValue(found)}, expected an object.`);
  }
}
