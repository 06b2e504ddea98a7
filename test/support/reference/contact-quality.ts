/**
 * Measures what one sees of retargeted contacts: sliding and drifting feet, soles below or above the ground, jerk, flipping joints. All figures
 * compare the target with the source scaled by k, the ratio of the two hips paths; the source itself may slide on purpose.
 */
import type { Clip } from '../../../src/core/animation/clip.ts';
import {
  type CharacterFrames,
  type FrameGrid,
  sampleCharacterFrames,
} from '../../../src/core/contacts/frames/character-frames.ts';
import { createPosedCharacter } from '../../../src/core/contacts/frames/posed-character.ts';
import { sampleSourceFrames } from '../../../src/core/contacts/frames/sample-source.ts';
import type { SourceSamples } from '../../../src/core/contacts/frames/source-samples.ts';
import { findFootPlants, type Plant, plantedFrames } from '../../../src/core/contacts/plants/find-plants.ts';
import type { ContactSurface } from '../../../src/core/contacts/surface/contact-surface.ts';
import { SIDES, type Side } from '../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { PLANTED_HEIGHT, plantedWeight } from './foot-skate.ts';

/** Clearance of the source, relative to its height, up to which a foot or the trunk is in contact. */
const CONTACT_HEIGHT = 0.005;

/** A foot that is faster than this over the ground, leg lengths per second, does not slide: the clip cuts to another pose, as after a first frame in T-pose. */
const CUT_SPEED = 10;

/** One side of a comparison. */
export interface ContactMotion {
  /** The character. */
  readonly humanoid: Humanoid;
  /** Its surface. */
  readonly surface: ContactSurface;
  /** Its clip. */
  readonly clip: Clip;
  /** Samples of its clips, from `createSourceSamples`, that comparisons with other targets share. */
  readonly samples?: SourceSamples;
}

/** Options of {@link measureContacts}. */
export interface ContactQualityOptions {
  /** Samples per second; 60 by default. */
  readonly fps?: number;
  /** k: meters that the target travels per meter of the source; the ratio of the hips heights by default. */
  readonly hipsScale?: number;
}

/** Distribution of a figure. */
export interface Spread {
  /** Mean. */
  readonly mean: number;
  /** 95th percentile. */
  readonly p95: number;
  /** Maximum. */
  readonly max: number;
}

/** The contacts of a target compared with those of its source. Lengths in percent of the height of the target. */
export interface ContactQuality {
  /** Mean speed of planted feet along the ground, weighted by height (Zhang et al., Mode-Adaptive Neural Networks, 2018), % per second. */
  readonly slide: {
    /** The source, times k. */
    readonly source: number;
    /** The target. */
    readonly target: number;
  };
  /** Horizontal distance from the start of a plant, the maximum per plant: mean over all plants of the source, toe joints and heels. */
  readonly drift: {
    /** The source, times k. */
    readonly source: number;
    /** The target. */
    readonly target: number;
    /** 90th percentile over the plants of the target. */
    readonly p90: number;
    /** Number of plants. */
    readonly plants: number;
  };
  /** How much deeper the lowest point of a sole is below the ground than that of the source times k, over all frames and feet. */
  readonly penetration: Spread;
  /** How much higher the lowest point of a planted sole is above the ground than that of the source times k, in frames where that touches. */
  readonly float: Spread;
  /**
   * How far the lowest point of the trunk (head, thighs and knees included) is above the ground, or deeper below it than that of the source times k, in frames
   * where that of the source touches the ground; null without.
   */
  readonly trunk: Spread | null;
}

function spreadOf(values: number[]): Spread {
  if (values.length === 0) return { mean: 0, p95: 0, max: 0 };
  const sorted = values.sort((a, b) => a - b);
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  return { mean, p95: sorted[Math.floor(0.95 * (sorted.length - 1))], max: sorted[sorted.length - 1] };
}

/** Horizontal distance between two frames of a path. */
function distance(path: Float64Array, a: number, b: number): number {
  return Math.hypot(path[3 * b] - path[3 * a], path[3 * b + 2] - path[3 * a + 2]);
}

/**
 * Sums how far a foot travels over the ground, each step weighted by how much the foot of the source is on the ground in it. Cuts
 * of the source are left out.
 */
function slideOf(weighing: CharacterFrames, floor: number, moving: CharacterFrames, side: Side): number {
  const [by, leg] = [weighing.legs[side], moving.legs[side]];
  if (by === null || leg === null) return 0;
  const limit = PLANTED_HEIGHT * by.leg.length;
  let sum = 0;
  for (let frame = 1; frame < moving.grid.count; frame++) {
    const height = (by.ball[3 * frame + 1] + by.ball[3 * frame - 2]) / 2 - floor - by.leg.sole.ballHeight;
    if (distance(by.ball, frame - 1, frame) > CUT_SPEED * by.leg.length * moving.grid.step) continue;
    sum += (distance(leg.ball, frame - 1, frame) / moving.grid.step) * plantedWeight(height, limit);
  }
  return sum / Math.max(1, moving.grid.count - 1);
}

function driftOf(path: Float64Array, { from, to }: Plant): number {
  let most = 0;
  for (let frame = from; frame <= to; frame++) most = Math.max(most, distance(path, from, frame));
  return most;
}

/**
 * Compares the contacts of a motion before and after retargeting.
 *
 * @param source The source.
 * @param target The target.
 * @param options Sampling rate, and k.
 * @returns The measures.
 */
export function measureContacts(
  source: ContactMotion,
  target: ContactMotion,
  { fps = 60, hipsScale = target.humanoid.hipsHeight / source.humanoid.hipsHeight }: ContactQualityOptions = {},
): ContactQuality {
  const grid: FrameGrid = { start: 0, count: Math.max(1, Math.floor(source.clip.duration * fps)) + 1, step: 1 / fps };
  const a = sampleSourceFrames({ ...source, samples: source.samples ?? null }, source.clip, grid, 'all');
  const b = sampleCharacterFrames(createPosedCharacter(target.humanoid, target.surface), target.clip, grid);
  const k = hipsScale;
  const percent = 100 / target.humanoid.height;
  const contact = CONTACT_HEIGHT * source.humanoid.height;
  const slide = { source: 0, target: 0 };
  const drifts: { source: number; target: number }[] = [];
  const penetration: number[] = [];
  const float: number[] = [];
  let feet = 0;
  for (const side of SIDES) {
    const [from, to] = [a.legs[side], b.legs[side]];
    if (from === null || to === null) continue;
    feet++;
    slide.source += k * slideOf(a, source.surface.floor, a, side) * percent;
    slide.target += slideOf(a, source.surface.floor, b, side) * percent;
    const plants = findFootPlants(from, grid.step);
    for (const point of ['ball', 'heel'] as const) {
      for (const plant of plants[point]) {
        drifts.push({
          source: k * driftOf(from[point], plant) * percent,
          target: driftOf(to[point], plant) * percent,
        });
      }
    }
    const planted = plantedFrames(plants, grid.count);
    for (let frame = 0; frame < grid.count; frame++) {
      const [before, after] = [k * from.clearance[frame], to.clearance[frame]];
      penetration.push(Math.max(0, Math.min(0, before) - after) * percent);
      if (planted[frame] === 1 && from.clearance[frame] <= contact)
        float.push(Math.max(0, after - Math.max(0, before)) * percent);
    }
  }
  const touches: number[] = [];
  for (let frame = 0; frame < grid.count; frame++) {
    const [before, after] = [k * a.clearance[frame], b.clearance[frame]];
    if (a.clearance[frame] > contact || !Number.isFinite(after)) continue;
    touches.push(Math.max(0, after - Math.max(0, before), Math.min(0, before) - after) * percent);
  }
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const sorted = drifts.map(({ target: one }) => one).sort((x, y) => x - y);
  return {
    slide: { source: slide.source / Math.max(1, feet), target: slide.target / Math.max(1, feet) },
    drift: {
      source: mean(drifts.map(({ source: one }) => one)),
      target: mean(drifts.map(({ target: one }) => one)),
      p90: sorted[Math.floor(0.9 * (sorted.length - 1))] ?? 0,
      plants: drifts.length,
    },
    penetration: spreadOf(penetration),
    float: spreadOf(float),
    trunk: touches.length === 0 ? null : spreadOf(touches),
  };
}
