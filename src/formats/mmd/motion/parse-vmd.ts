/** Parses VMD files: motions of MikuMikuDance. */
import { LATEST_TIME } from '../../../core/asset/limit-asset.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { type ByteCursor, byteCursor, readU8, readU32, remaining, take } from '../byte-cursor.ts';
import { decodeField, NAME_BYTES } from '../shift-jis.ts';
import { MMD_FPS, type MmdBoneKeys, type MmdIkKey, type MmdMorphKeys, type MmdMotion } from './mmd-motion.ts';

/** Bytes of the signature, and of the model name after it in the current version and in the first one. */
const SIGNATURE_BYTES = 30;
const MODEL_NAME_BYTES = 20;
const FIRST_MODEL_NAME_BYTES = 10;
const FIRST_VERSION = 'Vocaloid Motion Data file';

const KEY_BYTES = { bone: 111, morph: 23, camera: 61, light: 28, shadow: 9, ik: 9 } as const;
const IK_NAME_BYTES = 20;

/** Latest frame of a key; later ones are damaged. */
const LATEST_FRAME = LATEST_TIME * MMD_FPS;

interface Faults {
  cut: number;
  late: number;
  values: number;
}

/**
 * Starts a section of keys, which is empty where the file ends before it. Of a section that is cut off, the complete keys are read, and nothing after it.
 */
function countKeys(cursor: ByteCursor, bytesPerKey: number, faults: Faults): number {
  if (faults.cut > 0 || remaining(cursor) < 4) return 0;
  const count = readU32(cursor, 'the number of keys');
  const room = Math.floor(remaining(cursor) / bytesPerKey);
  faults.cut = Math.max(0, count - room);
  return Math.min(count, room);
}

function keysByName(cursor: ByteCursor, bytesPerKey: number, faults: Faults): Map<string, number[]> {
  const count = countKeys(cursor, bytesPerKey, faults);
  // Names repeat thousands of times: they are decoded once.
  const names = new Map<string, string>();
  const offsets = new Map<string, number[]>();
  for (let key = 0; key < count; key++) {
    const at = take(cursor, bytesPerKey, 'a key');
    const field = cursor.bytes.subarray(at, at + NAME_BYTES);
    const raw = String.fromCharCode(...field);
    const name = names.get(raw) ?? decodeField(field);
    names.set(raw, name);
    if (cursor.view.getUint32(at + NAME_BYTES, true) > LATEST_FRAME) {
      faults.late++;
      continue;
    }
    const list = offsets.get(name);
    if (list === undefined) offsets.set(name, [at]);
    else list.push(at);
  }
  return offsets;
}

/** Sorts the keys of a name by frame; of several at one frame the last counts. */
function sortKeys({ view }: ByteCursor, offsets: readonly number[]): number[] {
  const frameAt = (at: number): number => view.getUint32(at + NAME_BYTES, true);
  const byFrame = new Map(offsets.map((at) => [frameAt(at), at]));
  return [...byFrame.values()].sort((a, b) => frameAt(a) - frameAt(b));
}

function readBoneKeys(cursor: ByteCursor, name: string, offsets: readonly number[], faults: Faults): MmdBoneKeys {
  const { view, bytes } = cursor;
  const keys = sortKeys(cursor, offsets);
  const frames = new Float64Array(keys.length);
  const positions = new Float32Array(3 * keys.length);
  const rotations = new Float32Array(4 * keys.length);
  const curves = new Uint8Array(16 * keys.length);
  for (const [k, at] of keys.entries()) {
    frames[k] = view.getUint32(at + NAME_BYTES, true);
    const float = (index: number): number => view.getFloat32(at + NAME_BYTES + 4 + 4 * index, true);
    const values = Array.from({ length: 7 }, (_, index) => float(index));
    const length = Math.hypot(values[3], values[4], values[5], values[6]);
    const isWhole = values.every((value) => Math.abs(value) < 1e9);
    if (!isWhole) faults.values++;
    for (let c = 0; c < 3; c++) positions[3 * k + c] = isWhole ? values[c] : 0;
    for (let c = 0; c < 4; c++)
      rotations[4 * k + c] = isWhole && length > 1e-6 ? values[3 + c] / length : c === 3 ? 1 : 0;
    // Rows of 16 bytes, of which each is the one before without its first byte. The first row has the switch of physics where z and rotation would be.
    const row = at + NAME_BYTES + 4 + 28;
    for (let channel = 0; channel < 4; channel++) {
      for (let point = 0; point < 4; point++) {
        const byte = channel >= 2 && point === 0 ? bytes[row + 16 + channel - 1] : bytes[row + 4 * point + channel];
        curves[16 * k + 4 * channel + point] = Math.min(byte, 127);
      }
    }
  }
  return { name, frames, offsets: positions, rotations, curves };
}

function readMorphKeys(cursor: ByteCursor, name: string, offsets: readonly number[], faults: Faults): MmdMorphKeys {
  const { view } = cursor;
  const keys = sortKeys(cursor, offsets);
  const weights = Float32Array.from(keys, (at) => {
    const weight = view.getFloat32(at + NAME_BYTES + 4, true);
    if (!Number.isFinite(weight)) faults.values++;
    return Number.isFinite(weight) ? weight : 0;
  });
  return { name, frames: Float64Array.from(keys, (at) => view.getUint32(at + NAME_BYTES, true)), weights };
}

/** Reads the frames at which the model is shown and its IK switched. */
function readIkKeys(cursor: ByteCursor, faults: Faults): MmdIkKey[] {
  const count = countKeys(cursor, KEY_BYTES.ik, faults);
  const keys: MmdIkKey[] = [];
  for (let key = 0; key < count && remaining(cursor) >= KEY_BYTES.ik; key++) {
    const frame = readU32(cursor, 'a frame');
    readU8(cursor, 'whether the model is shown');
    const bones = readU32(cursor, 'the number of IK bones');
    const states = new Map<string, boolean>();
    for (let bone = 0; bone < bones && remaining(cursor) > IK_NAME_BYTES; bone++) {
      const at = take(cursor, IK_NAME_BYTES + 1, 'an IK bone');
      states.set(decodeField(cursor.bytes.subarray(at, at + IK_NAME_BYTES)), cursor.bytes[at + IK_NAME_BYTES] !== 0);
    }
    keys.push({ frame, states });
  }
  return keys.sort((a, b) => a.frame - b.frame);
}

function faultIssues({ cut, late, values }: Faults): Issue[] {
  const found = [
    ...(cut > 0 ? [`it ends early, ${cut} keys are missing`] : []),
    ...(late > 0 ? [`${late} keys are later than 36 hours and were left out`] : []),
    ...(values > 0 ? [`${values} keys have invalid numbers, which became 0`] : []),
  ];
  return found.length === 0
    ? []
    : [issue('MMD_MOTION', `The VMD is damaged: ${found.join('; ')}. Get the file again, or check the motion`)];
}

/** Parses a VMD. Throws FormatError `MMD_SYNTAX` for other content, and for a motion of a camera or of lights alone. */
export function parseVmd(bytes: Uint8Array): MmdMotion {
  const cursor = byteCursor(bytes, 'VMD');
  const head = take(cursor, SIGNATURE_BYTES, 'the signature');
  const signature = decodeField(bytes.subarray(head, SIGNATURE_BYTES));
  if (!signature.startsWith('Vocaloid Motion Data')) {
    const message = `The VMD starts with ${JSON.stringify(signature)}; expected "Vocaloid Motion Data"`;
    throw new FormatError('MMD_SYNTAX', message, { offset: 0 });
  }
  const nameBytes = signature === FIRST_VERSION ? FIRST_MODEL_NAME_BYTES : MODEL_NAME_BYTES;
  const nameAt = take(cursor, nameBytes, 'the name of the model');
  const modelName = decodeField(bytes.subarray(nameAt, nameAt + nameBytes));
  const faults: Faults = { cut: 0, late: 0, values: 0 };
  const bones = [...keysByName(cursor, KEY_BYTES.bone, faults)].map(([name, offsets]) =>
    readBoneKeys(cursor, name, offsets, faults),
  );
  const morphs = [...keysByName(cursor, KEY_BYTES.morph, faults)].map(([name, offsets]) =>
    readMorphKeys(cursor, name, offsets, faults),
  );
  let otherKeys = 0;
  for (const bytesPerKey of [KEY_BYTES.camera, KEY_BYTES.light, KEY_BYTES.shadow]) {
    const count = countKeys(cursor, bytesPerKey, faults);
    take(cursor, count * bytesPerKey, 'the keys of camera and lights');
    otherKeys += count;
  }
  const ik = readIkKeys(cursor, faults);
  if (bones.length + morphs.length === 0) {
    const what = otherKeys > 0 ? 'moves a camera or lights only' : 'has no keys';
    const message = `The VMD ${what}; expected keys of bones or morphs. Use the motion file of the dancer`;
    throw new FormatError('MMD_SYNTAX', message);
  }
  return { kind: 'vmd', modelName, bones, morphs, ik, otherKeys, issues: faultIssues(faults) };
}
