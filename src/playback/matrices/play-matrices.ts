/**
 * Plays compiled clips: frames to model rotations to matrices, without a local pose. Model rotations are products of quaternions; no matrix product is
 * needed, since the linear part of each matrix is a rotation times a constant scale. The twin of the WebAssembly kernel.
 */
import { MATRIX_STRIDE } from '../../core/skeleton/skeleton.ts';
import { locateFrame } from '../compiled-clip.ts';
import type { PlaybackClip, PlaybackPlan } from './playback-plan.ts';

/** Buffers of {@link playMatrices}, and the constants of a plan in the order in which they are read. One per plan and thread is enough. */
export interface PlaybackWork {
  /** Model rotation of each step, xyzw, from `STEPS_FROM` on: the identity, for matrices without a driver, and the rotation in front of the roots. */
  readonly rotations: Float64Array;
  /** Offset in `rotations` of the parent of each step. */
  readonly stepFrom: Int32Array;
  /** Per matrix: offset in `rotations` of its driver, offset in `matrices` of itself, and of its parent (−1 for a root). */
  readonly links: Int32Array;
  /** Per matrix `CONSTANT_STRIDE` floats: rotation after the driver (xyzw), bind offset (xyz), scale. */
  readonly constants: Float64Array;
  /** Scale of each matrix. */
  readonly scales: Float64Array;
  /** Offsets of the matrices from their parents: xyz0. */
  readonly offsets: Float32Array;
  /** All matrices in the order of their slots. */
  readonly matrices: Float32Array;
  /** The part of `matrices` that is the result. */
  readonly result: Float32Array;
  /**
   * For model matrices of a clip's own skeleton, where matrix k is the product of the rotations down to step k without constant factors: per step twice its
   * parent, from `PARENT_FROM` on, plus 1 if its own rotation is read again. Null for other plans.
   */
  readonly modelLinks: Int32Array | null;
}

/** Entry of {@link PlaybackWork.modelLinks} for a step whose parent is the step before. */
const PARENT_BEFORE = 0;
/** The same for a step without a parent. */
const PARENT_NONE = 1;
/** The same for other steps: this plus the parent. */
const PARENT_FROM = 2;

/** Offset of the first step in {@link PlaybackWork.rotations}. */
const STEPS_FROM = 8;
/** Offset of the rotation in front of the roots. */
const FRAME_FROM = 4;
const LINK_STRIDE = 3;
const CONSTANT_STRIDE = 8;

export function createPlaybackWork(plan: PlaybackPlan): PlaybackWork {
  const { slots, parents, drivers, after, binds, scales, stepParents, resultCount } = plan;
  const count = slots.length;
  const rotations = new Float64Array(STEPS_FROM + 4 * stepParents.length);
  rotations[3] = 1;
  rotations.set(plan.frame, FRAME_FROM);
  const links = new Int32Array(LINK_STRIDE * count);
  const constants = new Float64Array(CONSTANT_STRIDE * count);
  for (let k = 0; k < count; k++) {
    links[LINK_STRIDE * k] = drivers[k] < 0 ? 0 : STEPS_FROM + 4 * drivers[k];
    links[LINK_STRIDE * k + 1] = MATRIX_STRIDE * slots[k];
    links[LINK_STRIDE * k + 2] = parents[k] < 0 ? -1 : MATRIX_STRIDE * slots[parents[k]];
    constants.set(after.subarray(4 * k, 4 * k + 4), CONSTANT_STRIDE * k);
    constants.set(binds.subarray(3 * k, 3 * k + 3), CONSTANT_STRIDE * k + 4);
    constants[CONSTANT_STRIDE * k + 7] = scales[k];
  }
  const matrices = new Float32Array(MATRIX_STRIDE * Math.max(count, resultCount));
  for (let at = MATRIX_STRIDE - 1; at < matrices.length; at += MATRIX_STRIDE) matrices[at] = 1;
  return {
    rotations,
    stepFrom: stepParents.map((parent) => (parent < 0 ? FRAME_FROM : STEPS_FROM + 4 * parent)),
    links,
    constants,
    scales,
    offsets: new Float32Array(4 * count),
    matrices,
    result: matrices.subarray(0, MATRIX_STRIDE * resultCount),
    modelLinks: isModel(plan) ? linkModel(stepParents) : null,
  };
}

/** Tells whether matrix k of a plan is the product of the rotations down to step k, without constant factors. */
function isModel({ slots, drivers, after, binds, stepParents }: PlaybackPlan): boolean {
  return (
    slots.length === stepParents.length &&
    slots.every((slot, k) => slot === k && drivers[k] === k) &&
    after.every((value, i) => value === (i % 4 === 3 ? 1 : 0)) &&
    binds.every((value) => value === 0)
  );
}

function linkModel(stepParents: Int32Array): Int32Array {
  const links = stepParents.map((parent, k) => {
    if (parent < 0) return 2 * PARENT_NONE;
    return 2 * (parent === k - 1 ? PARENT_BEFORE : PARENT_FROM + parent);
  });
  stepParents.forEach((parent, k) => {
    if (parent >= 0 && parent !== k - 1) links[parent] |= 1;
  });
  return links;
}

/** Multiplies sampled local rotations down the tree. */
function playRotations(
  clip: PlaybackClip,
  frame: Float64Array,
  f: number,
  { rotations, stepFrom }: PlaybackWork,
): void {
  const { stepKeys, stepRotations } = clip;
  const { frames, frameStride, frameCount } = clip.compiled;
  const t = frame[f + 1];
  const start = frame[f] * frameStride;
  const step = frameCount > 1 ? frameStride : 0;
  const count = stepFrom.length;
  for (let k = 0, o = STEPS_FROM; k < count; k++, o += 4) {
    const key = stepKeys[k];
    const from = stepFrom[k];
    let x: number;
    let y: number;
    let z: number;
    let w: number;
    if (key < 0) {
      const at = 4 * k;
      x = stepRotations[at];
      y = stepRotations[at + 1];
      z = stepRotations[at + 2];
      w = stepRotations[at + 3];
    } else {
      const a = start + key;
      const b = a + step;
      x = frames[a];
      y = frames[a + 1];
      z = frames[a + 2];
      w = frames[a + 3];
      x += t * (frames[b] - x);
      y += t * (frames[b + 1] - y);
      z += t * (frames[b + 2] - z);
      w += t * (frames[b + 3] - w);
    }
    const px = rotations[from];
    const py = rotations[from + 1];
    const pz = rotations[from + 2];
    const pw = rotations[from + 3];
    rotations[o] = pw * x + px * w + py * z - pz * y;
    rotations[o + 1] = pw * y - px * z + py * w + pz * x;
    rotations[o + 2] = pw * z + px * y - py * x + pz * w;
    rotations[o + 3] = pw * w - px * x - py * y - pz * z;
  }
}

function playOffsets(clip: PlaybackClip, frame: Float64Array, f: number, { offsets }: PlaybackWork): void {
  const { moving, movingKeys, translationKeys, translationStride, movingLinear } = clip;
  offsets.set(clip.offsets);
  const t = frame[f + 1];
  const step = clip.compiled.frameCount > 1 ? translationStride : 0;
  for (let m = 0; m < moving.length; m++) {
    const a = frame[f] * translationStride + movingKeys[m];
    const b = a + step;
    const x = translationKeys[a] + t * (translationKeys[b] - translationKeys[a]);
    const y = translationKeys[a + 1] + t * (translationKeys[b + 1] - translationKeys[a + 1]);
    const z = translationKeys[a + 2] + t * (translationKeys[b + 2] - translationKeys[a + 2]);
    const l = 12 * m;
    const o = 4 * moving[m];
    offsets[o] += movingLinear[l] * x + movingLinear[l + 4] * y + movingLinear[l + 8] * z;
    offsets[o + 1] += movingLinear[l + 1] * x + movingLinear[l + 5] * y + movingLinear[l + 9] * z;
    offsets[o + 2] += movingLinear[l + 2] * x + movingLinear[l + 6] * y + movingLinear[l + 10] * z;
  }
}

function writeMatrices({ rotations, links, constants, offsets, matrices }: PlaybackWork): void {
  const count = links.length / LINK_STRIDE;
  for (let k = 0, link = 0, c = 0; k < count; k++, link += LINK_STRIDE, c += CONSTANT_STRIDE) {
    const q = links[link];
    const o = links[link + 1];
    const p = links[link + 2];
    const ax = rotations[q];
    const ay = rotations[q + 1];
    const az = rotations[q + 2];
    const aw = rotations[q + 3];
    const bx = constants[c];
    const by = constants[c + 1];
    const bz = constants[c + 2];
    const bw = constants[c + 3];
    const x = aw * bx + ax * bw + ay * bz - az * by;
    const y = aw * by - ax * bz + ay * bw + az * bx;
    const z = aw * bz + ax * by - ay * bx + az * bw;
    const w = aw * bw - ax * bx - ay * by - az * bz;
    const scale = constants[c + 7];
    const s = (2 * scale) / (x * x + y * y + z * z + w * w);
    const xs = x * s;
    const ys = y * s;
    const zs = z * s;
    const ws = w * s;
    const xx = scale - (y * ys + z * zs);
    const xy = x * ys + z * ws;
    const xz = x * zs - y * ws;
    const yx = x * ys - z * ws;
    const yy = scale - (x * xs + z * zs);
    const yz = y * zs + x * ws;
    const zx = x * zs + y * ws;
    const zy = y * zs - x * ws;
    const zz = scale - (x * xs + y * ys);
    const bindX = constants[c + 4];
    const bindY = constants[c + 5];
    const bindZ = constants[c + 6];
    const ox = offsets[4 * k];
    const oy = offsets[4 * k + 1];
    const oz = offsets[4 * k + 2];
    let px = ox;
    let py = oy;
    let pz = oz;
    if (p >= 0) {
      px = matrices[p] * ox + matrices[p + 4] * oy + matrices[p + 8] * oz + matrices[p + 12];
      py = matrices[p + 1] * ox + matrices[p + 5] * oy + matrices[p + 9] * oz + matrices[p + 13];
      pz = matrices[p + 2] * ox + matrices[p + 6] * oy + matrices[p + 10] * oz + matrices[p + 14];
    }
    matrices[o] = xx;
    matrices[o + 1] = xy;
    matrices[o + 2] = xz;
    matrices[o + 4] = yx;
    matrices[o + 5] = yy;
    matrices[o + 6] = yz;
    matrices[o + 8] = zx;
    matrices[o + 9] = zy;
    matrices[o + 10] = zz;
    matrices[o + 12] = px + xx * bindX + yx * bindY + zx * bindZ;
    matrices[o + 13] = py + xy * bindX + yy * bindY + zy * bindZ;
    matrices[o + 14] = pz + xz * bindX + yz * bindY + zz * bindZ;
  }
}

/**
 * Writes model matrices: samples, multiplies and converts every rotation in one loop. Most joints follow their parent in the list: its rotation and matrix are
 * still in variables, which is faster than reading them again.
 */
function playModel(
  clip: PlaybackClip,
  frame: Float64Array,
  f: number,
  out: Float32Array,
  start: number,
  modelLinks: Int32Array,
  { rotations, scales, offsets }: PlaybackWork,
): void {
  const { stepKeys, stepRotations } = clip;
  const { frames, frameStride, frameCount } = clip.compiled;
  const t = frame[f + 1];
  const first = frame[f] * frameStride;
  const step = frameCount > 1 ? frameStride : 0;
  const count = modelLinks.length;
  // The model rotation, the linear part of the matrix and the translation of the joint before.
  let x = 0;
  let y = 0;
  let z = 0;
  let w = 1;
  let xx = 1;
  let xy = 0;
  let xz = 0;
  let yx = 0;
  let yy = 1;
  let yz = 0;
  let zx = 0;
  let zy = 0;
  let zz = 1;
  let px = 0;
  let py = 0;
  let pz = 0;
  for (let k = 0, o = start; k < count; k++, o += MATRIX_STRIDE) {
    const link = modelLinks[k];
    const parent = link >> 1;
    if (parent !== PARENT_BEFORE) {
      const q = parent === PARENT_NONE ? FRAME_FROM : STEPS_FROM + 4 * (parent - PARENT_FROM);
      x = rotations[q];
      y = rotations[q + 1];
      z = rotations[q + 2];
      w = rotations[q + 3];
      if (parent === PARENT_NONE) {
        xx = 1;
        xy = 0;
        xz = 0;
        yx = 0;
        yy = 1;
        yz = 0;
        zx = 0;
        zy = 0;
        zz = 1;
        px = 0;
        py = 0;
        pz = 0;
      } else {
        const p = start + MATRIX_STRIDE * (parent - PARENT_FROM);
        xx = out[p];
        xy = out[p + 1];
        xz = out[p + 2];
        yx = out[p + 4];
        yy = out[p + 5];
        yz = out[p + 6];
        zx = out[p + 8];
        zy = out[p + 9];
        zz = out[p + 10];
        px = out[p + 12];
        py = out[p + 13];
        pz = out[p + 14];
      }
    }
    const ox = offsets[4 * k];
    const oy = offsets[4 * k + 1];
    const oz = offsets[4 * k + 2];
    px += xx * ox + yx * oy + zx * oz;
    py += xy * ox + yy * oy + zy * oz;
    pz += xz * ox + yz * oy + zz * oz;
    const key = stepKeys[k];
    let lx: number;
    let ly: number;
    let lz: number;
    let lw: number;
    if (key < 0) {
      lx = stepRotations[4 * k];
      ly = stepRotations[4 * k + 1];
      lz = stepRotations[4 * k + 2];
      lw = stepRotations[4 * k + 3];
    } else {
      const a = first + key;
      const b = a + step;
      lx = frames[a];
      ly = frames[a + 1];
      lz = frames[a + 2];
      lw = frames[a + 3];
      lx += t * (frames[b] - lx);
      ly += t * (frames[b + 1] - ly);
      lz += t * (frames[b + 2] - lz);
      lw += t * (frames[b + 3] - lw);
    }
    const ax = x;
    const ay = y;
    const az = z;
    const aw = w;
    x = aw * lx + ax * lw + ay * lz - az * ly;
    y = aw * ly - ax * lz + ay * lw + az * lx;
    z = aw * lz + ax * ly - ay * lx + az * lw;
    w = aw * lw - ax * lx - ay * ly - az * lz;
    if ((link & 1) !== 0) {
      const r = STEPS_FROM + 4 * k;
      rotations[r] = x;
      rotations[r + 1] = y;
      rotations[r + 2] = z;
      rotations[r + 3] = w;
    }
    const scale = scales[k];
    const s = (2 * scale) / (x * x + y * y + z * z + w * w);
    const xs = x * s;
    const ys = y * s;
    const zs = z * s;
    const ws = w * s;
    const x2 = x * xs;
    const y2 = y * ys;
    const z2 = z * zs;
    const xTimesY = x * ys;
    const xTimesZ = x * zs;
    const yTimesZ = y * zs;
    const xTimesW = x * ws;
    const yTimesW = y * ws;
    const zTimesW = z * ws;
    xx = scale - y2 - z2;
    xy = xTimesY + zTimesW;
    xz = xTimesZ - yTimesW;
    yx = xTimesY - zTimesW;
    yy = scale - x2 - z2;
    yz = yTimesZ + xTimesW;
    zx = xTimesZ + yTimesW;
    zy = yTimesZ - xTimesW;
    zz = scale - x2 - y2;
    out[o] = xx;
    out[o + 1] = xy;
    out[o + 2] = xz;
    out[o + 3] = 0;
    out[o + 4] = yx;
    out[o + 5] = yy;
    out[o + 6] = yz;
    out[o + 7] = 0;
    out[o + 8] = zx;
    out[o + 9] = zy;
    out[o + 10] = zz;
    out[o + 11] = 0;
    out[o + 12] = px;
    out[o + 13] = py;
    out[o + 14] = pz;
    out[o + 15] = 1;
  }
}

const located = new Float64Array(2);

/**
 * Computes the matrices of a character at a time of a clip, which is clamped to it: skinning matrices in the order of the joints, or model matrices
 * in the order of the nodes. `out` receives 16 floats per matrix at `o`, column-major, model space. Allocates nothing.
 */
export function playMatrices(clip: PlaybackClip, time: number, out: Float32Array, o: number, work: PlaybackWork): void {
  locateFrame(located, 0, clip.compiled, time);
  playFrames(clip, located, 0, out, o, work);
}

/**
 * Computes the matrices of a character between two frames, as {@link playMatrices}. Takes the result of `locateFrame` at `f` instead of a time,
 * since the engine boxes a number that it passes to a function of this size.
 */
export function playFrames(
  clip: PlaybackClip,
  frame: Float64Array,
  f: number,
  out: Float32Array,
  o: number,
  work: PlaybackWork,
): void {
  playOffsets(clip, frame, f, work);
  if (work.modelLinks !== null) {
    playModel(clip, frame, f, out, o, work.modelLinks, work);
    return;
  }
  playRotations(clip, frame, f, work);
  writeMatrices(work);
  out.set(work.result, o);
}
