/** What the writers of FBX and USD ask of a geometry. */
import { type Issue, issue } from '../report/issue.ts';
import { formatTally, type IssueTally, tallyIssue } from '../report/issue-tally.ts';
import type { Geometry, Mesh, MeshPrimitive } from './geometry.ts';
import { toTriangles } from './triangles.ts';

/** The triangles of a primitive. */
export interface TrianglePart {
  readonly primitive: MeshPrimitive;
  readonly triangles: Uint32Array;
}

/** Lists the primitives of a mesh that have triangles. Others are added to `dropped`. */
export function triangleParts({ primitives }: Mesh, dropped: IssueTally): TrianglePart[] {
  return primitives.flatMap((primitive) => {
    const triangles = toTriangles(primitive);
    if (triangles !== null && triangles.length > 0) return [{ primitive, triangles }];
    tallyIssue(dropped, triangles === null ? primitive.mode : 'mesh without faces');
    return [];
  });
}

/** Marks the joints of each skin that have a weight in one of its meshes with 1. */
export function weightedJoints({ skins, meshes, instances }: Geometry): Uint8Array[] {
  const isWeighted = skins.map(({ joints }) => new Uint8Array(joints.length));
  const seen = new Set<string>();
  for (const { mesh, skin } of instances) {
    if (skin < 0 || seen.has(`${mesh} ${skin}`)) continue;
    seen.add(`${mesh} ${skin}`);
    for (const { influences } of meshes[mesh].primitives) {
      influences?.indices.forEach((joint, i) => {
        if (influences.weights[i] !== 0 && joint < isWeighted[skin].length) isWeighted[skin][joint] = 1;
      });
    }
  }
  return isWeighted;
}

/** Marks the nodes whose transform has no effect: leaf nodes that are no joints and whose meshes are moved by a skin (glTF 2.0 section 3.7.3.3). */
export function skinnedMeshNodes({ nodes, instances, skins, meshes }: Geometry): Uint8Array {
  const out = new Uint8Array(nodes.parents.length);
  for (const { node, skin, mesh } of instances) {
    const isBound = skin >= 0 && skins[skin].joints.length > 0;
    const isMoved = isBound && meshes[mesh].primitives.every(({ influences }) => influences !== null);
    out[node] = isMoved && out[node] !== 2 ? 1 : 2;
  }
  for (const parent of nodes.parents) if (parent >= 0) out[parent] = 2;
  for (const { joints } of skins) for (const joint of joints) out[joint] = 2;
  return out.map((state) => (state === 1 ? 1 : 0));
}

/** Number of names in a message. */
const MOST_NAMES = 12;

/** Reports custom properties that a new file has no place for, counted by name. */
export function reportCustomProperties(dropped: IssueTally, format: string, issues: Issue[]): void {
  if (dropped.size === 0) return;
  const more = dropped.size > MOST_NAMES ? ' …' : '';
  const list = formatTally([...dropped].slice(0, MOST_NAMES)) + more;
  const message = `${format} has no place for custom properties of some nodes, or for their names; they were dropped: ${list}.`;
  issues.push(issue('GEOMETRY_DROPPED', message));
}
