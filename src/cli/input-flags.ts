/** Arguments and flags about inputs that several commands have. */
import { CHARACTER_FORMATS, listFormats, MOTION_FORMATS } from '../files/detect.ts';

interface InputArg {
  readonly type: 'positional';
  readonly description: string;
}

/** All formats that are read, in a row. */
export const INPUT_FORMATS: string = listFormats([...CHARACTER_FORMATS, ...MOTION_FORMATS], 'or');

/** A file of any format that is read. */
export const INPUT_FILE: InputArg = { type: 'positional', description: `A ${INPUT_FORMATS} file` };

/** Which files an input may name: parts of a USD scene may lie anywhere. */
export const ASSET_FLAGS = {
  'asset-root': {
    type: 'string',
    valueHint: 'FOLDER',
    description:
      'A folder whose files an input may name too, as scenes of USD do (../chars/hero.usda); without it only files in its own folder and below are read',
  },
} as const;
