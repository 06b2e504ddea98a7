import { SIDES, type Side } from '../humanoid/bones.ts';
import { footBone, standingHeight } from './body.ts';
import { FRAME_STRIDE, type JointFrames } from './joint-frames.ts';
import { type SourceAndResult, type Spread, spreadOf } from './spread.ts';

/** Height of the toe joint above its height in the standing pose, relative to the height of the character, below which a foot can be in contact. */
const LOW = 0.025;
/** Speed along the ground below which it is, heights per second. */
const SLOW = 0.15;
/** Shortest contact, seconds. */
const SHORTEST = 0.06;
/** Height of the lowest point of the skin of a source, relative to its height, up to which it touches the ground. */
const TOUCHING = 0.005;
/** A foot of the source that is faster than this, heights per second, does not slide: the clip cuts to another pose. */
const CUT = 5;

/** Feet of a result in the contacts of its source, in percent of the height of the result; the source is scaled by the ratio of the legs. */
export interface FootFigures {
  /** Number of contacts of the source, both feet. */
  readonly contacts: number;
  /** Mean speed of feet along the ground in these contacts, % per second. */
  readonly slide: SourceAndResult;
  /** Distance from the start of a contact, the maximum of each: mean over all contacts. */
  readonly drift: SourceAndResult;
  /** How much deeper the soles are below the ground than those of the source, over all frames. */
  readonly below: Spread;
  /** How much higher the soles are than those of the source in its contacts. */
  readonly above: Spread;
  /** How far the rest of the skin is above the ground or below it where that of the source is on it, lying, sitting or kneeling; null where it does not. */
  readonly lying: Spread | null;
}

interface Contact {
  readonly from: number;
  readonly to: number;
}

interface Foot {
  /** Positions, xyz per frame. */
  readonly at: (frame: number, axis: number) => number;
  /** Height of the joint above its height in the standing pose. */
  readonly lift: Float64Array;
  /** Height of the sole: of the skin, else that of the joint above its height in the standing pose. */
  readonly sole: Float64Array;
  readonly hasSkin: boolean;
}

function footOf(frames: JointFrames, side: Side, bone: number): Foot | null {
  const { body, positions, times, soles } = frames;
  if (body.nodes[bone] < 0) return null;
  const at = (frame: number, axis: number): number => positions[FRAME_STRIDE * frame + 3 * bone + axis];
  const heights = Float64Array.from(times, (_, frame) => at(frame, 1));
  // The joint is as high as in the standing pose when the sole is on the ground; in files that do not stand, mostly the lowest of the clip is.
  const standing = body.isStanding ? standingHeight(body, bone) : spreadOf(heights).p5;
  const lift = heights.map((height) => height - standing);
  const skin = soles[side];
  return { at, lift, sole: skin ?? lift, hasSkin: skin !== null };
}

function distance(foot: Foot, a: number, b: number): number {
  return Math.hypot(foot.at(b, 0) - foot.at(a, 0), foot.at(b, 2) - foot.at(a, 2));
}

function findContacts(foot: Foot, { times, body: { height } }: JointFrames): Contact[] {
  const found: Contact[] = [];
  const step = (times[times.length - 1] - times[0]) / (times.length - 1);
  let from = -1;
  for (let frame = 1; frame <= times.length; frame++) {
    const isIn =
      frame < times.length &&
      foot.lift[frame] < LOW * height &&
      distance(foot, frame - 1, frame) < SLOW * height * step;
    if (isIn && from < 0) from = frame;
    if (isIn || from < 0) continue;
    if ((frame - from) * step >= SHORTEST) found.push({ from, to: frame - 1 });
    from = -1;
  }
  return found;
}

function furthest(foot: Foot, { from, to }: Contact): number {
  let most = 0;
  for (let frame = from; frame <= to; frame++) most = Math.max(most, distance(foot, from, frame));
  return most;
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/**
 * Measures the feet of a result against those of its source. Contacts are found here, in the source: a foot that is low and slow. Returns the
 * figures; null where one of them has no feet.
 */
export function measureFeet(source: JointFrames, result: JointFrames): FootFigures | null {
  const count = Math.min(source.times.length, result.times.length);
  const step = (source.times[count - 1] - source.times[0]) / (count - 1);
  const scale = result.body.legLength / source.body.legLength;
  const percent = 100 / result.body.height;
  const [slides, drifts, sourceSlides, sourceDrifts]: number[][] = [[], [], [], []];
  const [below, above]: number[][] = [[], []];
  let feet = 0;
  for (const side of SIDES) {
    const bones = [source, result].map(({ body }) => footBone(body.nodes, side));
    // Toes of the one are not compared with the ankle of the other.
    const bone = Math.min(...bones);
    const [before, after] = [footOf(source, side, bone), footOf(result, side, bone)];
    if (before === null || after === null) continue;
    feet++;
    const isSkin = before.hasSkin && after.hasSkin;
    const [soleBefore, soleAfter] = isSkin ? [before.sole, after.sole] : [before.lift, after.lift];
    for (let frame = 0; frame < count; frame++) {
      below.push(Math.max(0, Math.min(0, scale * soleBefore[frame]) - soleAfter[frame]) * percent);
    }
    for (const contact of findContacts(before, source)) {
      sourceDrifts.push(scale * furthest(before, contact) * percent);
      drifts.push(furthest(after, contact) * percent);
      for (let frame = contact.from; frame <= contact.to; frame++) {
        const way = distance(before, frame - 1, frame);
        if (way > CUT * source.body.height * step) continue;
        sourceSlides.push((scale * way * percent) / step);
        slides.push((distance(after, frame - 1, frame) * percent) / step);
        if (!isSkin || soleBefore[frame] <= TOUCHING * source.body.height)
          above.push(Math.max(0, soleAfter[frame] - Math.max(0, scale * soleBefore[frame])) * percent);
      }
    }
  }
  if (feet === 0) return null;
  const mean = (values: readonly number[]): number => sum(values) / Math.max(1, values.length);
  return {
    contacts: drifts.length,
    slide: { source: mean(sourceSlides), result: mean(slides) },
    drift: { source: mean(sourceDrifts), result: mean(drifts) },
    below: spreadOf(below),
    above: spreadOf(above),
    lying: lyingOf(source, result, scale, count),
  };
}

function lyingOf(source: JointFrames, result: JointFrames, scale: number, count: number): Spread | null {
  const [before, after] = [source.rest, result.rest];
  if (before === null || after === null) return null;
  const touches: number[] = [];
  for (let frame = 0; frame < count; frame++) {
    if (before[frame] > TOUCHING * source.body.height) continue;
    const [low, height] = [scale * before[frame], after[frame]];
    touches.push((Math.max(0, height - Math.max(0, low), Math.min(0, low) - height) * 100) / result.body.height);
  }
  return touches.length === 0 ? null : spreadOf(touches);
}
