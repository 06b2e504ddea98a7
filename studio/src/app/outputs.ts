/** What can be taken away, and under which name. */
import { stemOf } from 'anyrig/files';
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
 * @returns A file name.
 */
export function outputName(motion: string, character: string, format: OutputFormat): string {
  return `${stemOf(character)}-${stemOf(motion)}.${format}`;
}

/** Formats without a mesh, for which `--no-mesh` says nothing. */
export function isMotionOnly(format: OutputFormat): boolean {
  return format === 'vrma' || format === 'bvh';
}
