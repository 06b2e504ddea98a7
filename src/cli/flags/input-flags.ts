import { STANDARD_RIG_NAMES, type StandardRigName } from '../../core/humanoid/rigs/rig-names.ts';
import { CHARACTER_FORMATS, listFormats, MOTION_FORMATS } from '../../files/detect.ts';
import { UsageError } from '../errors/cli-errors.ts';

export const INPUT_FORMATS: string = listFormats([...CHARACTER_FORMATS, ...MOTION_FORMATS], 'or');

export const MOTION_FILES: string = `One or more files with motions: ${INPUT_FORMATS}. Also patterns such as "*.fbx" in quotes, folders, and @list.txt with a path per line`;

export const INPUT_FILE: { readonly type: 'positional'; readonly description: string } = {
  type: 'positional',
  description: `A ${INPUT_FORMATS} file`,
};

/** The flag that extends which files an input may reference: parts of a USD scene can be anywhere. */
export const ASSET_FLAGS = {
  'asset-root': {
    type: 'string',
    group: 'input',
    valueHint: 'FOLDER',
    description:
      'Folder whose files an input may reference, for USD scenes that use paths like ../chars/hero.usda. By default only files next to the input and below are read',
  },
} as const;

export const MODEL_FLAG = {
  model: {
    type: 'string',
    group: 'input',
    valueHint: 'FILE',
    description: 'PMX or PMD that a VMD or VPD plays on; by default the standard skeleton of MMD',
  },
} as const;

/** The flag for files that are converted, with many instances of their meshes. */
export const VERTEX_FLAGS = {
  'max-vertices': {
    type: 'string',
    group: 'input',
    valueHint: 'N',
    description:
      'Most vertices that all uses of the meshes of a file may become; 2,097,152 by default, or half the bytes of a larger file',
  },
} as const;

/** Reads the name of a standard rig. Throws UsageError for a name that is none. */
export function readRig(name: string): StandardRigName {
  const rig = STANDARD_RIG_NAMES.find((one) => one === name);
  if (rig !== undefined) return rig;
  throw new UsageError(`--to is ${JSON.stringify(name)}; expected one of ${STANDARD_RIG_NAMES.join(', ')}`);
}
