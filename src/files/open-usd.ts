/** USD files with all that they name, as a stage. Runs in browsers and Node. */
import { FormatError } from '../core/report/format-error.ts';
import type { ReadResource } from '../formats/gltf/buffers.ts';
import type { Layer } from '../formats/usd/layer/layer.ts';
import { readUsdz, type Usdz } from '../formats/usd/package/read-usdz.ts';
import { expectUsdKind, readLayer } from '../formats/usd/read-layer.ts';
import { makeFileResolver } from '../formats/usd/stage/file-resolver.ts';
import { layerAssets } from '../formats/usd/stage/layer-assets.ts';
import type { OpenedLayer, ResolveLayer } from '../formats/usd/stage/layer-stack.ts';
import { openStage } from '../formats/usd/stage/open-stage.ts';
import type { Stage } from '../formats/usd/stage/stage.ts';
import { systemReason } from './system-reason.ts';

/** A USD file that was opened. */
export interface UsdFile {
  /** The root layer with all that it names. What is missing is told in `issues` of the stage. */
  readonly stage: Stage;
  /** By the content: `.usd` may be any of them. */
  readonly kind: 'usda' | 'usdc' | 'usdz';
  /** What the file itself says; of a package its root layer. */
  readonly layer: Layer;
  /** The id of the root layer: where its asset paths start from. */
  readonly id: string;
  /** The files of a package; null for other kinds. */
  readonly package: Usdz | null;
  /** Paths of the files beside it that were read, as `readResource` was asked for them. */
  readonly resources: readonly string[];
}

export interface OpenUsdOptions {
  /** Name or path of the file, for messages. */
  readonly name?: string;
  /**
   * Reads the files that the scene names, by their paths from the folder of the file, with slashes: `parts/body.usdc`, also `../body.usdc`, or an absolute
   * path where a layer has one. Which of them may be read is for this function to say: what it refuses is left out with its reason. Without it only
   * the file itself is read.
   */
  readonly readResource?: ReadResource;
}

const KINDS = { text: 'usda', binary: 'usdc', package: 'usdz' } as const;

/** Files that a scene may name: more is an attack. */
const MAX_FILES = 10_000;

/** `http:`, `omniverse:` …, but no drives of Windows. */
const SCHEME = /^[a-z][\w+.-]+:/i;

/** The files of a scene: bytes, or why there are none, by path; and those that somebody asked for in vain. */
interface Files {
  readonly known: Map<string, Uint8Array | string>;
  readonly wanted: Set<string>;
}

/** Loads what is wanted, one after the other. USD_LIMIT for too many files. */
async function loadWanted({ known, wanted }: Files, readResource: ReadResource | undefined): Promise<void> {
  for (const path of wanted) {
    if (known.size > MAX_FILES)
      throw new FormatError('USD_LIMIT', `The scene names more than ${MAX_FILES} files, which anyrig does not open`);
    known.set(path, await load(path, readResource));
  }
  wanted.clear();
}

async function load(path: string, readResource: ReadResource | undefined): Promise<Uint8Array | string> {
  if (SCHEME.test(path)) return 'it is no path, and anyrig fetches nothing';
  if (readResource === undefined) return 'only the file that names it was handed over';
  try {
    return await readResource(path);
  } catch (error) {
    return systemReason(error);
  }
}

/** The layers that layers name, with what these name, loaded before anything is composed. */
async function loadNamed(root: OpenedLayer, resolve: ResolveLayer, loadMissing: () => Promise<void>): Promise<void> {
  const seen = new Set([root.id]);
  const find = (asset: string, from: string): OpenedLayer | null => {
    try {
      return resolve(asset, from);
    } catch (error) {
      // What is wrong with it is told when the stage asks for it.
      if (error instanceof FormatError) return null;
      throw error;
    }
  };
  for (let open = [root]; open.length > 0; ) {
    const named = open.flatMap(({ layer, id }) => layerAssets(layer).map((asset) => ({ asset, id })));
    for (const { asset, id } of named) find(asset, id);
    await loadMissing();
    open = [];
    for (const { asset, id } of named) {
      const found = find(asset, id);
      if (found === null || seen.has(found.id)) continue;
      seen.add(found.id);
      open.push(found);
    }
  }
}

/**
 * Opens a text, binary or packaged USD file with its sublayers, references, payloads and value clips, all variants included.
 *
 * @throws FormatError USD_SYNTAX, USD_CRATE or USD_PACKAGE when the file cannot be read, USD_LIMIT when it asks for too much. What it names and is
 *   missing, refused or damaged is left out, with an issue of the stage.
 */
export async function openUsdStage(bytes: Uint8Array, options: OpenUsdOptions = {}): Promise<UsdFile> {
  const { name = '', readResource } = options;
  const kind = expectUsdKind(bytes);
  const path = name.replace(/^.*[/\\]/, '') || `scene.${KINDS[kind]}`;
  const files: Files = { known: new Map([[path, bytes]]), wanted: new Set() };
  const resolve = makeFileResolver((wanted) => {
    const found = files.known.get(wanted);
    if (found === undefined) files.wanted.add(wanted);
    if (typeof found === 'string') throw new FormatError('FILE_NOT_FOUND', found);
    return found ?? null;
  });
  const loadMissing = (): Promise<void> => loadWanted(files, readResource);
  const root = resolve(path, '') ?? { layer: readLayer(bytes), id: path };
  await loadNamed(root, resolve, loadMissing);
  const { layer, id } = root;
  let stage = openStage(layer, { id, resolve });
  // Names of clips that follow a template are known only now.
  while (files.wanted.size > 0) {
    await loadMissing();
    stage = openStage(layer, { id, resolve });
  }
  const resources = [...files.known].filter(([file, found]) => file !== path && typeof found !== 'string');
  return {
    stage,
    kind: KINDS[kind],
    layer,
    id,
    package: kind === 'package' ? readUsdz(bytes) : null,
    resources: resources.map(([file]) => file),
  };
}
