/** What can be taken away, and under which name. */
import { stemOf } from '../../../src/files/clips/clip-names.ts';
import { toFileName } from '../../../src/files/outputs/file-names.ts';
import type { StudioFile } from './studio.ts';

/** Formats that motion and character can be written to. */
export const OUTPUT_FORMATS = ['glb', 'vrm', 'vrma', 'fbx', 'usdz', 'gltf', 'usda', 'usdc', 'bvh'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Lists the formats that suit a character: `.vrm` needs a VRM. */
export function formatsOf({ summary }: StudioFile): readonly OutputFormat[] {
  const isVrm = summary?.format === 'vrm0' || summary?.format === 'vrm1';
  if (isVrm) return ['vrma', 'vrm', ...OUTPUT_FORMATS.filter((format) => format !== 'vrma' && format !== 'vrm')];
  return OUTPUT_FORMATS.filter((format) => format !== 'vrm');
}

export function outputName(motion: string, character: string, format: OutputFormat, taken?: Set<string>): string {
  return `${toFileName(`${stemOf(character)}-${stemOf(motion)}`, taken)}.${format}`;
}

/** Returns the name of a file without extension, for files that are named after it. */
export function fileStem(name: string, taken?: Set<string>): string {
  return toFileName(stemOf(name), taken);
}

/** Formats without a mesh, for which `--no-mesh` says nothing. */
export function isMotionOnly(format: OutputFormat): boolean {
  return format === 'vrma' || format === 'bvh';
}
