/** Figures of a retargeted clip, sampled coarsely: they rank results, `anyrig compare` measures them. */
import type { Clip } from '../../core/animation/clip.ts';
import type { SourceSamples } from '../../core/contacts/frames/source-samples.ts';
import type { ContactSurface } from '../../core/contacts/surface/contact-surface.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { measureContacts } from '../../core/measure/contact-quality.ts';
import { measurePoseError } from '../../core/measure/pose-error.ts';
import type { PairFigures } from '../run/task-outcome.ts';

/** Samples per second. */
const POSE_FPS = 6;
const CONTACT_FPS = 30;
/** Longest motion that is sampled at these rates, seconds; longer ones have as many samples. */
const LONGEST = 12;

/** A side of a pair. */
export interface MeasuredSide {
  /** The character. */
  readonly humanoid: Humanoid;
  /** What of it can touch the ground. */
  readonly surface: ContactSurface;
  /** Its clip. */
  readonly clip: Clip;
  /** Samples of its clips that comparisons with other characters share. */
  readonly samples?: SourceSamples;
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}

/**
 * Measures a retargeted clip against its motion.
 *
 * @param source The motion.
 * @param target The result.
 * @param hipsScale Meters of the target per meter of the source.
 * @returns The figures, with four digits.
 */
export function measurePair(source: MeasuredSide, target: MeasuredSide, hipsScale: number): PairFigures {
  const slower = Math.max(1, source.clip.duration / LONGEST);
  const pose = measurePoseError(source.humanoid, source.clip, target.humanoid, target.clip, { fps: POSE_FPS / slower });
  const { slide, penetration, float } = measureContacts(source, target, { hipsScale, fps: CONTACT_FPS / slower });
  return {
    poseErrorMean: round(pose.worldDelta.mean),
    poseErrorMax: round(pose.worldDelta.max),
    poseErrorBone: pose.worldDelta.bone,
    slide: round(slide.target),
    slideOfSource: round(slide.source),
    penetration: round(penetration.p95),
    float: round(float.p95),
  };
}

/**
 * Combines the figures of several clips: of each figure the worst.
 *
 * @param all Figures of the clips.
 * @returns The worst; null without clips.
 */
export function worstFigures(all: readonly PairFigures[]): PairFigures | null {
  const [first] = all;
  if (first === undefined) return null;
  const worst = all.reduce((a, b) => (b.poseErrorMax > a.poseErrorMax ? b : a));
  const sliding = all.reduce((a, b) => (b.slide - b.slideOfSource > a.slide - a.slideOfSource ? b : a));
  const most = (of: (one: PairFigures) => number): number => Math.max(...all.map(of));
  return {
    poseErrorMean: most(({ poseErrorMean }) => poseErrorMean),
    poseErrorMax: worst.poseErrorMax,
    poseErrorBone: worst.poseErrorBone,
    slide: sliding.slide,
    slideOfSource: sliding.slideOfSource,
    penetration: most(({ penetration }) => penetration),
    float: most(({ float }) => float),
  };
}
