/** USD files that stay what they are: with other clips, or in another container. */
import { type Issue, issue } from '../core/report/issue.ts';
import type { ReadResource } from '../formats/gltf/buffers.ts';
import type { Layer } from '../formats/usd/layer/layer.ts';
import { readUsdz, type Usdz, type UsdzEntry } from '../formats/usd/package/read-usdz.ts';
import { usdKindOf } from '../formats/usd/read-layer.ts';
import { addAnimations } from '../formats/usd/write/add-animations.ts';
import type { UsdAnimation } from '../formats/usd/write/usd-animation.ts';
import type { OutputFile } from './output-file.ts';
import { layerFiles, type UsdPlace } from './print-usd.ts';
import { loadAssets } from './usd-files.ts';
import type { UsdSource } from './usd-source.ts';

/** The root layer of a file with animations, added to those that it has or in their place. */
export function editedUsdLayer(
  { scene, layer }: UsdSource,
  animations: readonly UsdAnimation[],
  replace: boolean,
  issues: Issue[],
): Layer {
  return addAnimations(scene, layer, animations, { replace }, issues);
}

/** The package with the root layer, where packages are in packages. */
function innermost(usdz: Usdz): Usdz {
  let inner = usdz;
  while (usdKindOf(inner.entries[0].bytes) === 'package') inner = readUsdz(inner.entries[0].bytes);
  return inner;
}

/** Files of a package but for its root layer, by their paths from the folder of that; those elsewhere are reported. */
function packedFiles([root, ...others]: readonly UsdzEntry[], issues: Issue[]): UsdzEntry[] {
  const folder = root.name.slice(0, root.name.lastIndexOf('/') + 1);
  return others.flatMap(({ name, bytes }) => {
    if (name.startsWith(folder)) return [{ name: name.slice(folder.length), bytes }];
    issues.push(notCopied(name, 'it is in another folder of the package than the root layer'));
    return [];
  });
}

function notCopied(name: string, reason: string): Issue {
  const message = `A file that the character names was not copied along, so that the output may lack it: ${name}: ${reason}`;
  return issue('RESOURCE_NOT_COPIED', message, { resource: name });
}

/** Whether a path leads to a file below the folder that it starts from. */
function isBelow(path: string): boolean {
  return !/^(?:\.\.\/|\/|[A-Za-z]:)/.test(path);
}

/** Files beside a layer that it names, by their paths from its folder; those that are missing or elsewhere are reported. */
function namedFiles({ files }: UsdSource, issues: Issue[]): UsdzEntry[] {
  return [...files.known].slice(1).flatMap(([name, found]) => {
    if (typeof found !== 'string' && isBelow(name)) return [{ name, bytes: found }];
    const reason = typeof found === 'string' ? found : 'it is not below the folder of the file';
    issues.push(notCopied(name, reason));
    return [];
  });
}

/**
 * A USD file with its root layer, changed or not, in another container or the same: what it names comes along, in a package or beside it. An unchanged
 * layer in the same container keeps its bytes.
 */
export async function keptUsdFiles(
  usd: UsdSource,
  layer: Layer,
  readResource: ReadResource | null,
  place: UsdPlace,
  issues: Issue[],
): Promise<OutputFile[]> {
  const { files, kind } = usd;
  await loadAssets(files, readResource ?? undefined);
  const usdz = usd.package === null ? null : innermost(usd.package);
  const root = usdz?.entries[0];
  const named = usdz === null ? namedFiles(usd, issues) : packedFiles(usdz.entries, issues);
  const [bytes] = files.known.values();
  if (layer === usd.layer && place.format === kind && typeof bytes !== 'string') {
    const copies = usdz === null ? layerFiles(layer, named, place).slice(0, -1) : [];
    return [...copies, { path: place.path, parts: [bytes] }];
  }
  const isText = root === undefined ? kind === 'usda' : usdKindOf(root.bytes) === 'text';
  return layerFiles(layer, named, place, isText ? 'usda' : 'usdc');
}
