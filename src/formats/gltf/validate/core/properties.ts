/** The properties of core glTF that anyrig interprets, from the schemas of glTF 2.0 section 5. */

/** What a property must be. */
export type Rule = (
  | { readonly is: 'integer' | 'number'; readonly min?: number; readonly max?: number; readonly multiple?: number }
  | { readonly is: 'boolean' | 'string' | 'any' | 'object-of-any' }
  | { readonly is: 'string'; readonly pattern: RegExp }
  | { readonly is: 'choice'; readonly of: readonly (string | number)[] }
  | { readonly is: 'index'; readonly of: string }
  | { readonly is: 'indices'; readonly of: string }
  | { readonly is: 'numbers'; readonly lengths?: readonly number[]; readonly min?: number; readonly max?: number }
  | { readonly is: 'strings' }
  | { readonly is: 'object'; readonly rules: Rules }
  | { readonly is: 'objects'; readonly rules: Rules }
) & {
  /** Whether the property must be present. */
  readonly required?: true;
  /** Property that must be present with this one. */
  readonly needs?: string;
};

/** Rules by property name; `extensions` and `extras` are allowed everywhere. */
export type Rules = Readonly<Record<string, Rule>>;

const NAME: Rules = { name: { is: 'string' } };
const VERSION = /^([0-9]+)\.([0-9]+)$/;
const natural = { is: 'integer', min: 0 } as const;
const positive = { is: 'integer', min: 1, required: true } as const;
const anything = { is: 'any' } as const;
const index = (of: string): Rule => ({ is: 'index', of });
const required = (rule: Rule): Rule => ({ ...rule, required: true });

/** Rules of the target of a channel, without the path, which depends on the extensions of the file. */
const TARGET: Rules = { node: index('nodes'), path: required({ is: 'string' }) };

/** Rules of the items of the top-level arrays. */
export const LISTS: Readonly<Record<string, Rules>> = {
  accessors: {
    ...NAME,
    bufferView: index('bufferViews'),
    byteOffset: { ...natural, needs: 'bufferView' },
    componentType: { is: 'choice', of: [5120, 5121, 5122, 5123, 5125, 5126], required: true },
    normalized: { is: 'boolean' },
    count: positive,
    type: { is: 'choice', of: ['SCALAR', 'VEC2', 'VEC3', 'VEC4', 'MAT2', 'MAT3', 'MAT4'], required: true },
    max: { is: 'numbers', lengths: [1, 2, 3, 4, 9, 16] },
    min: { is: 'numbers', lengths: [1, 2, 3, 4, 9, 16] },
    sparse: {
      is: 'object',
      rules: {
        count: positive,
        indices: {
          is: 'object',
          required: true,
          rules: {
            bufferView: required(index('bufferViews')),
            byteOffset: natural,
            componentType: { is: 'choice', of: [5121, 5123, 5125], required: true },
          },
        },
        values: {
          is: 'object',
          required: true,
          rules: { bufferView: required(index('bufferViews')), byteOffset: natural },
        },
      },
    },
  },
  animations: {
    ...NAME,
    channels: {
      is: 'objects',
      required: true,
      rules: { sampler: { ...natural, required: true }, target: { is: 'object', required: true, rules: TARGET } },
    },
    samplers: {
      is: 'objects',
      required: true,
      rules: {
        input: required(index('accessors')),
        interpolation: { is: 'choice', of: ['LINEAR', 'STEP', 'CUBICSPLINE'] },
        output: required(index('accessors')),
      },
    },
  },
  bufferViews: {
    ...NAME,
    buffer: required(index('buffers')),
    byteOffset: natural,
    byteLength: positive,
    byteStride: { is: 'integer', min: 4, max: 252, multiple: 4 },
    target: { is: 'choice', of: [34962, 34963] },
  },
  buffers: { ...NAME, uri: { is: 'string' }, byteLength: positive },
  nodes: {
    ...NAME,
    camera: index('cameras'),
    children: { is: 'indices', of: 'nodes' },
    skin: { ...index('skins'), needs: 'mesh' },
    matrix: { is: 'numbers', lengths: [16] },
    mesh: index('meshes'),
    rotation: { is: 'numbers', lengths: [4], min: -1, max: 1 },
    scale: { is: 'numbers', lengths: [3] },
    translation: { is: 'numbers', lengths: [3] },
    weights: { is: 'numbers', needs: 'mesh' },
  },
  scenes: { ...NAME, nodes: { is: 'indices', of: 'nodes' } },
  skins: {
    ...NAME,
    inverseBindMatrices: index('accessors'),
    skeleton: index('nodes'),
    joints: { is: 'indices', of: 'nodes', required: true },
  },
};

/** Rules of the asset object. */
export const ASSET: Rules = {
  copyright: { is: 'string' },
  generator: { is: 'string' },
  version: { is: 'string', pattern: VERSION, required: true },
  minVersion: { is: 'string', pattern: VERSION },
};

/** Rules of the root. The lists are checked one by one. */
export const ROOT: Rules = {
  ...Object.fromEntries(
    [...Object.keys(LISTS), 'cameras', 'images', 'materials', 'meshes', 'samplers', 'textures'].map((list) => [
      list,
      anything,
    ]),
  ),
  asset: { is: 'object', rules: ASSET, required: true },
  extensionsUsed: { is: 'strings' },
  extensionsRequired: { is: 'strings', needs: 'extensionsUsed' },
  scene: index('scenes'),
};
