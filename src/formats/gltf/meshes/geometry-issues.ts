/** Counts what reading geometry drops or repairs, by kind: a file with a thousand broken meshes yields one issue, not a thousand. */
import type { IssueCode } from '../../../core/report/codes.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';

/** Codes and texts of the kinds. A message is: count, `one` or `many`, `end`, names. */
const KINDS = {
  attribute: {
    code: 'GEOMETRY_DROPPED',
    one: 'vertex attribute was',
    many: 'vertex attributes were',
    end: 'dropped as unsupported',
  },
  targetAttribute: {
    code: 'GEOMETRY_DROPPED',
    one: 'morph target attribute was',
    many: 'morph target attributes were',
    end: 'dropped; only positions, normals and tangents are morphed',
  },
  materialExtension: {
    code: 'GEOMETRY_DROPPED',
    one: 'material extension was',
    many: 'material extensions were',
    end: 'dropped as unsupported',
  },
  textureExtension: {
    code: 'GEOMETRY_DROPPED',
    one: 'texture extension was',
    many: 'texture extensions were',
    end: 'dropped as unsupported',
  },
  meshExtension: {
    code: 'GEOMETRY_DROPPED',
    one: 'mesh extension was',
    many: 'mesh extensions were',
    end: 'dropped as unsupported',
  },
  nodeExtension: {
    code: 'GEOMETRY_DROPPED',
    one: 'node extension was',
    many: 'node extensions were',
    end: 'dropped as unsupported',
  },
  extras: {
    code: 'GEOMETRY_DROPPED',
    one: 'value of extras was',
    many: 'values of extras were',
    end: 'dropped; nodes keep text, numbers, booleans and lists of 2 to 4 numbers, other objects none',
  },
  copies: {
    code: 'GEOMETRY_DROPPED',
    one: 'node draws instances of its mesh (EXT_mesh_gpu_instancing);',
    many: 'nodes draw instances of their meshes (EXT_mesh_gpu_instancing);',
    end: 'only one instance was kept',
  },
  camera: {
    code: 'GEOMETRY_DROPPED',
    one: 'camera was',
    many: 'cameras were',
    end: 'dropped',
  },
  mesh: {
    code: 'GEOMETRY_DROPPED',
    one: 'mesh was',
    many: 'meshes were',
    end: 'dropped: unreferenced by the scene',
  },
  primitive: {
    code: 'GEOMETRY_DROPPED',
    one: 'mesh primitive was',
    many: 'mesh primitives were',
    end: 'dropped for lack of the attribute POSITION',
  },
  image: {
    code: 'GEOMETRY_DROPPED',
    one: 'texture was',
    many: 'textures were',
    end: 'dropped because no image data was available',
  },
  number: {
    code: 'GEOMETRY_REPAIRED',
    one: 'accessor has',
    many: 'accessors have',
    end: 'NaN or infinite values; they were replaced by 0',
  },
  joint: {
    code: 'GEOMETRY_REPAIRED',
    one: 'mesh primitive references',
    many: 'mesh primitives reference',
    end: 'joints that the skin does not have; their weights were set to 0',
  },
  weightSum: {
    code: 'GEOMETRY_REPAIRED',
    one: 'vertex has',
    many: 'vertices have',
    end: 'joint weights that do not sum to 1; they were normalized',
  },
  matrix: {
    code: 'GEOMETRY_REPAIRED',
    one: 'skin has',
    many: 'skins have',
    end: 'fewer inverse bind matrices than joints; the missing ones were set to the identity',
  },
  target: {
    code: 'GEOMETRY_REPAIRED',
    one: 'mesh primitive has',
    many: 'mesh primitives have',
    end: 'fewer morph targets than others of the mesh; empty targets were added',
  },
  weight: {
    code: 'GEOMETRY_REPAIRED',
    one: 'list of morph weights was',
    many: 'lists of morph weights were',
    end: 'padded or truncated to the number of morph targets',
  },
} as const satisfies Record<string, { code: IssueCode; one: string; many: string; end: string }>;

const MAX_NAMES = 12;

/** Occurrences by kind: how many, their names, and the JSON pointer of the first one. */
export type GeometryIssues = Map<
  keyof typeof KINDS,
  { count: number; readonly names: Set<string>; readonly pointer: string }
>;

export function countIssue(
  counts: GeometryIssues,
  kind: keyof typeof KINDS,
  name: string,
  pointer: string,
  times = 1,
): void {
  let entry = counts.get(kind);
  if (entry === undefined) {
    entry = { count: 0, names: new Set(), pointer };
    counts.set(kind, entry);
  }
  entry.count += times;
  if (name !== '' && entry.names.size <= MAX_NAMES) entry.names.add(name.slice(0, 80));
}

/** Adds one issue per kind, located at its first occurrence. `issues` receives GEOMETRY_DROPPED and GEOMETRY_REPAIRED. */
export function reportCounts(counts: GeometryIssues, issues: Issue[]): void {
  for (const [kind, { count, names, pointer }] of counts) {
    const { code, one, many, end } = KINDS[kind];
    const listed = [...names].slice(0, MAX_NAMES).join(', ') + (names.size > MAX_NAMES ? ' …' : '');
    const message = `${count} ${count === 1 ? one : many} ${end}${listed === '' ? '' : `: ${listed}`}`;
    issues.push(issue(code, message, { pointer }));
  }
}
