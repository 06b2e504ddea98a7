/** Positional arguments that several commands have. */
import { CHARACTER_FORMATS, listFormats, MOTION_FORMATS } from '../files/detect.ts';

interface InputArg {
  readonly type: 'positional';
  readonly description: string;
}

/** All formats that are read, in a row. */
export const INPUT_FORMATS: string = listFormats([...CHARACTER_FORMATS, ...MOTION_FORMATS], 'or');

/** A file of any format that is read. */
export const INPUT_FILE: InputArg = { type: 'positional', description: `A ${INPUT_FORMATS} file` };
