/** The choices for root motion, apart from the code that moves it: the table of options is also in pages. */

/**
 * Where the root motion of a clip goes. `hips`: all of it is in the hips; nodes above them do not move. `root-bone`: on the root bone, below the character; the hips
 * keep the sway of the steps and all heights. `in-place`: nowhere, the character stays where it is.
 */
export type RootDelivery = 'hips' | 'root-bone' | 'in-place';

/** Where the root motion of a retargeted clip goes: as in {@link RootDelivery}, or `keep`: on the root bone where the source has it there, else in the hips. */
export type RootOption = 'keep' | RootDelivery;

export const ROOT_OPTIONS = ['keep', 'hips', 'root-bone', 'in-place'] as const satisfies readonly RootOption[];
