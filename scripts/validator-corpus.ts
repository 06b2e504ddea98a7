/**
 * Writes test/corpus/ext-skeleton-humanoid: a small conforming humanoid with a clip, and one file per rule that it
 * breaks. A file name starts with the codes that `validateHumanoids` must report: `CODE--what-is-wrong.gltf`.
 *
 *     npx tsx scripts/validator-corpus.ts
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BONE, BONES, type BoneName, presentParent } from '../src/core/humanoid/bones.ts';
import { CANONICAL_FRAMES } from '../src/core/humanoid/canonical-frames.ts';
import * as mat4 from '../src/core/math/mat4.ts';
import * as quat from '../src/core/math/quat.ts';
import * as vec3 from '../src/core/math/vec3.ts';
import { MATRIX_STRIDE } from '../src/core/skeleton/skeleton.ts';

const EXT = 'EXT_skeleton_humanoid';

/** Joint positions of a T-pose, meters; only the left side, the right side is mirrored. */
const POSITIONS: Partial<Record<BoneName, readonly [number, number, number]>> = {
  hips: [0, 1, 0],
  spine: [0, 1.2, 0],
  head: [0, 1.6, 0],
  leftUpperArm: [0.2, 1.4, 0],
  leftLowerArm: [0.5, 1.4, 0],
  leftHand: [0.8, 1.4, 0],
  leftIndexProximal: [0.9, 1.4, 0.04],
  leftLittleProximal: [0.9, 1.4, -0.04],
  leftUpperLeg: [0.1, 0.9, 0],
  leftLowerLeg: [0.1, 0.5, 0],
  leftFoot: [0.1, 0.1, 0],
  leftToes: [0.1, 0, 0.15],
};

interface Bone {
  readonly name: BoneName;
  readonly position: Float64Array;
  readonly axes: Float64Array;
}

function bonesOf(): Bone[] {
  return BONES.flatMap((name, bone) => {
    const left = name.replace(/^right/, 'left') as BoneName;
    const position = POSITIONS[left];
    if (position === undefined) return [];
    const side = name.startsWith('right') ? -1 : 1;
    return [
      {
        name,
        position: Float64Array.of(side * position[0], position[1], position[2]),
        axes: CANONICAL_FRAMES.slice(4 * bone, 4 * bone + 4),
      },
    ];
  });
}

const dataUri = (values: Float32Array): string =>
  `data:application/octet-stream;base64,${Buffer.from(values.buffer).toString('base64')}`;

// biome-ignore lint/suspicious/noExplicitAny: files are broken in ways that no type describes
type Json = Record<string, any>;

/**
 * Creates the conforming file. `rotations`: an extra local rotation per bone about z, radians; `yaw`: rotation of the
 * character about y, radians; `scale`: local scale per bone.
 */
function conforming(
  rotations: Partial<Record<BoneName, number>> = {},
  yaw = 0,
  scale: Partial<Record<BoneName, number[]>> = {},
): Json {
  const bones = bonesOf();
  const table = new Int32Array(BONES.length).fill(-1);
  bones.forEach(({ name }, k) => {
    table[BONE[name]] = k;
  });
  const worlds = new Float64Array(MATRIX_STRIDE * bones.length);
  const spin = new Float64Array(4);
  quat.fromAxisAngle(spin, 0, [0, 1, 0], 0, yaw);
  const nodes: Json[] = bones.map(({ name, position, axes }, k) => {
    const above = presentParent(BONE[name], table);
    const parent = above < 0 ? null : bones[table[above]];
    const rotation = new Float64Array(4);
    const translation = new Float64Array(3);
    if (parent === null) {
      quat.multiply(rotation, 0, spin, 0, axes, 0);
      translation.set(position);
    } else {
      quat.conjugate(rotation, 0, parent.axes, 0);
      vec3.subtract(translation, 0, position, 0, parent.position, 0);
      vec3.rotate(translation, 0, rotation, 0, translation, 0);
      quat.multiply(rotation, 0, rotation, 0, axes, 0);
    }
    const extra = new Float64Array(4);
    quat.fromAxisAngle(extra, 0, [0, 0, 1], 0, rotations[name] ?? 0);
    quat.multiply(rotation, 0, rotation, 0, extra, 0);
    mat4.compose(worlds, MATRIX_STRIDE * k, [...translation, ...rotation, ...(scale[name] ?? [1, 1, 1])], 0);
    if (above >= 0)
      mat4.multiply(worlds, MATRIX_STRIDE * k, worlds, MATRIX_STRIDE * table[above], worlds, MATRIX_STRIDE * k);
    const children = bones.flatMap((other, j) => (presentParent(BONE[other.name], table) === BONE[name] ? [j] : []));
    return {
      name,
      translation: [...Float32Array.from(translation)],
      rotation: [...Float32Array.from(rotation)],
      ...(scale[name] === undefined ? {} : { scale: scale[name] }),
      ...(children.length === 0 ? {} : { children }),
    };
  });
  const inverse = new Float64Array(MATRIX_STRIDE * bones.length);
  bones.forEach((_, k) => {
    mat4.invertAffine(inverse, MATRIX_STRIDE * k, worlds, MATRIX_STRIDE * k);
  });
  const times = Float32Array.of(0, 1);
  const values = Float32Array.of(0, 0, 0, 1, 0, 0, Math.SQRT1_2, Math.SQRT1_2);
  const hipsPath = Float32Array.of(0, 0, 0, 0, 0.1, 0);
  const parts = [Float32Array.from(inverse), times, values, hipsPath];
  const all = Float32Array.from(parts.flatMap((part) => [...part]));
  let at = 0;
  const bufferViews = parts.map((part) => {
    const view = { buffer: 0, byteOffset: at, byteLength: part.byteLength };
    at += part.byteLength;
    return view;
  });
  const channel = (sampler: number, bone: BoneName, path: string): Json => ({
    sampler,
    target: { path, extensions: { [EXT]: { humanoidBoneName: bone } } },
  });
  return {
    asset: { version: '2.0' },
    extensionsUsed: [EXT],
    extensions: {
      [EXT]: {
        humanoidSkeletons: [{ rootNode: 0, humanoidBones: Object.fromEntries(bones.map(({ name }, k) => [name, k])) }],
      },
    },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes,
    skins: [{ joints: bones.map((_, k) => k), inverseBindMatrices: 0 }],
    animations: [
      {
        name: 'nod',
        samplers: [
          { input: 1, output: 2 },
          { input: 1, output: 3 },
        ],
        channels: [channel(0, 'head', 'rotation'), channel(1, 'hips', 'translation')],
      },
    ],
    accessors: [
      { bufferView: 0, componentType: 5126, count: bones.length, type: 'MAT4' },
      { bufferView: 1, componentType: 5126, count: 2, type: 'SCALAR', min: [0], max: [1] },
      { bufferView: 2, componentType: 5126, count: 2, type: 'VEC4' },
      { bufferView: 3, componentType: 5126, count: 2, type: 'VEC3' },
    ],
    bufferViews,
    buffers: [{ byteLength: all.byteLength, uri: dataUri(all) }],
  };
}

const definition = (json: Json): Json => json.extensions[EXT].humanoidSkeletons[0];
const head = (json: Json): Json => json.animations[0].channels[0];

/** Overwrites floats of the buffer. `at` counts floats from the start of an accessor. */
function poke(json: Json, accessor: number, at: number, values: readonly number[]): void {
  const buffer = json.buffers[0];
  const floats = new Float32Array(Uint8Array.from(Buffer.from(buffer.uri.split(',')[1], 'base64')).buffer);
  floats.set(values, json.bufferViews[json.accessors[accessor].bufferView].byteOffset / 4 + at);
  buffer.uri = dataUri(floats);
}

/** Edits that break one rule each, by file name: the expected codes, then what is wrong. */
const VIOLATIONS: Record<string, (json: Json) => unknown> = {
  'EXT_SCHEMA--no-array': (json) => delete json.extensions[EXT].humanoidSkeletons,
  'EXT_SCHEMA--empty-array': (json) => json.extensions[EXT].humanoidSkeletons.splice(0),
  'EXT_SCHEMA--extension-is-a-number': (json) => Object.assign(json.extensions, { [EXT]: 3 }),
  'EXT_SCHEMA--skeleton-is-a-number': (json) => json.extensions[EXT].humanoidSkeletons.splice(0, 1, 7),
  'EXT_SCHEMA--no-root-node': (json) => delete definition(json).rootNode,
  'EXT_SCHEMA--no-bones': (json) => delete definition(json).humanoidBones,
  'EXT_SCHEMA--empty-bones': (json) => Object.assign(definition(json), { humanoidBones: {} }),
  'EXT_SCHEMA--negative-node': (json) => Object.assign(definition(json).humanoidBones, { head: -1 }),
  'EXT_SCHEMA--bone-is-a-name': (json) => Object.assign(definition(json).humanoidBones, { head: 'head' }),
  'EXT_SCHEMA--channel-without-bone-name': (json) => Object.assign(head(json).target.extensions, { [EXT]: {} }),
  'EXT_SCHEMA--channel-extension-is-a-string': (json) => Object.assign(head(json).target.extensions, { [EXT]: 'head' }),
  'EXT_SINGLE_OBJECT--published-schema': (json) => Object.assign(json.extensions, { [EXT]: definition(json) }),
  'EXT_NODE_MISSING--bone': (json) => Object.assign(definition(json).humanoidBones, { head: 99 }),
  'EXT_NODE_MISSING--root': (json) => Object.assign(definition(json), { rootNode: 99 }),
  'EXT_BONE_UNKNOWN--misspelled': (json) => Object.assign(definition(json).humanoidBones, { leftArm: 99 }),
  'EXT_BONE_UNKNOWN--channel': (json) => Object.assign(head(json).target.extensions[EXT], { humanoidBoneName: 'Head' }),
  'EXT_BONE_REPEATED--two-bones-one-node': (json) =>
    Object.assign(definition(json).humanoidBones, { jaw: definition(json).humanoidBones.head }),
  'EXT_BONE_NOT_JOINT--outside-the-skin': (json) => json.skins[0].joints.splice(json.skins[0].joints.length - 1, 1),
  'EXT_BONE_HIERARCHY--swapped': (json) => {
    const bones = definition(json).humanoidBones;
    Object.assign(bones, { chest: bones.spine, spine: bones.hips, hips: undefined });
    [bones.chest, bones.spine] = [bones.spine, bones.chest];
    delete bones.hips;
  },
  'EXT_ROOT_NOT_ANCESTOR--root-is-the-head': (json) =>
    Object.assign(definition(json), { rootNode: definition(json).humanoidBones.head }),
  'EXT_BONE_HIERARCHY-EXT_ROOT_NOT_ANCESTOR--two-trees': (json) => {
    const [loose] = json.nodes[0].children.splice(0, 1);
    json.scenes[0].nodes.push(loose);
  },
  'EXT_CHANNEL_NODE--node-beside-the-bone': (json) => Object.assign(head(json).target, { node: 2 }),
  'EXT_CHANNEL_PATH--weights': (json) => Object.assign(head(json).target, { path: 'weights' }),
  'EXT_CHANNEL_PATH--missing': (json) => delete head(json).target.path,
  'EXT_CHANNEL_UNUSUAL--moves-the-head': (json) => {
    json.animations[0].channels.push({
      sampler: 1,
      target: { path: 'translation', extensions: { [EXT]: { humanoidBoneName: 'head' } } },
    });
  },
  'EXT_CHANNEL_REPEATED--head-twice': (json) => json.animations[0].channels.push(structuredClone(head(json))),
  'EXT_SAMPLER_SHARED--with-a-plain-channel': (json) =>
    json.animations[0].channels.push({ sampler: 0, target: { node: 2, path: 'rotation' } }),
  'SKIN_MATRICES--singular': (json) => poke(json, 0, 0, [0, 0, 0]),
  'SKIN_NO_MATRICES--rest-pose-only': (json) => delete json.skins[0].inverseBindMatrices,
};

const DEGREE = Math.PI / 180;

const folder = join(import.meta.dirname, '../test/corpus/ext-skeleton-humanoid');
mkdirSync(folder, { recursive: true });
for (const file of readdirSync(folder)) rmSync(join(folder, file));
const write = (name: string, json: Json): void => {
  writeFileSync(join(folder, `${name}.gltf`), `${JSON.stringify(json, null, 1)}\n`);
};
write('sound', conforming());
for (const [name, violate] of Object.entries(VIOLATIONS)) {
  const json = conforming();
  violate(json);
  write(name, json);
}
write('EXT_AXES_OFF--head-rotated-by-8-degrees', conforming({ head: 8 * DEGREE }));
write('EXT_AXES_WRONG--head-rotated-by-60-degrees', conforming({ head: 60 * DEGREE }));
write('EXT_POSE_OFF-EXT_AXES_OFF--character-rotated-by-10-degrees', conforming({}, 10 * DEGREE));
write('EXT_POSE_WRONG--faces-backwards', conforming({}, Math.PI));
write('EXT_POSE_WRONG-EXT_AXES_WRONG--arm-lowered-by-45-degrees', conforming({ leftUpperArm: 45 * DEGREE }));
write('NON_UNIFORM_SCALE--flat-hand', conforming({}, 0, { leftToes: [1, 2, 1] }));
const twoSkins = conforming();
twoSkins.skins.push({ joints: [0, 1], inverseBindMatrices: 4 });
twoSkins.accessors.push({ bufferView: 4, componentType: 5126, count: 2, type: 'MAT4' });
const other = Float32Array.of(
  1,
  0,
  0,
  0,
  0,
  1,
  0,
  0,
  0,
  0,
  1,
  0,
  0,
  -1,
  0,
  1,
  1,
  0,
  0,
  0,
  0,
  1,
  0,
  0,
  0,
  0,
  1,
  0,
  0,
  -3,
  0,
  1,
);
twoSkins.bufferViews.push({ buffer: 1, byteLength: other.byteLength });
twoSkins.buffers.push({ byteLength: other.byteLength, uri: dataUri(other) });
write('SKIN_CONFLICT--spine-bound-elsewhere', twoSkins);
