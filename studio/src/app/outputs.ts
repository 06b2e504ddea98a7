/** What can be taken away, and under which name. */
import { stemOf, toFileName } from 'anyrig/files';
import type { StudioFile } from './studio.ts';

/** Formats that motion and character can be written to. */
export const OUTPUT_FORMATS = ['glb', 'vrm', 'vrma', 'usdz', 'gltf', 'usda', 'usdc', 'bvh'] as const;
/** A format that can be written. */
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/**
 * Lists the formats that suit a character: `.vrm` needs a VRM.
 *
 * @param character The file of the character.
 * @returns Formats, the best first.
 */
export function formatsOf({ summary }: StudioFile): readonly OutputFormat[] {
  const isVrm = summary?.format === 'vrm0' || summary?.format === 'vrm1';
  if (isVrm) return ['vrma', 'vrm', ...OUTPUT_FORMATS.filter((format) => format !== 'vrma' && format !== 'vrm')];
  return OUTPUT_FORMATS.filter((format) => format !== 'vrm');
}

/**
 * Names an output after character and motion.
 *
 * @param motion Name of the motion file.
 * @param character Name of the file of the character.
 * @param format Format of the output.
 * @param taken Names that other outputs of the same folder have; the new one is added. An equal name gets a number.
 * @returns A file name that all systems take, whatever the files are called.
 */
export function outputName(motion: string, character: string, format: OutputFormat, taken?: Set<string>): string {
  return `${toFileName(`${stemOf(character)}-${stemOf(motion)}`, taken)}.${format}`;
}

/**
 * Returns the name of a file without extension, for files that are named after it.
 *
 * @param name Name of the file, whatever it is.
 * @param taken As of {@link outputName}.
 * @returns A file name that all systems take.
 */
export function fileStem(name: string, taken?: Set<string>): string {
  return toFileName(stemOf(name), taken);
}

/** Formats without a mesh, for which `--no-mesh` says nothing. */
export function isMotionOnly(format: OutputFormat): boolean {
  return format === 'vrma' || format === 'bvh';
}
