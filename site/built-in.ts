/** The motions and characters that home page and gallery show; the home page begins with the first motion on the first five characters. */
import { DEMO_CHARACTERS, DEMO_MOTIONS, type DemoFile } from '../src/demo/index.ts';

/** The motions. */
export const MOTIONS: readonly DemoFile[] = DEMO_MOTIONS;

/** The characters. */
export const CHARACTERS: readonly DemoFile[] = DEMO_CHARACTERS;

/** Returns a motion or a character by its file name. */
export function builtIn(name: string): DemoFile {
  const file = [...MOTIONS, ...CHARACTERS].find((one) => one.name === name);
  if (file === undefined) throw new RangeError(`There is no built-in file ${name}.`);
  return file;
}
