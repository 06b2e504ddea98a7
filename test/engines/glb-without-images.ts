/** GLBs that web engines load without a screen. */

import { retargetMotions } from '../../src/files/jobs/retarget-motions.ts';
import type { OpenFile } from '../../src/files/open.ts';
import { serializeOutput } from '../../src/files/outputs/serialize-output.ts';
import type { JsonObject } from '../../src/formats/gltf/document/json-access.ts';
import { concatParts, parseGltf } from '../../src/formats/gltf/index.ts';
import { glbOf } from '../support/make/glb.ts';
import { documentOf } from '../support/make/opened.ts';

/** Removes materials, textures and images from a GLB, and everything except humanoid and meta from its VRM extensions. */
export function withoutImages(bytes: Uint8Array): Uint8Array {
  const { json, bin } = parseGltf(bytes);
  const { materials, textures, images, samplers, extensionsRequired, ...rest } = structuredClone(json);
  for (const mesh of (rest['meshes'] ?? []) as { primitives: JsonObject[] }[]) {
    for (const primitive of mesh.primitives) {
      delete primitive['material'];
      delete primitive['extensions'];
    }
  }
  const extensions = (rest['extensions'] ?? {}) as Record<string, JsonObject>;
  for (const name of Object.keys(extensions)) {
    if (name === 'EXT_skeleton_humanoid' || name === 'VRMC_vrm_animation') continue;
    const { specVersion, meta, humanoid } = extensions[name];
    const { texture, thumbnailImage, ...plain } = (meta ?? {}) as JsonObject;
    if (humanoid === undefined) delete extensions[name];
    else extensions[name] = { specVersion, meta: plain, humanoid };
  }
  const used = (rest['extensionsUsed'] ?? []) as string[];
  rest['extensionsUsed'] = used.filter((name) => !name.startsWith('KHR_') || name === 'KHR_mesh_quantization');
  if ((rest['extensionsUsed'] as string[]).length === 0) delete rest['extensionsUsed'];
  return glbOf(rest, bin ?? undefined);
}

/** Returns the output of `anyrig retarget`, by default without contacts as plugins retarget, for a motion and a character: a GLB or VRM with the selected clip. */
export async function retargetedFile(
  motion: OpenFile,
  character: OpenFile,
  clip = 0,
  contacts: 'auto' | 'off' = 'off',
): Promise<Uint8Array> {
  const output = character.asset.format.startsWith('vrm') ? 'out.vrm' : 'out.glb';
  const edits = { keys: 'exact' } as const;
  const options = { clips: [clip], output, replace: true, face: false, contacts, edits } as const;
  const { outputs } = await retargetMotions([motion], character, options);
  return withoutImages(concatParts(outputs[0].parts as Uint8Array[]));
}

/** Returns a glTF with its buffers as one GLB. Compressed views stay compressed. */
export async function wholeGlb(file: OpenFile): Promise<Uint8Array> {
  const { files } = await serializeOutput(documentOf(file), file, { path: 'whole.glb', format: 'glb' });
  const [whole] = files;
  return withoutImages(concatParts(whole.parts as Uint8Array[]));
}
