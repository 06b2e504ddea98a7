/** The motions and characters that home page and gallery show; the home page begins with the first motion on the first five characters. */
import { DANCE, DEMO_CHARACTERS, DEMO_MOTIONS, type DemoFile } from '../src/demo/index.ts';
import { CAST } from './cast/cast.ts';

/** Characters of the demo that are odd rigs, beside those that one wants to look at. */
const ODD_RIGS = ['unreal.glb', 'blender.glb', 'odd-axes.glb'];

/** The motions. */
export const MOTIONS: readonly DemoFile[] = [DANCE, ...DEMO_MOTIONS.slice(0, 2)];

/** The characters. */
export const CHARACTERS: readonly DemoFile[] = [
  ...CAST,
  ...DEMO_CHARACTERS.filter(({ name }) => ODD_RIGS.includes(name)),
];

/** Returns a motion or a character by its file name. */
export function builtIn(name: string): DemoFile {
  const file = [...MOTIONS, ...DEMO_MOTIONS, ...CHARACTERS].find((one) => one.name === name);
  if (file === undefined) throw new RangeError(`There is no built-in file ${name}.`);
  return file;
}
