/** What reading geometry left out or mended, counted by kind: a file with a thousand odd meshes makes one issue, not a thousand. */
import type { IssueCode } from '../../../core/report/codes.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';

/** Codes and texts of the kinds; a message is the count, `one` or `many`, `end` and the names. */
const KINDS = {
  attribute: { code: 'GEOMETRY_DROPPED', one: 'vertex attribute was', many: 'vertex attributes were', end: 'left out' },
  targetAttribute: {
    code: 'GEOMETRY_DROPPED',
    one: 'attribute of a morph target was',
    many: 'attributes of morph targets were',
    end: 'left out; only positions, normals and tangents are morphed',
  },
  materialExtension: {
    code: 'GEOMETRY_DROPPED',
    one: 'extension of a material was',
    many: 'extensions of materials were',
    end: 'left out',
  },
  textureExtension: {
    code: 'GEOMETRY_DROPPED',
    one: 'extension of a texture was',
    many: 'extensions of textures were',
    end: 'left out',
  },
  meshExtension: {
    code: 'GEOMETRY_DROPPED',
    one: 'extension of a mesh was',
    many: 'extensions of meshes were',
    end: 'left out',
  },
  nodeExtension: {
    code: 'GEOMETRY_DROPPED',
    one: 'extension of a node was',
    many: 'extensions of nodes were',
    end: 'left out',
  },
  copies: {
    code: 'GEOMETRY_DROPPED',
    one: 'node draws many copies of its mesh (EXT_mesh_gpu_instancing);',
    many: 'nodes draw many copies of their meshes (EXT_mesh_gpu_instancing);',
    end: 'one stands in their place',
  },
  camera: { code: 'GEOMETRY_DROPPED', one: 'camera was', many: 'cameras were', end: 'left out' },
  mesh: {
    code: 'GEOMETRY_DROPPED',
    one: 'mesh was',
    many: 'meshes were',
    end: 'left out: not in the scene',
  },
  primitive: {
    code: 'GEOMETRY_DROPPED',
    one: 'part of a mesh was',
    many: 'parts of meshes were',
    end: 'left out: without positions there is nothing to see',
  },
  image: {
    code: 'GEOMETRY_DROPPED',
    one: 'texture was',
    many: 'textures were',
    end: 'left out, with no image at hand',
  },
  number: {
    code: 'GEOMETRY_REPAIRED',
    one: 'accessor has',
    many: 'accessors have',
    end: 'numbers that are not finite; 0 was taken for them',
  },
  joint: {
    code: 'GEOMETRY_REPAIRED',
    one: 'part of a mesh names',
    many: 'parts of meshes name',
    end: 'joints that the skin does not have; their weights were made 0',
  },
  weightSum: {
    code: 'GEOMETRY_REPAIRED',
    one: 'vertex has',
    many: 'vertices have',
    end: 'weights of joints that do not add up to 1; they were made to, as players do',
  },
  matrix: {
    code: 'GEOMETRY_REPAIRED',
    one: 'skin has',
    many: 'skins have',
    end: 'too few inverse bind matrices; identity was taken for the others',
  },
  target: {
    code: 'GEOMETRY_REPAIRED',
    one: 'part of a mesh has',
    many: 'parts of meshes have',
    end: 'fewer morph targets than other parts; the missing ones change nothing',
  },
  weight: {
    code: 'GEOMETRY_REPAIRED',
    one: 'list of morph weights was',
    many: 'lists of morph weights were',
    end: 'made as long as the list of morph targets',
  },
} as const satisfies Record<string, { code: IssueCode; one: string; many: string; end: string }>;

export type FindingKind = keyof typeof KINDS;

/** Names that are kept of a kind. */
const MOST_NAMES = 12;

/** What was found, by kind. */
export type Findings = Map<FindingKind, { count: number; readonly names: Set<string>; readonly pointer: string }>;

/** Counts something that was found, `times` over; `name` says what, '' where the kind says it all. */
export function note(findings: Findings, kind: FindingKind, name: string, pointer: string, times = 1): void {
  let found = findings.get(kind);
  if (found === undefined) {
    found = { count: 0, names: new Set(), pointer };
    findings.set(kind, found);
  }
  found.count += times;
  if (name !== '' && found.names.size <= MOST_NAMES) found.names.add(name.slice(0, 80));
}

/** Adds one issue a kind, with the place of the first. */
export function reportFindings(findings: Findings, issues: Issue[]): void {
  for (const [kind, { count, names, pointer }] of findings) {
    const { code, one, many, end } = KINDS[kind];
    const listed = [...names].slice(0, MOST_NAMES).join(', ') + (names.size > MOST_NAMES ? ' …' : '');
    const message = `${count} ${count === 1 ? one : many} ${end}${listed === '' ? '' : `: ${listed}`}`;
    issues.push(issue(code, message, { pointer }));
  }
}
