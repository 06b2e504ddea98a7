/** The built-in files, for pages that list them without loading what makes them. */
import { DEMO_CHARACTERS, DEMO_MOTIONS } from '../src/demo/index.ts';

/** A built-in file. */
export interface BuiltIn {
  readonly name: string;
  readonly title: string;
  readonly about: string;
}

declare const data: { readonly motions: readonly BuiltIn[]; readonly characters: readonly BuiltIn[] };

export { data };

const inWords = ({ name, title, about }: BuiltIn): BuiltIn => ({ name, title, about });

export default {
  load: () => ({ motions: DEMO_MOTIONS.map(inWords), characters: DEMO_CHARACTERS.map(inWords) }),
};
