/** Compares files before and after `anyrig define`, vertex by vertex. */

import { geometryOf } from '../../../src/files/geometry.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { type DefineOptions, type DefineReport, defineHumanoid } from '../../../src/files/jobs/define-humanoid.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import type { JsonObject } from '../../../src/formats/gltf/document/json-access.ts';
import { concatParts, type GltfDocument } from '../../../src/formats/gltf/index.ts';
import { deformedFile } from './deformed-vertices.ts';

/** A file before and after `anyrig define`. */
export interface Defined {
  readonly report: DefineReport;
  /** The input, opened again; for an FBX, the GLB converted from it. */
  readonly before: OpenFile;
  readonly after: OpenFile;
  readonly bytes: { readonly before: Uint8Array; readonly after: Uint8Array };
}

/** Defines the humanoid of a GLB or VRM. */
export async function defined(
  bytes: Uint8Array,
  options: Omit<DefineOptions, 'output'>,
  isVrm = false,
): Promise<Defined> {
  const output = isVrm ? 'out.vrm' : 'out.glb';
  const { report, outputs } = await defineHumanoid(await openBytes(bytes, { name: 'before' }), { output, ...options });
  if (!report.ok) throw new Error(JSON.stringify(report.issues));
  const after = concatParts(outputs[outputs.length - 1].parts);
  return {
    report,
    before: await openBytes(bytes, { name: 'before' }),
    after: await openBytes(after, { name: 'after' }),
    bytes: { before: bytes, after },
  };
}

/** Nodes of a document. */
export function nodesOf(document: GltfDocument | null): JsonObject[] {
  return ((document as GltfDocument).json['nodes'] ?? []) as JsonObject[];
}

/** Returns clip indices and times: the rest pose (-1) and some times of the first `most` clips. */
export function momentsOf({ asset: { clips } }: OpenFile, most: number, parts: readonly number[]): [number, number][] {
  const moving = clips.slice(0, most).flatMap(({ duration }, clip) => {
    return parts.map((part): [number, number] => [clip, part * duration]);
  });
  return [[-1, 0], ...moving];
}

/**
 * Returns the largest distance between equal vertices, relative to the height of the character; Infinity if the meshes differ.
 */
export async function vertexError(
  { before, after }: Pick<Defined, 'before' | 'after'>,
  moments: readonly (readonly [clip: number, time: number])[],
): Promise<number> {
  const shown = [];
  for (const file of [before, after]) {
    const read = await geometryOf(file);
    if (read === null) return Number.POSITIVE_INFINITY;
    shown.push(deformedFile(file, read.geometry, null));
  }
  const height = chooseHumanoid(before, 'only', {}).found?.humanoid.height ?? 1;
  let worst = 0;
  for (const [clip, time] of moments) {
    const [a, b] = shown.map((file) => file.at(clip, time));
    if (a.length !== b.length) return Number.POSITIVE_INFINITY;
    // Inserted nodes have no mesh, so at most the order of meshes changes.
    for (const part of a) {
      const other = b.find(({ node, primitive }) => node === part.node && primitive === part.primitive);
      if (other === undefined || other.positions.length !== part.positions.length) return Number.POSITIVE_INFINITY;
      for (let v = 0; v < part.positions.length; v += 3) {
        const [x, y, z] = [0, 1, 2].map((c) => part.positions[v + c] - other.positions[v + c]);
        worst = Math.max(worst, Math.hypot(x, y, z) / height);
      }
    }
  }
  return worst;
}
