/** Writes what can be taken away: results, clip libraries, contact sheets and poses. */
import { extractMotions, type OutputFile, openBytes, retargetMotions } from 'anyrig/files';
import { concatParts, serializeGltf } from 'anyrig/gltf';
import { previewFiles } from 'anyrig/preview';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { createDocument } from '../../../src/formats/gltf/document/document.ts';
import { entryOf } from './entries.ts';
import { referenceRotations } from './figure-humanoid.ts';
import { jobOptions } from './job-options.ts';
import { ownOptions, shownOptions } from './open-files.ts';
import type { HumanoidEdits, WriteRequest, WrittenFile } from './protocol.ts';

/** Copies outputs: they are moved to the page, and may be views of the files that stay open. */
function written(outputs: readonly OutputFile[]): WrittenFile[] {
  return outputs.map(({ path, parts }) => ({ path, bytes: Uint8Array.from(concatParts(parts)) }));
}

/** Writes the files of a result, as `anyrig retarget` does. Throws OptionError for options that do not fit the files. */
export async function write(request: WriteRequest): Promise<WrittenFile[]> {
  const motion = entryOf(request.motion).file;
  const character = entryOf(request.character).file;
  const source = await ownOptions(request.motion, request.source);
  const target = await ownOptions(request.character, request.target);
  const options = jobOptions(request.options, source, target);
  const isRig = character.format === 'gltf' && character.standardRig !== undefined;
  const { outputs } = await retargetMotions([motion], character, {
    ...options,
    ...(request.clip === null ? {} : { clips: [request.clip] }),
    output: request.output,
    ...(request.replace ? { replace: true } : {}),
    ...(request.mesh && !isRig ? {} : { mesh: false }),
  });
  return written(outputs);
}

/** Writes the clips of a motion as humanoid clips, as `anyrig extract` does. */
export async function extract({ motion, clip, options, source, output }: WriteRequest): Promise<WrittenFile[]> {
  const { edits, fps } = jobOptions(options, {}, {});
  const { outputs } = await extractMotions([entryOf(motion).file], {
    output,
    ...(clip === null ? {} : { clips: [clip] }),
    ...(edits === undefined ? {} : { edits }),
    ...(fps === undefined ? {} : { fps }),
    source: await ownOptions(motion, source),
  });
  return written(outputs);
}

/** Draws a contact sheet of the motion and the result, as `anyrig preview` does. Throws Error when there is nothing to draw. */
export async function sheet(request: WriteRequest): Promise<WrittenFile[]> {
  const motion = entryOf(request.motion).file;
  const files = await write({ ...request, output: 'result.glb', replace: true, mesh: true });
  const result = files.find(({ path }) => path === 'result.glb');
  if (result === undefined) throw new Error('There is no result to draw; choose another motion or character.');
  const opened = await openBytes(result.bytes, { name: entryOf(request.character).file.name });
  const clips = request.clip === null ? {} : { clips: [motion.asset.clips[request.clip].name] };
  const { svg } = previewFiles([motion, opened], clips);
  if (svg === null) throw new Error('There is nothing to draw: neither file has a skeleton.');
  return [{ path: request.output, bytes: new TextEncoder().encode(svg) }];
}

/** Writes the reference pose of a humanoid as a GLB of nodes: the value of `--target-pose exact:FILE`. */
export async function pose(id: string, edits: HumanoidEdits, path: string): Promise<WrittenFile[]> {
  const { file, options } = await shownOptions(id, edits);
  const { found } = chooseHumanoid(file, 'only', options);
  if (found === null) return [];
  const { skeleton } = found.humanoid;
  // The rotations of the edit themselves: those that were derived from them differ in the last bits.
  const edited =
    edits.pose.kind === 'edited' ? edits.pose.rotations : referenceRotations(found.humanoid, found.part.sourceNodes);
  const rotations = new Map(edited.map(({ node, rotation }) => [node, rotation]));
  const document = createDocument();
  const nodes = skeleton.names.map((name, node) => {
    const children = [...skeleton.parents.keys()].filter((child) => skeleton.parents[child] === node);
    const rest = Array.from(skeleton.rest.subarray(10 * node, 10 * node + 10));
    return {
      name,
      translation: rest.slice(0, 3),
      rotation: rotations.get(found.part.sourceNodes[node]) ?? rest.slice(3, 7),
      scale: rest.slice(7, 10),
      ...(children.length > 0 ? { children } : {}),
    };
  });
  const roots = [...skeleton.parents.keys()].filter((node) => skeleton.parents[node] < 0);
  Object.assign(document.json, { nodes, scenes: [{ nodes: roots }], scene: 0 });
  return written([{ path, parts: serializeGltf(document, { binName: 'pose.bin' }).parts }]);
}
