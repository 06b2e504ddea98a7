/** Files before and after `anyrig define`, vertex by vertex. */

import { geometryOf } from '../../src/files/geometry.ts';
import { findHumanoid } from '../../src/files/humanoid/find-humanoid.ts';
import { type DefineOptions, type DefineReport, defineHumanoid } from '../../src/files/jobs/define-humanoid.ts';
import { type OpenFile, openBytes } from '../../src/files/open.ts';
import { concatParts, type GltfDocument, type JsonObject } from '../../src/formats/gltf/index.ts';
import { deformedFile } from './deformed-vertices.ts';

/** A file that was defined. */
export interface Defined {
  readonly report: DefineReport;
  /** What was defined, opened anew: of an FBX the GLB that it becomes. */
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

/** Animation and time: rest, and moments of so many clips. */
export function momentsOf({ asset: { clips } }: OpenFile, most: number, parts: readonly number[]): [number, number][] {
  const moving = clips.slice(0, most).flatMap(({ duration }, clip) => {
    return parts.map((part): [number, number] => [clip, part * duration]);
  });
  return [[-1, 0], ...moving];
}

/**
 * The farthest that a vertex stands elsewhere, as part of the height of the body; Infinity for other meshes. `keeps`: which vertices are looked at.
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
  const height = findHumanoid(before, 'only', {}).found?.humanoid.height ?? 1;
  let worst = 0;
  for (const [clip, time] of moments) {
    const [a, b] = shown.map((file) => file.at(clip, time));
    if (a.length !== b.length) return Number.POSITIVE_INFINITY;
    // Nodes that were put between have no mesh, so that meshes come in another order at most.
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
