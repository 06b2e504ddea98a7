/** What a USD file has of UsdSkel, as `anyrig inspect --usd-skel` tells it. */
import { usdKindOf } from '../formats/usd/read-layer.ts';
import { type DescribeSkelOptions, describeUsdSkel } from '../formats/usd/skel/describe-skel.ts';
import type { UsdSkelReport } from '../formats/usd/skel/skel-report.ts';
import { detectFormat } from './detect.ts';
import { type OpenUsdOptions, openUsdStage } from './open-usd.ts';
import { OptionError } from './option-error.ts';

export interface InspectUsdSkelOptions extends OpenUsdOptions, Omit<DescribeSkelOptions, 'file'> {}

/**
 * The skeletons of a USD file with all that it names: bindings, and what they come to at a few times ({@link describeUsdSkel}).
 *
 * @throws FormatError when the file is of no format that is known, or a USD that cannot be read; OptionError for other formats.
 */
export async function inspectUsdSkel(bytes: Uint8Array, options: InspectUsdSkelOptions = {}): Promise<UsdSkelReport> {
  const { name = '', readResource, ...about } = options;
  const format: string = usdKindOf(bytes) === null ? detectFormat(bytes) : 'usd';
  if (format !== 'usd') {
    throw new OptionError('usdSkel', `${name} is ${format.toUpperCase()}; expected USD: .usda, .usdc, .usdz or .usd`);
  }
  const { stage } = await openUsdStage(bytes, { name, ...(readResource === undefined ? {} : { readResource }) });
  return describeUsdSkel(stage, { ...about, file: name });
}
