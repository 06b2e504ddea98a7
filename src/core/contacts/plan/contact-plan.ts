import type { Side } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import type { RetargetPlan } from '../../retarget/plan-types.ts';
import type { SourceSamples } from '../frames/source-samples.ts';
import type { HandContactReport } from '../hands/hand-contact-report.ts';
import type { SelfCollisionReport } from '../self-collision/self-collision-report.ts';
import type { Space, SpacingPlan } from '../spacing/plan-spacing.ts';
import type { ContactSurface } from '../surface/contact-surface.ts';

/**
 * How contacts are kept. `auto`: as the source has them, its own slides included. `lock`: planted feet do not move at all. `ground`: nothing goes
 * below the floor, and nothing else changes.
 */
export type ContactMode = 'auto' | 'lock' | 'ground';

/**
 * How arms are kept out of trunk, head and thighs. `soft`: by a change of gestures that is hardly seen, which may leave them partly inside. `strict`: as far as it
 * takes.
 */
export type SelfCollision = 'soft' | 'strict' | 'off';

/** Options of `planContacts`. */
export interface ContactOptions {
  /** How contacts are kept; `auto` by default. */
  readonly mode?: ContactMode;
  /**
   * Constant outward rotation of the upper arms in degrees, or `auto`: by as much as the target is wider than the source. 0 by default. A motion of the
   * character itself is not rotated again.
   */
  readonly armSpace?: Space;
  /** The same for the upper legs. */
  readonly legSpace?: Space;
  /** How arms are kept out of trunk, head and thighs; by default `soft`, and `off` for the mode `ground`. It needs a surface of the target from its skin. */
  readonly selfCollision?: SelfCollision;
  /**
   * Whether hands touch what those of the source touch; by default on where the surface of the source is its skin, and off for the mode `ground`. It needs a surface of the target from its skin; where that
   * of the source is estimated from its joints, only hands that are clearly on something touch.
   */
  readonly hands?: boolean;
  /** Surface of the source; by default estimated from its joints. */
  readonly sourceSurface?: ContactSurface;
  /** Surface of the target; by default estimated from its joints. */
  readonly targetSurface?: ContactSurface;
  /** Samples of the clips of the source, from `createSourceSamples`, that plans for other targets share; by default nothing is kept. */
  readonly sourceSamples?: SourceSamples;
}

/** How the contacts of any clip of a pair of humanoids are kept. */
export interface ContactPlan {
  /** How contacts are kept. */
  readonly mode: ContactMode;
  /** Constant outward rotations. */
  readonly spacing: SpacingPlan;
  /** How arms are kept out of trunk, head and thighs. */
  readonly selfCollision: SelfCollision;
  /** Whether hands touch what those of the source touch. */
  readonly hands: boolean;
  /** The plan that made the clips. */
  readonly retarget: RetargetPlan;
  /** The humanoid that moves, without the negative scales of its rig. */
  readonly source: Humanoid;
  /** The humanoid that follows, without the negative scales of its rig. */
  readonly target: Humanoid;
  /** What of the source can touch the ground. */
  readonly sourceSurface: ContactSurface;
  /** What of the target can touch the ground. */
  readonly targetSurface: ContactSurface;
  /** Samples of the clips of the source that plans for other targets share; null without. */
  readonly sourceSamples: SourceSamples | null;
}

/** How much each hand rests on something that is not its own body, 0…1 per frame; null for one that never does. */
export type RestingHands = Readonly<Record<Side, Float64Array | null>>;

/** What contacts with the ground changed in a clip. */
export interface GroundReport {
  /** How contacts were kept. */
  readonly mode: ContactMode;
  /** Number of plants of the source, per foot. */
  readonly plants: {
    /** Left foot. */
    readonly left: number;
    /** Right foot. */
    readonly right: number;
  };
  /** Seconds during which the trunk (head, thighs and knees included) is close to the ground. */
  readonly trunkSeconds: number;
  /** Greatest extension of a planted leg that was wanted: distance from hip to ankle relative to the length of the leg. Above 1 it is out of reach. */
  readonly reach: number;
  /** Greatest distance that a foot was moved, meters. */
  readonly largestChange: number;
  /** Greatest distance that a hand that rests on something was moved, apart from the hips, meters. */
  readonly largestHandChange: number;
  /** Greatest distance that the hips were raised, meters. */
  readonly hipsRaised: number;
  /** Greatest distance that the hips were lowered, meters. */
  readonly hipsLowered: number;
}

/** What contacts changed in a clip. */
export interface ContactReport extends GroundReport {
  /** How far the upper arms were rotated outward, degrees. */
  readonly armSpace: number;
  /** How far the upper legs were rotated outward, degrees. */
  readonly legSpace: number;
  /** Greatest distance that a wrist was moved, apart from the hips, relative to the height of the character: above 0.05 it is seen. */
  readonly handsMoved: number;
  /** What keeping the arms out of the character changed; null where it was off, or without a mesh. */
  readonly arms: SelfCollisionReport | null;
  /** What keeping the contacts of hands changed; null where it was off, or without meshes. */
  readonly hands: HandContactReport | null;
}
