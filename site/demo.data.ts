/** The built-in files, for pages that list them without loading what makes them. */
import { CHARACTERS, MOTIONS } from './built-in.ts';

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
  load: () => ({ motions: MOTIONS.map(inWords), characters: CHARACTERS.map(inWords) }),
};
