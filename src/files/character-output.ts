/** A whole character of any format as a new file, glTF or USD: nodes, meshes, skins, materials and clips. */
import { changeClipSpace } from '../core/animation/change-clip-space.ts';
import type { AssetSkeleton } from '../core/asset/asset.ts';
import { bakeBindShapes } from '../core/asset/bake-bind-shapes.ts';
import type { Geometry } from '../core/asset/geometry.ts';
import { changeGeometrySpace } from '../core/asset/geometry-space.ts';
import type { Humanoid } from '../core/humanoid/humanoid.ts';
import * as mat4 from '../core/math/mat4.ts';
import type { Issue } from '../core/report/issue.ts';
import type { SpaceChange } from '../core/skeleton/change-space.ts';
import { localToModelMatrices } from '../core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../core/skeleton/skeleton.ts';
import { writeCharacterDocument } from '../formats/gltf/geometry/write-geometry.ts';
import { gltfSpace } from '../formats/gltf/gltf-space.ts';
import type { NewAnimation } from '../formats/gltf/write-clips.ts';
import type { ClipNameParts } from './clip-names.ts';
import type { OpenFile } from './open.ts';
import type { OutputFile } from './output-file.ts';
import { isUsd, type OutputFormat, type UsdFormat } from './output-format.ts';
import { outputGroups } from './output-paths.ts';
import { printOutput } from './print-output.ts';

/** What is written: a file, what is seen of it, and the body in it. */
export interface CharacterBody {
  readonly file: OpenFile;
  readonly geometry: Geometry;
  /** The skeleton of the humanoid; null without. */
  readonly part: AssetSkeleton | null;
  /** Decides what is up and ahead and how long a meter is; null where the file itself has to. */
  readonly humanoid: Humanoid | null;
}

/** A clip in the axes and the unit of the file, on its node numbers, and what a path by a template is made of. */
export interface CharacterClip extends NewAnimation {
  readonly parts: ClipNameParts;
}

/** Formats of new files with all that is seen. */
export type CharacterFormat = 'glb' | 'gltf' | UsdFormat;

/** Whether a new file of a format has all that is seen. */
export function isCharacterFormat(format: OutputFormat): format is CharacterFormat {
  return format === 'glb' || format === 'gltf' || isUsd(format);
}

/** Where the nodes of a geometry stood when they were bound: what skeletons of the file know, the rest as it rests. */
function bindMatrices({ asset }: OpenFile, { nodes, sourceNodes }: Geometry): Float64Array {
  const matrices = new Float64Array(MATRIX_STRIDE * sourceNodes.length);
  localToModelMatrices(matrices, nodes.parents, nodes.rest);
  const nodeOf = new Map(Array.from(sourceNodes, (source, node) => [source, node]));
  for (const { skeleton, sourceNodes: sources } of asset.skeletons) {
    skeleton.joints.forEach((isJoint, k) => {
      const node = nodeOf.get(sources[k]);
      if (isJoint === 0 || skeleton.bind === null || node === undefined) return;
      mat4.copy(matrices, MATRIX_STRIDE * node, skeleton.bind, MATRIX_STRIDE * k);
    });
  }
  return matrices;
}

/** An animation in another space: roots of the geometry turn, all translations get the new unit. */
function changeAnimation(
  animation: NewAnimation,
  parentOf: ReadonlyMap<number, number>,
  change: SpaceChange,
): NewAnimation {
  const parents = Array.from(animation.sourceNodes, (source) => parentOf.get(source) ?? -1);
  return { ...animation, clip: changeClipSpace(animation.clip, parents, change) };
}

/** Makes the files of one output of a character. */
type PrintCharacter = (animations: readonly NewAnimation[], path: string, issues: Issue[]) => Promise<OutputFile[]>;

/** In the space of glTF: meters, +Y up, a humanoid faces +Z; without a node on top, to float32 exactly. Bind poses are stored where they stand. */
function gltfPrinter({ file, geometry, humanoid }: CharacterBody, format: 'glb' | 'gltf'): PrintCharacter {
  const change = gltfSpace(file.asset, humanoid);
  const { parents } = geometry.nodes;
  const parentOf = new Map(Array.from(geometry.sourceNodes, (source, node) => [source, parents[node]]));
  const baked =
    change === null ? geometry : changeGeometrySpace(bakeBindShapes(geometry, bindMatrices(file, geometry)), change);
  return (animations, path, issues) => {
    const moved = change === null ? animations : animations.map((clip) => changeAnimation(clip, parentOf, change));
    return printOutput(writeCharacterDocument(baked, moved, issues), file, { path, format }, issues);
  };
}

/** In the character's own space, which USD can tell. */
function usdPrinter(body: CharacterBody, format: UsdFormat): PrintCharacter {
  return async (animations, path, issues) => {
    const { usdCharacterFiles } = await import('./usd.ts');
    return usdCharacterFiles(body, animations, { path, format }, issues);
  };
}

/**
 * Files with the whole character and clips of it; a template in `output` (see `outputGroups`) makes a file a clip. Clips of `own` are in every file, before
 * the others. In glTF the character stands in the space of glTF (bind poses by `bakeBindShapes`), in USD in its own (`usdSpace`).
 *
 * @throws OptionError for a template of unknown words; FormatError for sizes that the format cannot hold.
 */
export async function characterOutputs(
  body: CharacterBody,
  clips: readonly CharacterClip[],
  { path: output, format }: { readonly path: string; readonly format: CharacterFormat },
  issues: Issue[],
  own: readonly NewAnimation[] = [],
): Promise<OutputFile[]> {
  const groups = outputGroups(
    output,
    clips.map(({ parts }) => parts),
  );
  const print = isUsd(format) ? usdPrinter(body, format) : gltfPrinter(body, format);
  const files: OutputFile[] = [];
  for (const { path, clips: indices } of groups) {
    const found: Issue[] = [];
    files.push(...(await print([...own, ...indices.map((index) => clips[index])], path, found)));
    // What is odd about the body is odd in every file.
    issues.push(...found.filter(({ message }) => !issues.some((known) => known.message === message)));
  }
  return files;
}
