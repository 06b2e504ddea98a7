import type { Track } from '../../../core/animation/clip.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { MmdBone } from '../model/mmd-model.ts';
import { lastFrame, MMD_FPS, type MmdBoneKeys, type MmdMotion } from '../motion/mmd-motion.ts';
import { createNameFinder } from '../shift-jis.ts';
import { keyAt, sampleBone } from './bone-curves.ts';
import { evaluateRig } from './evaluate-rig.ts';
import { createRig, createRigState, type Rig, type RigState } from './rig.ts';

/** Most frames times bones: about 20 minutes of a model with 224 bones, which take 250 MB. */
const MOST_VALUES = 2 ** 23;
/**
 * Elementary operations (see `Rig.work`) that every motion may take, about two seconds on a slow computer, and those that it may take for each key: a dance has a key
 * every tenth of a frame, on a model with much IK it takes 200 to 1,500 operations per key. What asks for more is mostly a damaged file with a key far behind all others.
 */
const FREE_WORK = 2 ** 23;
const WORK_PER_KEY = 4000;

interface PlayedBone {
  readonly keys: MmdBoneKeys;
  readonly bone: number;
  /** Last key at or before the current frame. */
  key: number;
}

function movesAtAll({ offsets, rotations }: MmdBoneKeys): boolean {
  return offsets.some((value) => value !== 0) || rotations.some((value, at) => at % 4 !== 3 && value !== 0);
}

function matchBones(bones: readonly MmdBone[], motion: MmdMotion): { played: PlayedBone[]; missing: string[] } {
  const find = createNameFinder(bones.map(({ name }) => name));
  const played = new Map<number, PlayedBone>();
  const missing: string[] = [];
  for (const keys of motion.bones) {
    const bone = find(keys.name);
    if (bone >= 0) played.set(bone, { keys, bone, key: -1 });
    else if (movesAtAll(keys)) missing.push(keys.name);
  }
  return { played: [...played.values()], missing };
}

function ikSwitches(
  rig: Rig,
  bones: readonly MmdBone[],
  { ik }: MmdMotion,
): { frame: number; bone: number; isOff: 0 | 1 }[] {
  const find = createNameFinder(bones.map(({ name }) => name));
  return ik.flatMap(({ frame, states }) =>
    [...states].flatMap(([name, isOn]) => {
      const bone = find(name);
      return bone >= 0 && rig.iks[bone] !== null ? [{ frame, bone, isOff: isOn ? (0 as const) : (1 as const) }] : [];
    }),
  );
}

/** Values of a bone at all frames: null while it is at rest. */
interface Recording {
  rotations: Float32Array | null;
  translations: Float32Array | null;
}

/** Records the transforms of a frame. MikuMikuDance is left-handed: mirroring at z = 0 negates z, and x and y of quaternions. */
function record(
  recordings: readonly Recording[],
  { locals, offsets }: RigState,
  rest: Float64Array,
  frame: number,
  frames: number,
): void {
  for (const [bone, recording] of recordings.entries()) {
    const q = 4 * bone;
    if (recording.rotations === null && (locals[q] !== 0 || locals[q + 1] !== 0 || locals[q + 2] !== 0)) {
      recording.rotations = new Float32Array(4 * frames);
      for (let at = 3; at < 4 * frames; at += 4) recording.rotations[at] = 1;
    }
    const { rotations } = recording;
    if (rotations !== null) {
      const at = 4 * frame;
      // Neighbors in one hemisphere.
      const previous = Math.max(at - 4, 0);
      const dot =
        -locals[q] * rotations[previous] -
        locals[q + 1] * rotations[previous + 1] +
        locals[q + 2] * rotations[previous + 2] +
        locals[q + 3] * rotations[previous + 3];
      const sign = frame > 0 && dot < 0 ? -1 : 1;
      rotations[at] = -sign * locals[q];
      rotations[at + 1] = -sign * locals[q + 1];
      rotations[at + 2] = sign * locals[q + 2];
      rotations[at + 3] = sign * locals[q + 3];
    }
    const p = 3 * bone;
    if (recording.translations === null && (offsets[p] !== 0 || offsets[p + 1] !== 0 || offsets[p + 2] !== 0)) {
      recording.translations = new Float32Array(3 * frames);
      for (let k = 0; k < frame; k++) writeTranslation(recording.translations, k, rest, p, null);
    }
    if (recording.translations !== null) writeTranslation(recording.translations, frame, rest, p, offsets);
  }
}

function writeTranslation(
  out: Float32Array,
  frame: number,
  rest: Float64Array,
  p: number,
  offsets: Float64Array | null,
): void {
  const at = 3 * frame;
  for (let c = 0; c < 3; c++) out[at + c] = (rest[p + c] + (offsets?.[p + c] ?? 0)) * (c === 2 ? -1 : 1);
}

/** Copies the transforms of the frame before. */
function repeat(recordings: readonly Recording[], frame: number): void {
  for (const { rotations, translations } of recordings) {
    rotations?.copyWithin(4 * frame, 4 * (frame - 1), 4 * frame);
    translations?.copyWithin(3 * frame, 3 * (frame - 1), 3 * frame);
  }
}

function checkSize(bones: number, frames: number, keys: number, work: number): void {
  if (bones * frames > MOST_VALUES) {
    const message = `The motion has ${frames} frames on ${bones} bones, more than the limit of ${MOST_VALUES} values; cut it into shorter motions, or check for a stray last key`;
    throw new FormatError('MMD_LIMIT', message);
  }
  if (work * frames <= FREE_WORK + WORK_PER_KEY * keys) return;
  const message = `The motion has ${frames} frames, but only ${keys} keys; on a model with ${bones} bones that takes longer than the limit. Check for a stray last key, or cut it into shorter motions`;
  throw new FormatError('MMD_LIMIT', message);
}

/**
 * Plays a motion on the bones of a model. `nodeOf` leads from bones to the nodes of the tracks. Throws FormatError `MMD_LIMIT` for a motion that
 * takes too much memory or time. Returns LINEAR `tracks` with a key per frame, only of what moves; `missing` names the bones that the motion moves
 * and the model lacks.
 */
export function bakeMotion(
  bones: readonly MmdBone[],
  motion: MmdMotion,
  nodeOf: Int32Array,
): { tracks: readonly Track[]; times: Float64Array; missing: readonly string[] } {
  const { played, missing } = matchBones(bones, motion);
  const frameCount = lastFrame(motion) + 1;
  const rig = createRig(bones);
  const isMoving = played.length > 0;
  const keyCount = played.reduce((sum, { keys }) => sum + keys.frames.length, 0);
  if (isMoving) checkSize(bones.length, frameCount, keyCount, rig.work);
  const times = Float64Array.from({ length: isMoving ? frameCount : 0 }, (_, frame) => frame / MMD_FPS);
  const state = createRigState(rig);
  const isOff = new Uint8Array(bones.length);
  const switches = ikSwitches(rig, bones, motion);
  const recordings = bones.map((): Recording => ({ rotations: null, translations: null }));
  const before = new Float64Array(7 * played.length);
  let nextSwitch = 0;
  for (let frame = 0; frame < times.length; frame++) {
    let isChanged = frame === 0;
    for (; nextSwitch < switches.length && switches[nextSwitch].frame <= frame; nextSwitch++) {
      const { bone, isOff: off } = switches[nextSwitch];
      isChanged ||= isOff[bone] !== off;
      isOff[bone] = off;
    }
    for (const [k, one] of played.entries()) {
      one.key = keyAt(one.keys.frames, frame, one.key);
      sampleBone(one.keys, frame, one.key, state.keyOffsets, state.keyRotations, one.bone);
      for (let c = 0; c < 7; c++) {
        const value = c < 3 ? state.keyOffsets[3 * one.bone + c] : state.keyRotations[4 * one.bone + c - 3];
        isChanged ||= before[7 * k + c] !== value;
        before[7 * k + c] = value;
      }
    }
    if (isChanged) {
      evaluateRig(rig, state, isOff);
      record(recordings, state, rig.rest, frame, frameCount);
    } else repeat(recordings, frame);
  }
  const tracks = recordings.flatMap(({ rotations, translations }, bone): Track[] => {
    const common = { target: nodeOf[bone], interpolation: 'LINEAR', times } as const;
    return [
      ...(translations === null ? [] : [{ ...common, path: 'translation', values: translations } as const]),
      ...(rotations === null ? [] : [{ ...common, path: 'rotation', values: rotations } as const]),
    ];
  });
  return { tracks, times, missing };
}

/** Writes the rest pose of bones in right-handed axes: 10 floats per node, in the order of the nodes. */
export function restOfBones(bones: readonly MmdBone[], order: Int32Array): Float64Array {
  const { rest } = createRig(bones);
  const out = new Float64Array(POSE_STRIDE * order.length);
  for (const [node, bone] of order.entries()) {
    const at = POSE_STRIDE * node;
    out.set([rest[3 * bone], rest[3 * bone + 1], -rest[3 * bone + 2]], at);
    out.set([0, 0, 0, 1, 1, 1, 1], at + PATH_OFFSET.rotation);
  }
  return out;
}
