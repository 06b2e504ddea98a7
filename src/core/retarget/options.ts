/** What of a motion is carried over, and how far the hips travel. */
export interface RetargetOptions {
  /** Rotations of all bones. */
  readonly rotation?: boolean;
  /** Translation of the hips, scaled by {@link RetargetOptions.hipsScale}. */
  readonly hipsTranslation?: boolean;
  /** Translations of the other bones, as offsets from their rest, scaled like the hips. */
  readonly translation?: boolean;
  /** Scales of the bones, relative to their rest. */
  readonly scale?: boolean;
  /** `auto`: the ratio of the hips heights; `none`: meter for meter; a number: that factor. */
  readonly hipsScale?: 'auto' | 'none' | number;
  /** Joints on a limb take their share, by their place on it, of the twist of the hand, the foot and the limb itself. */
  readonly twist?: boolean;
  /**
   * Joints between two bones of the trunk or of a finger share the turn from one to the other evenly; otherwise the lower bone makes all of
   * it. Bones stand the same either way.
   */
  readonly distribute?: boolean;
}

/** Rotations and the path of the hips: what makes a motion. Stretching and squashing belong to the body it was made for. */
export const RETARGET_DEFAULTS: Required<RetargetOptions> = {
  rotation: true,
  hipsTranslation: true,
  translation: false,
  scale: false,
  hipsScale: 'auto',
  twist: true,
  distribute: false,
};
