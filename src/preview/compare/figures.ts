/** The figures that compare one motion with its source. */
import type { Clip } from '../../core/animation/clip.ts';
import type { ContactSurface } from '../../core/contacts/surface/contact-surface.ts';
import type { SkinPoints } from '../../core/deform/skin-points.ts';
import type { BoneName } from '../../core/humanoid/bones.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { measureContacts, type Spread } from '../../core/measure/contact-quality.ts';
import { measureHandGaps } from '../../core/measure/hand-gaps.ts';
import { type ComparedPart, type LimbErrors, measureLimbErrors } from '../../core/measure/limb-errors.ts';
import { measurePoseError } from '../../core/measure/pose-error.ts';
import { measureSelfPenetration } from '../../core/measure/self-penetration.ts';
import { countSpikes, measureSmoothness, type Smoothness } from '../../core/measure/smoothness.ts';
import { measureRootSpeed, type RootSpeed } from '../../core/root-motion/root-speed.ts';

/** Most vertices of hands and forearms that are tested, and samples per second: enough for percentages. */
const SKIN_OPTIONS = { fps: 10, mostVertices: 400 } as const;
/** The same for the distance of hands. */
const GAP_OPTIONS = { fps: 15, mostVertices: 200 } as const;
/** Slide of a source, % of the height per second, below which its ratio means nothing. */
const STATIC_SLIDE = 0.5;
/** Speed of a source, meters per second, below which its ratio means nothing. */
const STILL_SPEED = 0.01;

/** A character as it is measured. */
export interface ComparedCharacter {
  /** The character. */
  readonly humanoid: Humanoid;
  /** Its surface. */
  readonly surface: ContactSurface;
  /** Its vertices; null without meshes. */
  readonly skin: SkinPoints | null;
}

/** Figures of one motion. Lengths in percent of the height of its character. */
export interface CompareFigures {
  /** Largest and mean angle between the world deltas of the bones and those of the source, degrees. */
  readonly poseError: {
    /** Maximum. */
    readonly max: number;
    /** Mean over bones and time. */
    readonly mean: number;
    /** Bone with the maximum; null if no bone is compared. */
    readonly bone: BoneName | null;
  };
  /** Largest angle per part, degrees. */
  readonly limbs: Readonly<Partial<Record<ComparedPart, number>>>;
  /** Speed of planted feet along the ground, % per second. */
  readonly slide: number;
  /** The same relative to the source, scaled; null for a source that hardly slides. */
  readonly slideRatio: number | null;
  /** Distance of feet from the start of their plants, %: mean and 90th percentile. */
  readonly drift: {
    /** Mean over the plants. */
    readonly mean: number;
    /** 90th percentile. */
    readonly p90: number;
  };
  /** How much deeper soles are below the ground than those of the source, scaled, %. */
  readonly penetration: Spread;
  /** How much higher planted soles are above the ground than those of the source, scaled, %. */
  readonly float: Spread;
  /** How far a trunk on the ground is above or below it, %; null for sources that stand. */
  readonly trunk: Spread | null;
  /** Vertices of hands and forearms inside trunk, head and thighs, percent: mean and worst frame; null without meshes. */
  readonly selfPenetration: {
    /** Mean over the frames. */
    readonly mean: number;
    /** Worst frame. */
    readonly worst: number;
  } | null;
  /**
   * Distance between the skin of hands and that of what those of the source touch, %: mean and worst frame; null without contacts of hands or without
   * meshes.
   */
  readonly handGap: {
    /** Mean over the contacts and their frames. */
    readonly mean: number;
    /** Greatest distance. */
    readonly worst: number;
  } | null;
  /** Jerk relative to that of the source, each in heights. */
  readonly jerkRatio: number;
  /** How often knees and elbows flip from one sample to the next. */
  readonly flips: number;
  /** Samples whose angular velocity jumps by more than three times the 99.9th percentile of the source. */
  readonly spikes: number;
  /** Speed and direction over the ground. */
  readonly root: RootSpeed;
  /** Speed relative to the source times the hips scale; null for a source that stays. */
  readonly speedRatio: number | null;
}

/** Figures of a motion and their course over time. */
export interface MeasuredMotion {
  /** The figures. */
  readonly figures: CompareFigures;
  /** Errors over time. */
  readonly errors: LimbErrors;
  /** How smooth the motion is. */
  readonly smoothness: Smoothness;
}

/** The source of a comparison. */
export interface ComparedSource extends ComparedCharacter {
  /** Its clip. */
  readonly clip: Clip;
  /** How smooth it is. */
  readonly smoothness: Smoothness;
  /** Its speed over the ground. */
  readonly root: RootSpeed;
}

/** Largest error of every part. */
function worstOf({ parts }: LimbErrors): CompareFigures['limbs'] {
  const entries = Object.entries(parts).map(([part, errors]) => [part, errors.reduce((a, b) => Math.max(a, b), 0)]);
  return Object.fromEntries(entries);
}

/**
 * Measures a motion against its source.
 *
 * @param source The source.
 * @param target The character.
 * @param clip Its clip.
 * @param hipsScale Meters of the character per meter of the source.
 * @returns Figures, and errors over time.
 */
export function measureMotion(
  source: ComparedSource,
  target: ComparedCharacter,
  clip: Clip,
  hipsScale: number,
): MeasuredMotion {
  const { humanoid, surface, skin } = target;
  const pose = measurePoseError(source.humanoid, source.clip, humanoid, clip);
  const errors = measureLimbErrors(source.humanoid, source.clip, humanoid, clip);
  const { slide, drift, penetration, float, trunk } = measureContacts(
    source,
    { humanoid, surface, clip },
    { hipsScale },
  );
  const smoothness = measureSmoothness(humanoid, clip);
  const root = measureRootSpeed(humanoid, clip);
  const self = skin === null ? null : measureSelfPenetration({ humanoid, skin, clip }, SKIN_OPTIONS);
  const gaps =
    skin === null || source.skin === null
      ? null
      : measureHandGaps({ ...source, skin: source.skin }, { humanoid, surface, skin, clip }, GAP_OPTIONS);
  const figures: CompareFigures = {
    poseError: { max: pose.worldDelta.max, mean: pose.worldDelta.mean, bone: pose.worldDelta.bone },
    limbs: worstOf(errors),
    slide: slide.target,
    slideRatio: slide.source < STATIC_SLIDE ? null : slide.target / slide.source,
    drift: { mean: drift.target, p90: drift.p90 },
    penetration,
    float,
    trunk,
    selfPenetration: self === null || self.vertices === 0 ? null : { mean: self.mean, worst: self.worst },
    handGap: gaps === null ? null : { mean: gaps.target, worst: gaps.worst },
    jerkRatio: source.smoothness.jerk > 0 ? smoothness.jerk / source.smoothness.jerk : 1,
    flips: smoothness.flips,
    spikes: countSpikes(smoothness, source.smoothness),
    root,
    speedRatio: source.root.speed < STILL_SPEED ? null : root.speed / (source.root.speed * hipsScale),
  };
  return { figures, errors, smoothness };
}
