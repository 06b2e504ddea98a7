/** Reads EXT_skeleton_humanoid of a glTF that an engine has loaded: skeleton definitions, and humanoid channels as motions of canonical rigs. */
import type { Clip } from '../../core/animation/clip.ts';
import { describeHumanoid } from '../../core/humanoid/describe-humanoid.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { FormatError } from '../../core/report/format-error.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import type { MeshoptDecoder } from '../../formats/gltf/document/decoders.ts';
import { type GltfDocument, parseGltf } from '../../formats/gltf/document/document.ts';
import { isObject, type JsonObject } from '../../formats/gltf/document/json-access.ts';
import { listOf, memberOf } from '../../formats/gltf/document/loose-json.ts';
import { attachMeshoptDecoder, hasCompressedViews } from '../../formats/gltf/document/meshopt.ts';
import { boneOfTarget, humanoidTarget } from '../../formats/gltf/extensions/ext-humanoid-channels.ts';
import {
  bonesOfDefinition,
  EXT_SKELETON_HUMANOID,
  readSkeletonDefinitions,
} from '../../formats/gltf/extensions/ext-skeleton-humanoid.ts';
import type { FileHumanoid } from '../../formats/gltf/extensions/human-bones.ts';
import { readGltf } from '../../formats/gltf/read/read-gltf.ts';

/** A motion on humanoid bones, independent of the skeletons in its file. */
export interface CanonicalMotion {
  /** Name of the animation. */
  readonly name: string;
  /** Seconds. */
  readonly duration: number;
  /** The canonical rig that it animates. */
  readonly humanoid: Humanoid;
  /** The clip on nodes of that rig. */
  readonly clip: Clip;
}

/** A humanoid clip: it targets humanoid bones and plays on any character. */
export interface BindableClip<Character, Options, Result> extends Omit<CanonicalMotion, 'clip'> {
  /**
   * Retargets the clip to a character.
   *
   * @param target The character.
   * @param options Facts about it, and retargeting options.
   * @returns The clip for the character and its issues.
   * @throws RangeError when it has no humanoid or several, and for an invalid option.
   */
  bindTo(target: Character, options?: Omit<Options, 'source'>): Result;
}

/** Copies the JSON without the objects that engines add to it: members with a leading underscore and `parent`, which can be circular. */
function plainJson(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, member: unknown) => (key.startsWith('_') || key === 'parent' ? undefined : member)),
  );
}

/** Returns an animation with only its humanoid channels; null without any. */
function humanoidAnimation(animation: unknown): JsonObject | null {
  if (!isObject(animation)) return null;
  const channels = listOf(animation, 'channels').filter(
    (channel) => boneOfTarget(humanoidTarget(memberOf(channel, 'target'))) >= 0,
  );
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
): Promise<CanonicalMotion[]> {
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
  if (decoder !== null && hasCompressedViews(doc)) await attachMeshoptDecoder(doc, decoder);
  const { skeletons, clips, issues: found } = readGltf(doc);
  issues.push(...found);
  return clips.flatMap(({ name, clips: parts }) =>
    parts.flatMap((clip, k): CanonicalMotion[] => {
      if (clip.tracks.length === 0) return [];
      const { skeleton, declared } = skeletons[k];
      const { humanoid, reason } = describeHumanoid(skeleton, { declared, metersPerUnit: 1 });
      if (humanoid !== null) return [{ name, duration: clip.duration, humanoid, clip }];
      issues.push(
        issue(
          'NOT_HUMANOID',
          `The humanoid channels of ${JSON.stringify(name)} do not form a humanoid: ${reason}; the animation was skipped`,
        ),
      );
      return [];
    }),
  );
}

/**
 * Reads EXT_skeleton_humanoid of a loaded glTF. Invalid parts are skipped and reported, so that the file still loads. `readBuffer` returns the bytes
 * of the buffer at an index. `decoder` is for buffer views that are compressed with meshopt. Throws only errors that are not a FormatError, such as
 * those of `readBuffer`. Returns all definitions; their nodes are indices of the file.
 */
export async function readGltfHumanoids(
  loaded: unknown,
  readBuffer: (index: number) => Promise<Uint8Array>,
  decoder: MeshoptDecoder | null = null,
): Promise<{ definitions: readonly FileHumanoid[]; motions: readonly CanonicalMotion[]; issues: readonly Issue[] }> {
  const issues: Issue[] = [];
  const definitions: FileHumanoid[] = [];
  const motions: CanonicalMotion[] = [];
  const { asset, accessors, bufferViews, buffers, animations, nodes, extensions } = loaded as JsonObject;
  const json = plainJson({ asset, accessors, bufferViews, buffers, animations }) as JsonObject;
  const extension = memberOf(extensions, EXT_SKELETON_HUMANOID);
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
        definitions.push({
          format: 'ext',
          facing: '+Z',
          title: '',
          nodes: bones,
          rootNode: definition.rootNode,
          pointer,
        });
      });
    }
    motions.push(...(await readMotions(json, readBuffer, decoder, issues)));
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    issues.push(
      issue(error.code, `${EXT_SKELETON_HUMANOID} is invalid and was skipped: ${error.message}`, error.where),
    );
  }
  return { definitions, motions, issues };
}

/** Replaces the file nodes of a definition with nodes of a scene graph. */
export function resolveDefinition(definition: FileHumanoid, indexOfNode: (node: number) => number): FileHumanoid {
  const nodes = definition.nodes.map((node) => (node < 0 ? -1 : indexOfNode(node)));
  const root = definition.rootNode ?? -1;
  return { ...definition, nodes, rootNode: root < 0 ? -1 : indexOfNode(root) };
}

/**
 * Creates the humanoid of a definition, and reports a RangeError as an issue. `issues` receives the issue NOT_HUMANOID. Returns the humanoid; null
 * when `create` throws a RangeError. Throws other errors of `create`.
 */
export function tryDefinition<T>({ pointer = '' }: FileHumanoid, issues: Issue[], create: () => T): T | null {
  try {
    return create();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    issues.push(
      issue('NOT_HUMANOID', `A skeleton definition is not usable and was skipped: ${error.message}`, { pointer }),
    );
    return null;
  }
}
