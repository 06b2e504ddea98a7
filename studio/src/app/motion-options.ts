/** The options of a retargeted motion, as the page keeps them: JSON. */
import type { HipsScale } from 'anyrig';

/** Options of a retargeted motion; names and values are those of `anyrig retarget`. */
export interface MotionOptions {
  /** How far the hips travel per meter of the motion. */
  readonly hipsScale: HipsScale;
  /** Contacts with the ground. */
  readonly contacts: 'auto' | 'lock' | 'ground' | 'off';
  /** Outward rotation of the upper arms in degrees. */
  readonly armSpace: number | 'auto';
  /** Outward rotation of the upper legs in degrees. */
  readonly legSpace: number | 'auto';
  /** Whether arms are kept out of trunk, head and thighs. */
  readonly selfCollision: boolean;
  /** Whether hands touch what those of the motion touch. */
  readonly hands: boolean;
  /** Where root motion goes. */
  readonly root: 'keep' | 'hips' | 'root-bone' | 'in-place';
  /** Whether twist joints are rotated. */
  readonly twist: boolean;
  /** Whether rotations are distributed over the joints between two bones. */
  readonly distribute: boolean;
  /** Whether expressions, morph weights and look-at are retargeted by meaning. */
  readonly face: boolean;
  /** Leaves out a pose at the start that the motion jumps from. */
  readonly skipFirstPose: boolean;
  /** Whether left and right are exchanged. */
  readonly mirror: boolean;
  /** Whether the end of the clip is blended into its start. */
  readonly loop: boolean;
  /** Playback speed. */
  readonly speed: number;
  /** Part of the motion to keep, in seconds; null keeps all. */
  readonly trim: readonly [from: number, to: number] | null;
  /** Angular tolerance in degrees for removing redundant keys; null keeps them. */
  readonly reduce: number | null;
  /** Which keys the result has: LINEAR, or also splines. */
  readonly keys: 'linear' | 'exact';
  /** Frames per second of the result; null keeps the keys of the motion. */
  readonly fps: number | null;
}

/** What `anyrig retarget` does without options. */
export const MOTION_DEFAULTS: MotionOptions = {
  hipsScale: 'hips',
  contacts: 'auto',
  armSpace: 0,
  legSpace: 0,
  selfCollision: true,
  hands: false,
  root: 'keep',
  twist: true,
  distribute: false,
  face: true,
  skipFirstPose: false,
  mirror: false,
  loop: false,
  speed: 1,
  trim: null,
  reduce: null,
  keys: 'linear',
  fps: null,
};
