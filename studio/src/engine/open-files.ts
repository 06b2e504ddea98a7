/** Opens and closes files of the worker, and makes what the stage shows of them. */
import type { AssetSkeleton, BoneAssignments } from 'anyrig';
import type { FileReport, HumanoidOptions, OpenFile } from 'anyrig/files';
import type { StandardRigName } from '../../../src/core/humanoid/rigs/rig-names.ts';
import { geometryOf } from '../../../src/files/geometry.ts';
import { lookForHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { describeFile } from '../../../src/files/jobs/describe-file.ts';
import { openBytes } from '../../../src/files/open.ts';
import type { GltfFile } from '../../../src/files/open-file.ts';
import { rigOfUrl } from '../../../src/files/rig-url.ts';
import { hasDracoMeshes } from '../../../src/formats/gltf/document/draco.ts';
import { type Entry, entries, entryOf } from './entries.ts';
import { humanoidOptions } from './humanoid-options.ts';
import type { FileRole, FileSummary, HumanoidEdits, Person } from './protocol.ts';

/** Finds the skeleton of another file with the most names of a skeleton. */
function skeletonIn(from: OpenFile, index: number, to: OpenFile): number {
  if (from === to) return index;
  const names = new Set(from.asset.skeletons[index]?.skeleton.names);
  const common = to.asset.skeletons.map(
    ({ skeleton }) => [...new Set(skeleton.names)].filter((name) => names.has(name)).length,
  );
  const most = Math.max(...common);
  return common[index] === most ? index : common.indexOf(most);
}

/** Finds the node with the same name in other skeletons. */
function nodeMapper(from: readonly AssetSkeleton[], to: readonly AssetSkeleton[]): (node: number) => number {
  const names = new Map<number, string>();
  const nodes = new Map<string, number>();
  for (const { skeleton, sourceNodes } of from) {
    skeleton.names.forEach((name, k) => {
      names.set(sourceNodes[k], name);
    });
  }
  for (const { skeleton, sourceNodes } of to) {
    skeleton.names.forEach((name, k) => {
      if (!nodes.has(name)) nodes.set(name, sourceNodes[k]);
    });
  }
  return (node) => nodes.get(names.get(node) ?? '') ?? -1;
}

/** Translates decisions about the nodes that are shown to the nodes of the file itself, by name. */
function translateEdits(edits: HumanoidEdits, shown: OpenFile, own: OpenFile): HumanoidEdits {
  const { skeleton, map, pose } = edits;
  if (shown === own || (map === null && pose.kind !== 'edited')) return edits;
  const [from, to] = [shown.asset.skeletons, own.asset.skeletons];
  const nodeOf =
    skeleton === null ? nodeMapper(from, to) : nodeMapper([from[skeletonIn(own, skeleton, shown)]], [to[skeleton]]);
  const bones = Object.entries(map ?? {}).map(([bone, node]) => {
    return [bone, typeof node === 'number' ? nodeOf(node) : node] as const;
  });
  return {
    skeleton,
    map: map === null ? null : (Object.fromEntries(bones) as BoneAssignments),
    pose:
      pose.kind === 'edited'
        ? { ...pose, rotations: pose.rotations.map((one) => ({ ...one, node: nodeOf(one.node) })) }
        : pose,
  };
}

/**
 * Makes what the stage shows for a file: the file itself where it is a glTF with the axes of its file, else a GLB that it is converted to. Throws
 * FormatError for meshes or images that cannot be read.
 */
async function displayFile(file: OpenFile): Promise<GltfFile> {
  const isPlain = file.format === 'gltf' && !file.asset.skeletons.some(({ isCanonicalRig }) => isCanonicalRig === true);
  if (isPlain) return file;
  // Most files are plain glTF: what converts the others is loaded when needed.
  return await (await import('./convert-to-glb.ts')).convertToGlb(file);
}

export function displayOf(entry: Entry): Promise<GltfFile> {
  entry.display ??= displayFile(entry.file);
  return entry.display;
}

/** Loads the tables of the standard rigs when one is used. */
async function makeRig(rig: StandardRigName): Promise<GltfFile> {
  return (await import('../../../src/files/standard-rig.ts')).createStandardRig(rig);
}

/** Decides what a file can be used as. A skeleton that is not recognized can be mapped by hand. */
function roleOf({ skeletons, clips }: FileReport, hasMesh: boolean): FileRole {
  if (skeletons.length === 0) return 'neither';
  if (clips.length === 0) return 'character';
  return hasMesh ? 'both' : 'motion';
}

/** Lists the people of a file with several; none of a library, whose clips have a rig each. */
function peopleOf(file: OpenFile): Person[] {
  const { skeletons, clips } = file.asset;
  if (skeletons.some(({ isCanonicalRig }) => isCanonicalRig === true)) return [];
  const { people = [] } = lookForHumanoid(file, 'only', {}, clips);
  return people.map((index) => ({ skeleton: index, name: skeletons[index].skeleton.name }));
}

async function hasVisibleMesh(file: OpenFile): Promise<boolean> {
  const found = await geometryOf(file);
  return found !== null && found.geometry.instances.length > 0;
}

/**
 * Opens a file without describing it. A name such as `rig://ue5` is a standard rig. `resources`: bytes of the files that it may reference, by path
 * relative to it. Throws FormatError when the file cannot be read.
 */
export async function load(
  id: string,
  name: string,
  bytes: Uint8Array,
  resources: ReadonlyMap<string, Uint8Array>,
): Promise<OpenFile> {
  const readResource = async (path: string): Promise<Uint8Array> => {
    const found = resources.get(path) ?? resources.get(path.split('/').at(-1) ?? path);
    if (found === undefined)
      throw new Error(
        `${name} needs ${path}, which is missing: drop both together, or put it beside the file at its address.`,
      );
    return found;
  };
  const rig = rigOfUrl(name);
  const file = rig === null ? await openBytes(bytes, { name, readResource }) : await makeRig(rig);
  if (file.format === 'gltf' && hasDracoMeshes(file.document)) {
    const { attachDraco } = await import('./attach-draco.ts');
    await attachDraco(file.document);
  }
  entries.set(id, { file, display: null });
  return file;
}

/** Opens a file. `resources`: bytes of the files that it may reference, by path relative to it. Throws FormatError when the file cannot be read. */
export async function open(
  id: string,
  name: string,
  bytes: Uint8Array,
  resources: ReadonlyMap<string, Uint8Array>,
): Promise<FileSummary> {
  const file = await load(id, name, bytes, resources);
  const report = describeFile(file);
  const hasMesh = await hasVisibleMesh(file);
  return {
    id,
    name,
    format: report.format,
    size: bytes.length,
    role: roleOf(report, hasMesh),
    clips: report.clips.map(({ name: clip, duration, keys }) => ({ name: clip, duration, keys })),
    hasMesh,
    humanoid: report.humanoids[0] ?? null,
    people: peopleOf(file),
    reason: report.humanoids.length > 0 ? null : (report.skeletons[0]?.reason ?? 'It has no skeleton.'),
    issues: report.issues,
  };
}

export function close(id: string): void {
  entries.delete(id);
}

/** Returns what is shown of a file, with the decisions as options for it. */
export async function shownOptions(
  id: string,
  edits: HumanoidEdits,
): Promise<{ readonly file: GltfFile; readonly options: HumanoidOptions }> {
  const entry = entryOf(id);
  const file = await displayOf(entry);
  const skeleton = edits.skeleton === null ? null : skeletonIn(entry.file, edits.skeleton, file);
  return { file, options: humanoidOptions(file, { ...edits, skeleton }) };
}

/** Converts decisions, which are about the nodes that are shown, to options for the file itself. */
export async function ownOptions(id: string, edits: HumanoidEdits): Promise<HumanoidOptions> {
  const entry = entryOf(id);
  const shown = await displayOf(entry);
  return humanoidOptions(entry.file, translateEdits(edits, shown, entry.file));
}
