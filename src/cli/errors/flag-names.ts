/** Names flags where the library names its options. */
import { flagName } from '../../files/options/motion-options.ts';

/** Options whose flag has another name. */
const OTHER_NAMES: Readonly<Record<string, string>> = { output: '--out', clips: '--clip' };

/**
 * Converts an option of the library to its flag.
 * @param option name of the option, such as `targetSkeleton`
 * @param isOff whether the flag that sets a boolean option to false is meant
 * @returns the flag, such as `--target-skeleton`
 */
export function flagOf(option: string, isOff = false): string {
  return OTHER_NAMES[option] ?? `--${isOff ? 'no-' : ''}${flagName(option)}`;
}

/**
 * Replaces options in a message of the library by flags: `the option tPose` becomes `--t-pose`, `the option mesh: false` becomes `--no-mesh`.
 * @param message text of an error or issue
 * @returns the text for the command line
 */
export function withFlags(message: string): string {
  return message.replace(
    /\bthe option ([a-z][A-Za-z0-9]*)(: false)?(?!\w|\.\w)/gi,
    (_, option: string, off?: string) => {
      return flagOf(option, off !== undefined);
    },
  );
}
