/** Writes the records of plans and clips that assembly/playback.ts reads. */

import { MATRIX_STRIDE } from '../../core/skeleton/skeleton.ts';
import type { CompiledClip } from '../compiled-clip.ts';
import type { PlaybackClip } from '../matrices/playback-plan.ts';
import type { KernelPlan } from './level-order.ts';
import type { PlaybackMemory } from './playback-memory.ts';

const FLOAT_BYTES = 4;
const VECTOR_BYTES = 16;
const MATRIX_BYTES = MATRIX_STRIDE * FLOAT_BYTES;
/** Matrices that are written together. */
const LANES = 4;
/** Offset of the rotation in front of the roots, and of the first step, in the rotations of a plan. */
const FRAME_FROM = VECTOR_BYTES;
const STEPS_FROM = 2 * VECTOR_BYTES;
/** Floats per group of four rotations after the driver, with their scales. */
const AFTER_STRIDE = 5 * LANES;
/** Floats per moving offset: three columns and the constant part. */
const MOVING_STRIDE = 16;

/** Addresses of a record and of the blocks that belong to it alone. */
export interface KernelRecord {
  /** Address of the record. */
  readonly address: number;
  /** Addresses of all its blocks, the record included. */
  readonly blocks: readonly number[];
}

/** Stores lists as blocks and collects their addresses. */
function collector(memory: PlaybackMemory): { store: (values: Float32Array | Int32Array) => number; blocks: number[] } {
  const blocks: number[] = [];
  const store = (values: Float32Array | Int32Array): number => {
    const address = memory.store(values);
    blocks.push(address);
    return address;
  };
  return { store, blocks };
}

function hasRotation(after: Float64Array): boolean {
  return after.some((value, i) => value !== (i % 4 === 3 ? 1 : 0));
}

export function storePlan(memory: PlaybackMemory, plan: KernelPlan): KernelRecord {
  const { stepParents, slots, parents, drivers, after, scales, binds, resultCount } = plan;
  const { store, blocks } = collector(memory);
  const count = slots.length;
  const groupCount = Math.ceil(count / LANES);
  const resultBytes = MATRIX_BYTES * resultCount;
  const rotations = new Float32Array((STEPS_FROM + VECTOR_BYTES * stepParents.length) / FLOAT_BYTES);
  rotations[3] = 1;
  rotations.set(plan.frame, FRAME_FROM / FLOAT_BYTES);
  const padded = groupCount * LANES;
  const driverBytes = new Int32Array(padded);
  // Lanes without a matrix write to a scratch matrix of their own.
  const slotBytes = new Int32Array(padded).fill(MATRIX_BYTES * Math.max(count, resultCount));
  const lanes = new Float32Array(AFTER_STRIDE * groupCount);
  for (let k = 0; k < padded; k++) {
    const at = AFTER_STRIDE * Math.floor(k / LANES) + (k % LANES);
    if (k < count) {
      driverBytes[k] = drivers[k] < 0 ? 0 : STEPS_FROM + VECTOR_BYTES * drivers[k];
      slotBytes[k] = MATRIX_BYTES * slots[k];
    }
    for (let c = 0; c < 4; c++) lanes[at + LANES * c] = k < count ? after[4 * k + c] : Number(c === 3);
    lanes[at + LANES * 4] = k < count ? scales[k] : 1;
  }
  const bindRows = new Float32Array(4 * count);
  for (let k = 0; k < count; k++) bindRows.set(binds.subarray(3 * k, 3 * k + 3), 4 * k);
  const extraCount = Math.max(count, resultCount) - resultCount + 1;
  const extra = store(new Float32Array(MATRIX_STRIDE * extraCount));
  const fields = [
    stepParents.length,
    groupCount,
    count,
    resultBytes,
    store(stepParents.map((parent) => (parent < 0 ? FRAME_FROM : STEPS_FROM + VECTOR_BYTES * parent))),
    store(rotations),
    store(driverBytes),
    store(slotBytes),
    store(lanes),
    store(parents.map((parent) => (parent < 0 ? -1 : MATRIX_BYTES * slots[parent]))),
    binds.some((value) => value !== 0) ? store(bindRows) : 0,
    extra - resultBytes,
    Number(hasRotation(after)),
  ];
  return { address: store(Int32Array.from(fields)), blocks };
}

/** Bytes of a clip record, and the fields behind its two float64. */
const CLIP_FIELDS = 4;

/** Stores a clip of a plan, both ordered by level. Its frames and translation keys are in the memory already, at these addresses. */
export function storeClip(
  memory: PlaybackMemory,
  plan: KernelPlan,
  clip: PlaybackClip,
  frames: number,
  translationKeys: number,
): KernelRecord {
  const { store, blocks } = collector(memory);
  const compiled: CompiledClip = clip.compiled;
  const offsets = clip.offsets.slice();
  // The translation of a root is its offset, and a matrix ends with 1.
  for (let k = 0; k < plan.parents.length; k++) if (plan.parents[k] < 0) offsets[4 * k + 3] = 1;
  const moving = new Float32Array(MOVING_STRIDE * clip.moving.length);
  for (let m = 0; m < clip.moving.length; m++) {
    const k = clip.moving[m];
    moving.set(clip.movingLinear.subarray(12 * m, 12 * m + 12), MOVING_STRIDE * m);
    moving.set(offsets.subarray(4 * k, 4 * k + 4), MOVING_STRIDE * m + 12);
  }
  const fields = [
    compiled.frameCount,
    FLOAT_BYTES * compiled.frameStride,
    frames,
    store(clip.stepKeys.map((key) => (key < 0 ? -1 : FLOAT_BYTES * key))),
    store(clip.stepRotations),
    store(offsets),
    clip.moving.length,
    store(clip.moving.map((k) => VECTOR_BYTES * k)),
    store(clip.movingKeys.map((key) => FLOAT_BYTES * key)),
    translationKeys,
    FLOAT_BYTES * clip.translationStride,
    store(moving),
  ];
  const address = store(Int32Array.from([...new Int32Array(CLIP_FIELDS), ...fields]));
  new Float64Array(memory.buffer, address, 2).set([compiled.duration, compiled.frameRate]);
  return { address, blocks };
}
