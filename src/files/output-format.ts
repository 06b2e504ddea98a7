import { OptionError } from './option-error.ts';

/** What can be written; the extension of the output decides. */
export type OutputFormat = 'glb' | 'gltf' | 'vrm';

/** The format that the extension of a path asks for. OptionError for any other. */
export function outputFormat(path: string): OutputFormat {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1].toLowerCase();
  if (extension === 'glb' || extension === 'gltf' || extension === 'vrm') return extension;
  const what = extension === undefined ? `${path} has no extension` : `.${extension} is not written`;
  throw new OptionError('output', `${what}; the output can be .glb, .gltf or, when the character is a VRM, .vrm`);
}
