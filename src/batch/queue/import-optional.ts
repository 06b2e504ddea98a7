import { OptionError } from '../../files/option-error.ts';

/**
 * Loads an optional package.
 *
 * @param name What to install, for the message.
 * @param load Imports it.
 * @returns Its module.
 * @throws OptionError (`queue`) when it is not installed.
 */
export async function importOptional<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (
      (error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND' &&
      (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND'
    )
      throw error;
    throw new OptionError('queue', `A queue needs packages that are not installed; run "npm install ${name}"`);
  }
}
