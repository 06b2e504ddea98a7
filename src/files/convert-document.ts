/** Converting what is glTF already: another container, other clips; everything else of the file stays. */
import type { Clip, Track } from '../core/animation/clip.ts';
import type { AssetSkeleton, MorphTrack } from '../core/asset/asset.ts';
import type { ExpressionTrack, LookAtTrack } from '../core/face/face-tracks.ts';
import { type HumanoidClip, humanoidClipOf } from '../core/humanoid/humanoid-clip.ts';
import type { Issue } from '../core/report/issue.ts';
import { type GltfDocument, parseGltf } from '../formats/gltf/document.ts';
import { type NewAnimation, replaceClips } from '../formats/gltf/write-clips.ts';
import type { OpenFile } from './open.ts';
import { OptionError } from './option-error.ts';
import type { OutputFile } from './output-file.ts';
import type { OutputFormat } from './output-format.ts';
import type { OutputGroup } from './output-paths.ts';
import { printOutput } from './print-output.ts';

/** One animation for all skeletons of a file. */
export interface WholeClip {
  readonly name: string;
  /** One a skeleton, in the order of the file. */
  readonly clips: readonly Clip[];
  readonly morphs: readonly MorphTrack[];
  /** On nodes of the file. */
  readonly expressions?: readonly ExpressionTrack[];
  readonly lookAt?: LookAtTrack;
}

/** The keys of the face of a VRMA as those of the nodes that carry it. */
function faceTracks({ expressions = [], lookAt }: WholeClip): { sourceNode: number; track: Omit<Track, 'target'> }[] {
  const tracks = expressions.map(({ sourceNode, interpolation, times, values }) => {
    const translations = new Float64Array(3 * values.length);
    for (let k = 0; k < values.length; k++) translations[3 * k] = values[k];
    return { sourceNode, track: { path: 'translation' as const, interpolation, times, values: translations } };
  });
  if (lookAt === undefined) return tracks;
  const { sourceNode, interpolation, times, values } = lookAt;
  return [...tracks, { sourceNode, track: { path: 'rotation' as const, interpolation, times, values } }];
}

/** OptionError when a file that is no VRM is to be written as one. */
export function checkIsVrm({ asset, name }: OpenFile, format: OutputFormat): void {
  if (format !== 'vrm' || asset.format === 'vrm0' || asset.format === 'vrm1') return;
  const message = `${name} is no VRM (it is ${asset.format.toUpperCase()}), so that the output cannot be one; write .glb or .gltf`;
  throw new OptionError('output', message);
}

/** The document as it was read, for another edit than the one that was done. */
export function readAgain({ source, resources, cache }: GltfDocument): GltfDocument {
  if (source === null) throw new RangeError('The document was made, not read: there is nothing to read again');
  const document = parseGltf(source.bytes);
  for (const [path, bytes] of resources) document.resources.set(path, bytes);
  document.cache.decoder = cache.decoder;
  return document;
}

/** Clips of several skeletons as one animation; a node above several of them is animated once. Those of portable bodies stay humanoid clips. */
export function wholeAnimation(whole: WholeClip, skeletons: readonly AssetSkeleton[]): NewAnimation {
  const { name, clips, morphs } = whole;
  const sourceNodes: number[] = [];
  const tracks: Track[] = [];
  const seen = new Set<string>();
  let duration = 0;
  let humanoid: HumanoidClip | undefined;
  for (const [k, clip] of clips.entries()) {
    duration = Math.max(duration, clip.duration);
    const { skeleton, declared, isPortable } = skeletons[k];
    if (isPortable === true && declared !== null) {
      if (clip.tracks.length > 0) humanoid = humanoidClipOf({ skeleton, declared }, { ...clip, name });
      continue;
    }
    for (const track of clip.tracks) {
      const node = skeletons[k].sourceNodes[track.target];
      const key = `${node} ${track.path}`;
      if (seen.has(key)) continue;
      seen.add(key);
      tracks.push({ ...track, target: sourceNodes.length });
      sourceNodes.push(node);
    }
  }
  for (const { sourceNode, track } of faceTracks(whole)) {
    duration = Math.max(duration, track.times[track.times.length - 1]);
    tracks.push({ ...track, target: sourceNodes.length });
    sourceNodes.push(sourceNode);
  }
  const animation = { name, clip: { name, duration, tracks }, sourceNodes, morphs };
  return humanoid === undefined ? animation : { ...animation, humanoid };
}

/** A file a group, each with its clips in the place of all that the file had. The document is edited. */
export async function replacedOutputs(
  file: OpenFile,
  document: GltfDocument,
  clips: readonly WholeClip[],
  groups: readonly OutputGroup[],
  format: Exclude<OutputFormat, 'vrma' | 'bvh'>,
  issues: Issue[],
): Promise<OutputFile[]> {
  const outputs: OutputFile[] = [];
  for (const [k, { path, clips: indices }] of groups.entries()) {
    const edited = k === 0 ? document : readAgain(document);
    const animations = indices.map((index) => wholeAnimation(clips[index], file.asset.skeletons));
    replaceClips(edited, animations, issues);
    outputs.push(...(await printOutput(edited, file, { path, format }, issues)));
  }
  return outputs;
}
