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
  /** `auto`: the ratio of the hips heights; `none`: meter for meter; a number: that factor. */
  readonly hipsScale?: 'auto' | 'none' | number;
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
  hipsScale: 'auto',
  twist: true,
  distribute: false,
};
