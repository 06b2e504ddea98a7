/** Parses VPD files: poses of MikuMikuDance, as text. */
import { FormatError } from '../../../core/report/format-error.ts';
import { copyText } from '../../../core/text/copy-text.ts';
import { decodeShiftJis } from '../shift-jis.ts';
import { LINEAR_CURVE, type MmdBoneKeys, type MmdMorphKeys, type MmdMotion } from './mmd-motion.ts';

/** First words of the text. */
const SIGNATURE = 'Vocaloid Pose Data file';
/** A bone or a morph with its numbers: `Bone0{センター 1,2,3; 0,0,0,1; }`. */
const ENTRY = /(Bone|Morph)\s*\d+\s*\{([^\r\n{}]*)[\r\n]([^{}]*)\}/gi;
const COMMENT = /\/\/[^\r\n]*/g;
/** Longest text: a pose of all bones of the largest models takes a tenth. */
const MOST_BYTES = 2 ** 24;

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeShiftJis(bytes);
  }
}

function numbersIn(text: string): number[] {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  return words.map((word) => (Number.isFinite(Number(word)) ? Number(word) : 0));
}

function boneKey(name: string, values: readonly number[]): MmdBoneKeys {
  const offsets = Float32Array.from(values.slice(0, 3));
  const rotations = Float32Array.from(values.slice(3, 7));
  const length = Math.hypot(...rotations);
  if (length > 1e-6 && length < Number.POSITIVE_INFINITY) for (let c = 0; c < 4; c++) rotations[c] /= length;
  else rotations.set([0, 0, 0, 1]);
  if (!offsets.every((value) => Math.abs(value) < 1e9)) offsets.fill(0);
  const curves = Uint8Array.from([...LINEAR_CURVE, ...LINEAR_CURVE, ...LINEAR_CURVE, ...LINEAR_CURVE]);
  return { name, frames: Float64Array.of(0), offsets, rotations, curves };
}

/**
 * Parses a VPD: a motion with a key for each bone at frame 0. Throws FormatError `MMD_SYNTAX` for other content, and for a pose without bones and
 * morphs; `MMD_LIMIT` for more than 16 MB.
 */
export function parseVpd(bytes: Uint8Array): MmdMotion {
  if (bytes.length > MOST_BYTES) {
    const message = `The VPD has ${bytes.length} bytes, more than the limit of ${MOST_BYTES}; a pose is a few kilobytes`;
    throw new FormatError('MMD_LIMIT', message);
  }
  const text = decode(bytes)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (!text.startsWith(SIGNATURE)) {
    const found = JSON.stringify(text.slice(0, SIGNATURE.length));
    throw new FormatError('MMD_SYNTAX', `The VPD starts with ${found}; expected "${SIGNATURE}"`, { offset: 0 });
  }
  const bones = new Map<string, MmdBoneKeys>();
  const morphs = new Map<string, MmdMorphKeys>();
  for (const [, kind, written, body] of text.matchAll(ENTRY)) {
    const name = copyText(written.trim());
    const values = numbersIn(body.replace(COMMENT, ''));
    if (kind.toLowerCase() === 'bone' && values.length >= 7) bones.set(name, boneKey(name, values));
    if (kind.toLowerCase() === 'morph' && values.length >= 1)
      morphs.set(name, { name, frames: Float64Array.of(0), weights: Float32Array.of(values[0]) });
  }
  if (bones.size + morphs.size === 0) {
    const message = 'The VPD has no bone with a position and a rotation; expected entries such as Bone0{センター …}';
    throw new FormatError('MMD_SYNTAX', message);
  }
  const modelName = copyText(/^[^\r\n]*[\r\n\s]+([^;\r\n]*);/.exec(text)?.[1].trim() ?? '');
  return {
    kind: 'vpd',
    modelName,
    bones: [...bones.values()],
    morphs: [...morphs.values()],
    ik: [],
    otherKeys: 0,
    issues: [],
  };
}
