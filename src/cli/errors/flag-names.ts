import { flagName } from '../../files/options/motion-options.ts';

const OTHER_NAMES: Readonly<Record<string, string>> = { output: '--out', clips: '--clip' };

export function flagOf(option: string, isOff = false): string {
  return OTHER_NAMES[option] ?? `--${isOff ? 'no-' : ''}${flagName(option)}`;
}

/** Replaces options in a message of the library by flags: `the option tPose` becomes `--t-pose`, `the option mesh: false` becomes `--no-mesh`. */
export function withFlags(message: string): string {
  return message.replace(
    /\bthe option ([a-z][A-Za-z0-9]*)(: false)?(?!\w|\.\w)/gi,
    (_, option: string, off?: string) => {
      return flagOf(option, off !== undefined);
    },
  );
}
