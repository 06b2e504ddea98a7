/** Channels and samplers of animations. glTF 2.0 sections 3.11 and 5.5 to 5.8. */
import { isObject, type JsonObject, memberAt, pointerTo } from '../../document/json-access.ts';
import { UNIT_LENGTH } from './check-nodes.ts';
import {
  type AccessorShape,
  accessorShape,
  type CoreCheck,
  find,
  findInValues,
  formatOf,
  hasStride,
  isNatural,
  itemAt,
  itemsAt,
  objectsOf,
  storedFloats,
  type ValueFault,
} from './findings.ts';
import { isSkinned, morphTargetCount } from './mesh-facts.ts';

const POINTER = 'KHR_animation_pointer';
const PATHS = ['translation', 'rotation', 'scale', 'weights'];
const POINTER_SYNTAX = /^(?:\/(?:[^/~]|~0|~1)*)*$/;

/** Formats of outputs by path: type, and whether normalized integers are allowed. */
const OUTPUTS: Readonly<Record<string, readonly [type: string, isPackable: boolean]>> = {
  translation: ['VEC3', false],
  scale: ['VEC3', false],
  rotation: ['VEC4', true],
  weights: ['SCALAR', true],
};

/**
 * Checks animations.
 *
 * @param check The running check.
 */
export function checkAnimations(check: CoreCheck): void {
  for (const [i, animation] of objectsOf(check, 'animations')) {
    const pointer = `/animations/${i}`;
    itemsAt(animation, 'samplers').forEach((sampler, k) => {
      if (isObject(sampler)) checkSampler(check, sampler, `${pointer}/samplers/${k}`);
    });
    const targets = new Map<string, number>();
    const channels = itemsAt(animation, 'channels');
    // From the last to the first, so that a channel names the later one with the same target.
    for (let k = channels.length - 1; k >= 0; k--) {
      const channel = channels[k];
      if (isObject(channel)) checkChannel(check, animation, channel, `${pointer}/channels/${k}`, targets, k);
    }
  }
}

function checkSampler(check: CoreCheck, sampler: JsonObject, pointer: string): void {
  const input = accessorShape(check, memberAt(sampler, 'input'));
  const output = accessorShape(check, memberAt(sampler, 'output'));
  for (const [shape, key] of [
    [input, 'input'],
    [output, 'output'],
  ] as const) {
    if (shape === undefined || !hasStride(check, shape)) continue;
    find(
      check,
      'ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE',
      `${pointer}/${key}`,
      'The view of animation data has a byteStride.',
    );
  }
  if (input === undefined) return;
  const where = `${pointer}/input`;
  if (input.type !== 'SCALAR' || input.componentType !== 5126) {
    const message = `Times are ${formatOf(input)}, expected {SCALAR, FLOAT}.`;
    find(check, 'ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT', where, message);
  } else {
    const index = memberAt(sampler, 'input') as number;
    findInValues(check, `times ${index}`, where, () => timeFaults(check, index, input));
  }
  if (memberAt(input.accessor, 'min') === undefined || memberAt(input.accessor, 'max') === undefined) {
    find(check, 'ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS', where, 'The accessor of times has no min and max.');
  }
  if (memberAt(sampler, 'interpolation') === 'CUBICSPLINE' && input.count < 2) {
    const message = `CUBICSPLINE needs at least 2 keys, but there is ${input.count}.`;
    find(check, 'ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS', where, message);
  }
}

function timeFaults(check: CoreCheck, index: number, shape: AccessorShape): ValueFault[] {
  const times = storedFloats(check, index, shape) ?? new Float32Array(0);
  const faults: ValueFault[] = [];
  const negative = times.findIndex((time) => time < 0);
  if (negative >= 0) {
    const message = `Time ${negative} is ${times[negative]}; times are not negative.`;
    faults.push({ code: 'ACCESSOR_ANIMATION_INPUT_NEGATIVE', message });
  }
  const stuck = times.findIndex((time, k) => k > 0 && time <= times[k - 1]);
  if (stuck >= 0) {
    const message = `Time ${stuck} is ${times[stuck]} after ${times[stuck - 1]}; times must increase.`;
    faults.push({ code: 'ACCESSOR_ANIMATION_INPUT_NON_INCREASING', message });
  }
  return faults;
}

function checkChannel(
  check: CoreCheck,
  animation: JsonObject,
  channel: JsonObject,
  pointer: string,
  targets: Map<string, number>,
  index: number,
): void {
  const target = memberAt(channel, 'target');
  if (!isObject(target)) return;
  const path = memberAt(target, 'path');
  const node = memberAt(target, 'node');
  checkPath(check, target, path, node, `${pointer}/target`);
  if (isNatural(node) && typeof path === 'string') {
    checkTarget(check, itemAt(check, 'nodes', node), path, `${pointer}/target`);
    const other = targets.get(`${node} ${path}`);
    if (other !== undefined) {
      find(check, 'ANIMATION_DUPLICATE_TARGETS', `${pointer}/target`, `Channel ${other} has the same target.`);
    }
    targets.set(`${node} ${path}`, index);
  }
  const samplers = itemsAt(animation, 'samplers');
  const number = memberAt(channel, 'sampler');
  if (!isNatural(number)) return;
  const sampler = samplers[number];
  if (number >= samplers.length) {
    find(
      check,
      'UNRESOLVED_REFERENCE',
      `${pointer}/sampler`,
      `The index is ${number}, but there are only ${samplers.length} samplers.`,
    );
  } else if (isObject(sampler) && typeof path === 'string') {
    checkOutput(check, sampler, path, itemAt(check, 'nodes', node), `${pointer}/sampler`);
  }
}

function checkPath(check: CoreCheck, target: JsonObject, path: unknown, node: unknown, pointer: string): void {
  const allowed = itemsAt(check.doc.json, 'extensionsUsed').includes(POINTER) ? [...PATHS, 'pointer'] : PATHS;
  if (typeof path === 'string' && !allowed.includes(path)) {
    const message = `The path is ${JSON.stringify(path.slice(0, 40))}, expected one of ${allowed.join(', ')}.`;
    find(check, 'VALUE_NOT_IN_LIST', `${pointer}/path`, message);
  }
  const extensions = memberAt(target, 'extensions');
  const extension = isObject(extensions) ? memberAt(extensions, POINTER) : undefined;
  if (!isObject(extension)) return;
  const where = `${pointer}/extensions/${POINTER}`;
  if (node !== undefined) {
    find(
      check,
      'KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_NODE',
      where,
      'The target has a pointer and also a node.',
    );
  }
  if (path !== 'pointer') {
    find(
      check,
      'KHR_ANIMATION_POINTER_ANIMATION_CHANNEL_TARGET_PATH',
      where,
      'The target has a pointer; its path must be "pointer".',
    );
  }
  for (const key of Object.keys(extension)) {
    if (['pointer', 'extensions', 'extras'].includes(key)) continue;
    find(check, 'UNEXPECTED_PROPERTY', pointerTo(where, key), 'KHR_animation_pointer does not define this property.');
  }
  const value = memberAt(extension, 'pointer');
  if (value === undefined) find(check, 'UNDEFINED_PROPERTY', where, 'The property pointer is missing; it is required.');
  else if (typeof value !== 'string') find(check, 'TYPE_MISMATCH', `${where}/pointer`, 'The pointer is not a string.');
  else if (!POINTER_SYNTAX.test(value)) {
    find(check, 'PATTERN_MISMATCH', `${where}/pointer`, 'The pointer is not a JSON pointer, which starts with "/".');
  }
}

function checkTarget(check: CoreCheck, node: JsonObject | undefined, path: string, pointer: string): void {
  if (node === undefined) return;
  if (path === 'weights') {
    const mesh = itemAt(check, 'meshes', memberAt(node, 'mesh'));
    if (mesh !== undefined && morphTargetCount(mesh) > 0) return;
    find(
      check,
      'ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS',
      pointer,
      'The node has no morph targets to animate.',
    );
  } else if (PATHS.includes(path)) {
    if (memberAt(node, 'matrix') !== undefined) {
      find(
        check,
        'ANIMATION_CHANNEL_TARGET_NODE_MATRIX',
        pointer,
        'The animated node has a matrix; it needs translation, rotation and scale.',
      );
    }
    if (isSkinned(check, node)) {
      find(check, 'ANIMATION_CHANNEL_TARGET_NODE_SKIN', `${pointer}/path`, 'Transforms do not affect a skinned mesh.');
    }
  }
}

function checkOutput(
  check: CoreCheck,
  sampler: JsonObject,
  path: string,
  node: JsonObject | undefined,
  pointer: string,
): void {
  const input = accessorShape(check, memberAt(sampler, 'input'));
  const output = accessorShape(check, memberAt(sampler, 'output'));
  const format = OUTPUTS[path];
  if (output === undefined || format === undefined) return;
  if (!hasFormat(output, format)) {
    const message = `Values for ${path} are ${formatOf(output)}, expected ${format[0]} of floats${format[1] ? ' or normalized integers' : ''}.`;
    find(check, 'ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT', pointer, message);
    return;
  }
  const isCubic = memberAt(sampler, 'interpolation') === 'CUBICSPLINE';
  const mesh = itemAt(check, 'meshes', node === undefined ? undefined : memberAt(node, 'mesh'));
  const width = path === 'weights' ? (mesh === undefined ? 0 : morphTargetCount(mesh)) : 1;
  if (input !== undefined && width > 0) {
    const expected = input.count * (isCubic ? 3 : 1) * width;
    if (output.count !== expected) {
      const message = `There are ${output.count} values, expected ${expected} for ${input.count} keys.`;
      find(check, 'ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT', pointer, message);
    }
  }
  if (path !== 'rotation') return;
  const index = memberAt(sampler, 'output') as number;
  const key = `${isCubic ? 'cubic' : 'plain'} rotations ${index}`;
  findInValues(check, key, pointer, () => quaternionFaults(storedFloats(check, index, output), isCubic));
}

function hasFormat(
  { type, componentType, normalized }: AccessorShape,
  [expected, isPackable]: readonly [string, boolean],
): boolean {
  if (type !== expected) return false;
  return componentType === 5126 || (isPackable && normalized && componentType < 5125);
}

/** Tangents of CUBICSPLINE keys need not have length 1. */
function quaternionFaults(stored: Float32Array | null, isCubic: boolean): ValueFault[] {
  const values = stored ?? new Float32Array(0);
  for (let at = 0, k = 0; at + 3 < values.length; at += 4, k++) {
    if (isCubic && k % 3 !== 1) continue;
    const length = Math.hypot(values[at], values[at + 1], values[at + 2], values[at + 3]);
    if (Math.abs(length - 1) <= UNIT_LENGTH || Number.isNaN(length)) continue;
    const message = `Quaternion ${k} has length ${length}, expected 1.`;
    return [{ code: 'ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION', message }];
  }
  return [];
}
