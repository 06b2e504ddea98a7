/** Reports the UsdSkel content of a USD file, as `anyrig inspect --usd-skel` prints it. */
import { detectUsdKind } from '../../formats/usd/read-usd-layer.ts';
import { type DescribeSkelOptions, describeUsdSkel } from '../../formats/usd/skel/report/describe-usd-skel.ts';
import type { UsdSkelReport } from '../../formats/usd/skel/report/usd-skel-report.ts';
import { type OpenUsdOptions, openUsdStage } from '../adapters/usd/open-stage.ts';
import { detectFormat } from '../detect.ts';
import { OptionError } from '../option-error.ts';

export interface InspectUsdSkelOptions extends OpenUsdOptions, Omit<DescribeSkelOptions, 'file'> {}

/**
 * Describes the skeletons, bindings and animations of a USD file with all that it references, and their values at a few times ({@link
 * describeUsdSkel}). Throws FormatError for an unknown format, or a USD that cannot be read; OptionError (`usdSkel`) for other formats.
 */
export async function inspectUsdSkel(bytes: Uint8Array, options: InspectUsdSkelOptions = {}): Promise<UsdSkelReport> {
  const { name = '', readResource, ...about } = options;
  const format: string = detectUsdKind(bytes) === null ? detectFormat(bytes) : 'usd';
  if (format !== 'usd') {
    throw new OptionError('usdSkel', `${name} is ${format.toUpperCase()}; expected USD: .usda, .usdc, .usdz or .usd`);
  }
  const { stage } = await openUsdStage(bytes, { name, ...(readResource === undefined ? {} : { readResource }) });
  return describeUsdSkel(stage, { ...about, file: name });
}
