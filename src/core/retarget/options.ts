/**
 * How far the hips of the target travel per meter of the source. `hips`: the ratio of the hips heights; `legs`: that of the lengths of the legs, from the hip
 * joint to the ground; `stature`: that of the heights; `none`: meter for meter; a number: that factor.
 */
export type HipsScale = 'hips' | 'legs' | 'stature' | 'none' | number;

/** The names among the values of {@link HipsScale}. */
export const HIPS_SCALES = ['hips', 'legs', 'stature', 'none'] as const satisfies readonly HipsScale[];

/** What to retarget, and how far the hips travel. */
export interface RetargetOptions {
  /** Retarget the rotations of all bones. */
  readonly rotation?: boolean;
  /** Retarget the translation of the hips, scaled by {@link RetargetOptions.hipsScale}. */
  readonly hipsTranslation?: boolean;
  /** Retarget the translations of the other bones as offsets from their rest, scaled as those of the hips. */
  readonly translation?: boolean;
  /** Retarget the scales of the bones, relative to their rest. */
  readonly scale?: boolean;
  /** How far the hips travel; `hips` by default. */
  readonly hipsScale?: HipsScale;
  /** Distribute the twist of hands, feet and limbs to the twist joints of the limbs, by their position along the limb. */
  readonly twist?: boolean;
  /**
   * Distribute the rotation between two bones of the spine or of a finger evenly to the joints between them. Otherwise the lower bone takes
   * all of it. The bones have the same world rotations either way.
   */
  readonly distribute?: boolean;
}

/** Rotations and hips translation. Translations and scales of other bones depend on the proportions of the source and are off. */
export const RETARGET_DEFAULTS: Required<RetargetOptions> = {
  rotation: true,
  hipsTranslation: true,
  translation: false,
  scale: false,
  hipsScale: 'hips',
  twist: true,
  distribute: false,
};
