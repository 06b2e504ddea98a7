import { describeContactSurface } from '../../core/contacts/surface/contact-surface.ts';
import { readSkinPoints } from '../humanoid/contact-surface.ts';
import type { OpenFile } from '../open-file.ts';
import { reportCloth, reportRadii, reportSoles } from '../reports/surface-report.ts';
import { describeFile, type FileReport, type InspectOptions } from './describe-file.ts';

/**
 * Describes every skeleton of a file as a humanoid, as `retarget` does, and lists its clips.
 *
 * @param file An opened file.
 * @param options Whether to list nodes.
 * @returns The report; bone maps are explained.
 * @example
 * const { humanoids } = inspectFile(await openFile('avatar.glb'));
 * console.log(humanoids[0]?.bones.leftHand?.name);
 */
export function inspectFile(file: OpenFile, options: InspectOptions = {}): FileReport {
  return describeFile(file, options, (humanoid, part) => {
    const surface = describeContactSurface(humanoid, readSkinPoints(file, part));
    return { soles: reportSoles(surface), radii: reportRadii(surface), cloth: reportCloth(surface) };
  });
}
