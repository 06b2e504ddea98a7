import { OptionError } from '../files/option-error.ts';

/** What needs optional packages, by option. */
const USES = { jobs: 'A batch in threads', queue: 'A queue', storage: 'Object storage' } as const;

/** Loads an optional package. Throws OptionError when it is not installed. */
export async function importOptional<Module>(
  option: keyof typeof USES,
  name: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error;
    throw new OptionError(option, `${USES[option]} needs packages that are not installed; run "npm install ${name}"`);
  }
}
