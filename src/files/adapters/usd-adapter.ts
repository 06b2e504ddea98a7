import type { UsdFile } from '../open-file.ts';
import { isUsd, type OutputFormat, type UsdFormat } from '../outputs/output-format.ts';
import type { Destination, FormatAdapter } from './format-adapter.ts';
import { loadedPaths } from './usd/usd-source.ts';

function usdFormat(format: OutputFormat): UsdFormat {
  if (isUsd(format)) return format;
  throw new RangeError(`The USD adapter was asked to write .${format}; expected a USD format`);
}

function usdDestination({ path, format }: Destination): Destination<UsdFormat> {
  return { path, format: usdFormat(format) };
}

/** USD: characters and motions, as text, binary or package. The code is imported on first use. */
export const USD_ADAPTER: FormatAdapter<UsdFile> = {
  format: 'usd',
  open: async (bytes, options) => (await import('./usd-bundle.ts')).openUsd(bytes, options),
  resources: ({ source }) => loadedPaths(source.files),
  readGeometry: async ({ source, readResource }) => {
    return (await import('./usd-bundle.ts')).readUsdFileGeometry(source, readResource);
  },
  readVertices: ({ source }) => source.readVertices(),
  parseIssues: ({ source }) => source.layer.issues,
  writeLossless: async (file, changes, destination, issues) => {
    const { addAnimations, losslessUsdFiles } = await import('./usd-bundle.ts');
    const { scene, layer } = file.source;
    if (changes === null) return losslessUsdFiles(file, file.source, layer, usdDestination(destination), issues);
    const edited = addAnimations(scene, layer, changes.animations, { replace: changes.replace });
    issues.push(...edited.issues);
    return losslessUsdFiles(file, file.source, edited.layer, usdDestination(destination), issues);
  },
  // USD declares up axis and unit, so the character stays in its own space.
  planCharacter:
    (character, { format }) =>
    async (animations, path, issues) => {
      const { usdCharacterFiles } = await import('./usd-bundle.ts');
      return usdCharacterFiles(character, animations, { path, format: usdFormat(format) }, issues);
    },
  writeMotion: async ({ file, part, humanoid }, clips, destination, _fps, issues) => {
    const { usdMotionFiles } = await import('./usd-bundle.ts');
    const own = clips.map(({ clip, events }) => (events === undefined ? clip : { ...clip, events }));
    return usdMotionFiles(file, part.skeleton, humanoid, own, usdDestination(destination), issues);
  },
};
