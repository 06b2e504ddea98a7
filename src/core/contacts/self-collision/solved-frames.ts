/** The frames in which arms are solved: their changes take a tenth of a second and more, so that fewer frames than a clip has are enough, and the others lie in between. */
import type { CutTiming } from '../paths/timing.ts';
import { FRAME_STRIDE } from './bone-frames.ts';

/** Fewest frames per second in which arms are solved. */
const RATE = 24;

/** Chooses every nth frame, first and last included: as few as {@link RATE} allows. */
export function chooseFrames(count: number, step: number): Int32Array {
  // Rounding of times must not turn 24 frames per second into 48.
  const every = Math.max(1, Math.floor(1 / (RATE * step) + 1e-6));
  const intervals = Math.ceil((count - 1) / every);
  return Int32Array.from({ length: intervals + 1 }, (_, k) =>
    intervals === 0 ? 0 : Math.round((k * (count - 1)) / intervals),
  );
}

export function bonesOfFrames(bones: Float64Array, frames: Int32Array): Float64Array {
  const out = new Float64Array(FRAME_STRIDE * frames.length);
  for (let k = 0; k < frames.length; k++) {
    out.set(bones.subarray(FRAME_STRIDE * frames[k], FRAME_STRIDE * (frames[k] + 1)), FRAME_STRIDE * k);
  }
  return out;
}

/** Returns the timing of some frames: a frame after a cut does not continue the one before. */
export function timingOfFrames({ step, loops, cuts }: CutTiming, frames: Int32Array): CutTiming {
  const own = Uint8Array.from(frames, (frame, k) =>
    k > 0 && cuts.subarray(frames[k - 1] + 1, frame + 1).includes(1) ? 1 : 0,
  );
  return { step: frames.length > 1 ? (step * (cuts.length - 1)) / (frames.length - 1) : step, loops, cuts: own };
}

/** Interpolates between the second and the third of four values (Catmull and Rom 1974). */
function between(a: number, b: number, c: number, d: number, t: number): number {
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

/**
 * Interpolates values of some frames; none across a cut.
 *
 * @param width Numbers per frame.
 * @param timing That of all frames.
 * @returns `width` numbers for each of all frames.
 */
export function valuesBetween(
  values: Float64Array,
  width: number,
  frames: Int32Array,
  { cuts, loops }: CutTiming,
): Float64Array {
  const count = cuts.length;
  if (frames.length === count) return values;
  const last = frames.length - 1;
  const out = new Float64Array(width * count);
  const isCut = (from: number, to: number): boolean => cuts.subarray(from + 1, to + 1).includes(1);
  /** The frame after another one in a direction; the same one beyond an end or a cut. */
  const beside = (k: number, direction: 1 | -1): number => {
    const next = k + direction;
    if (next < 0) return loops ? last - 1 : k;
    if (next > last) return loops ? 1 : k;
    return isCut(frames[Math.min(k, next)], frames[Math.max(k, next)]) ? k : next;
  };
  for (let k = 0; k < last; k++) {
    const [from, to] = [frames[k], frames[k + 1]];
    const isJump = isCut(from, to);
    const [a, b, c, d] = [beside(k, -1), k, k + 1, beside(k + 1, 1)].map((one) => width * one);
    for (let frame = from; frame < to; frame++) {
      const t = (frame - from) / (to - from);
      const jumped = isJump && isCut(from, frame) ? c : b;
      for (let u = 0; u < width; u++) {
        out[width * frame + u] = isJump
          ? values[jumped + u]
          : between(values[a + u], values[b + u], values[c + u], values[d + u], t);
      }
    }
  }
  out.set(values.subarray(width * last), width * (count - 1));
  return out;
}
