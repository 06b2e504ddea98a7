/** EXT_skeleton_humanoid of a glTF that an engine has loaded: its definitions, and its humanoid channels as motions of bodies made of bones alone. */
import type { Clip } from '../../core/animation/clip.ts';
import { describeHumanoid } from '../../core/humanoid/describe-humanoid.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { FormatError } from '../../core/report/format-error.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { type GltfDocument, parseGltf } from '../../formats/gltf/document/document.ts';
import { isObject, type JsonObject, memberAt } from '../../formats/gltf/document/json-access.ts';
import type { MeshoptDecoder } from '../../formats/gltf/document/decoders.ts';
import { attachDecoder, hasCompressedViews } from '../../formats/gltf/document/meshopt.ts';
import { boneOfTarget, humanoidTarget } from '../../formats/gltf/extensions/ext-humanoid-channels.ts';
import {
  bonesOfDefinition,
  EXT_SKELETON_HUMANOID,
  readSkeletonDefinitions,
} from '../../formats/gltf/extensions/ext-skeleton-humanoid.ts';
import type { FileHumanoid } from '../../formats/gltf/extensions/human-bones.ts';
import { readGltf } from '../../formats/gltf/read/read-gltf.ts';

/** A motion that belongs to no skeleton of its file. */
export interface PortableMotion {
  readonly name: string;
  /** Seconds. */
  readonly duration: number;
  /** The body that it moves. */
  readonly humanoid: Humanoid;
  /** On the nodes of that body. */
  readonly clip: Clip;
}

/** What a file says in EXT_skeleton_humanoid. */
export interface FileHumanoids {
  /** One a skeleton definition, with nodes of the file. */
  readonly defined: readonly FileHumanoid[];
  readonly motions: readonly PortableMotion[];
  readonly issues: readonly Issue[];
}

/** Engines hang objects of their own on the JSON, under names with an underscore or as parents: these may go in circles. */
function plainJson(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, member: unknown) => (key.startsWith('_') || key === 'parent' ? undefined : member)),
  );
}

function listOf(json: JsonObject, key: string): readonly unknown[] {
  const list = memberAt(json, key);
  return Array.isArray(list) ? list : [];
}

/** An animation with its humanoid channels alone; null where it has none. */
function humanoidAnimation(animation: unknown): JsonObject | null {
  if (!isObject(animation)) return null;
  const channels = listOf(animation, 'channels').filter((channel) => {
    const target = isObject(channel) ? memberAt(channel, 'target') : undefined;
    return isObject(target) && boneOfTarget(humanoidTarget(target)) >= 0;
  });
  return channels.length === 0 ? null : { ...animation, channels };
}

function documentOf(json: JsonObject): GltfDocument {
  return parseGltf(new TextEncoder().encode(JSON.stringify(json)));
}

async function readMotions(
  json: JsonObject,
  readBuffer: (index: number) => Promise<Uint8Array>,
  decoder: MeshoptDecoder | null,
  issues: Issue[],
): Promise<PortableMotion[]> {
  const animations = listOf(json, 'animations').map(humanoidAnimation);
  const chosen = animations.filter((animation) => animation !== null);
  if (chosen.length === 0) return [];
  const buffers = listOf(json, 'buffers').map((buffer, index) => ({
    ...(isObject(buffer) ? buffer : {}),
    uri: `buffer-${index}`,
  }));
  const { asset, accessors = [], bufferViews = [] } = json;
  const doc = documentOf({ asset, accessors, bufferViews, buffers, animations: chosen } as JsonObject);
  for (const index of buffers.keys()) doc.resources.set(`buffer-${index}`, await readBuffer(index));
  if (decoder !== null && hasCompressedViews(doc)) await attachDecoder(doc, decoder);
  const { skeletons, clips, issues: found } = readGltf(doc);
  issues.push(...found);
  return clips.flatMap(({ name, clips: parts }) =>
    parts.flatMap((clip, k): PortableMotion[] => {
      if (clip.tracks.length === 0) return [];
      const { skeleton, declared } = skeletons[k];
      const { humanoid, reason } = describeHumanoid(skeleton, { declared, metersPerUnit: 1 });
      if (humanoid !== null) return [{ name, duration: clip.duration, humanoid, clip }];
      issues.push(
        issue('NOT_HUMANOID', `The humanoid channels of ${JSON.stringify(name)} move no humanoid: ${reason}`),
      );
      return [];
    }),
  );
}

/**
 * Reads the extension of a loaded glTF. `readBuffer` gives the bytes of a buffer. What cannot be read is left out and is an issue: it
 * must not keep the file from loading.
 */
export async function readFileHumanoids(
  loaded: unknown,
  readBuffer: (index: number) => Promise<Uint8Array>,
  decoder: MeshoptDecoder | null = null,
): Promise<FileHumanoids> {
  const issues: Issue[] = [];
  const defined: FileHumanoid[] = [];
  const motions: PortableMotion[] = [];
  const { asset, accessors, bufferViews, buffers, animations, nodes, extensions } = loaded as JsonObject;
  const json = plainJson({ asset, accessors, bufferViews, buffers, animations }) as JsonObject;
  const extension = isObject(extensions) ? memberAt(extensions, EXT_SKELETON_HUMANOID) : undefined;
  try {
    if (extension !== undefined) {
      const read = readSkeletonDefinitions(
        documentOf({
          asset: json['asset'],
          nodes: Array.isArray(nodes) ? nodes.map(() => ({})) : [],
          extensions: { [EXT_SKELETON_HUMANOID]: plainJson(extension) },
        } as JsonObject),
      );
      issues.push(...read.issues);
      read.definitions.forEach((definition, index) => {
        const pointer = `/extensions/${EXT_SKELETON_HUMANOID}/humanoidSkeletons/${index}`;
        const bones = bonesOfDefinition(definition);
        defined.push({ format: 'ext', facing: '+Z', title: '', nodes: bones, rootNode: definition.rootNode, pointer });
      });
    }
    motions.push(...(await readMotions(json, readBuffer, decoder, issues)));
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    issues.push(issue(error.code, `${EXT_SKELETON_HUMANOID} was left out: ${error.message}`, error.where));
  }
  return { defined, motions, issues };
}

/** A definition with nodes of a scene graph in place of nodes of the file. */
export function definedOn(defined: FileHumanoid, indexOfNode: (node: number) => number): FileHumanoid {
  const nodes = defined.nodes.map((node) => (node < 0 ? -1 : indexOfNode(node)));
  const root = defined.rootNode ?? -1;
  return { ...defined, nodes, rootNode: root < 0 ? -1 : indexOfNode(root) };
}

/** The body that is made of a definition; null and an issue where that ends in a RangeError. */
export function bodyOfDefinition<Body>({ pointer = '' }: FileHumanoid, issues: Issue[], make: () => Body): Body | null {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    issues.push(issue('NOT_HUMANOID', `A skeleton definition cannot be used: ${error.message}`, { pointer }));
    return null;
  }
}
