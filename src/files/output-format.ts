import { OptionError } from './option-error.ts';

/** What can be written; the extension of the output decides. */
export type OutputFormat = 'glb' | 'gltf' | 'vrm' | 'vrma' | 'bvh';

const FORMATS: readonly OutputFormat[] = ['glb', 'gltf', 'vrm', 'vrma', 'bvh'];

/** The format that the extension of a path asks for. OptionError for any other. */
export function outputFormat(path: string): OutputFormat {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1].toLowerCase();
  const format = FORMATS.find((known) => known === extension);
  if (format !== undefined) return format;
  const what = extension === undefined ? `${path} has no extension` : `.${extension} is not written`;
  throw new OptionError(
    'output',
    `${what}; the output can be .glb, .gltf or, when the character is a VRM, .vrm; for motions alone also .vrma and .bvh`,
  );
}

/** Whether a format holds one clip only, and no body. */
export function holdsOneClip(format: OutputFormat): boolean {
  return format === 'vrma' || format === 'bvh';
}
