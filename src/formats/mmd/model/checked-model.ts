import { FormatError } from '../../../core/report/format-error.ts';
import { issue } from '../../../core/report/issue.ts';
import { type IssueTally, tallyIssue } from '../../../core/report/issue-tally.ts';
import { sortParentsFirst } from '../../../core/skeleton/topology.ts';
import type { MmdBone, MmdIk, MmdMesh, MmdModel, MmdMorph } from './mmd-model.ts';

/** Most bones: the largest models have a few thousand. */
const MOST_BONES = 2 ** 15;
/** Most rounds of IK: MikuMikuDance itself does no more. */
const MOST_LOOPS = 256;
/** Most links of an IK bone, and most IK bones of a model: ten times those of large models. */
const MOST_LINKS = 64;
const MOST_IKS = 1024;
/** Greatest coordinate, in units: a thousand kilometers. */
const GREATEST = 1e7;

function checkedIk(ik: MmdIk, boneCount: number, faults: IssueTally): MmdIk | null {
  const isBone = (bone: number): boolean => bone >= 0 && bone < boneCount;
  const links = ik.links.filter(({ bone }) => isBone(bone)).slice(0, MOST_LINKS);
  tallyIssue(faults, 'links of IK lead to no bone or are more than 64', ik.links.length - links.length);
  if (!isBone(ik.effector)) tallyIssue(faults, 'IK bones have no effector');
  if (!isBone(ik.effector) || links.length === 0) return null;
  return { ...ik, links, loops: Math.min(ik.loops, MOST_LOOPS), angle: Math.min(Math.abs(ik.angle), Math.PI) };
}

function checkedBones(bones: readonly MmdBone[], faults: IssueTally): MmdBone[] {
  const isBone = (bone: number): boolean => bone >= 0 && bone < bones.length;
  const parents = bones.map(({ parent }) => (isBone(parent) ? parent : -1));
  tallyIssue(
    faults,
    'bones have a parent that does not exist',
    bones.filter(({ parent }, k) => parent !== parents[k] && parent !== -1).length,
  );
  const { cyclic } = sortParentsFirst(parents);
  for (const bone of cyclic) parents[bone] = -1;
  tallyIssue(faults, 'bones are their own ancestors', cyclic.length);
  let iks = 0;
  return bones.map((bone, k) => {
    const { append, axis } = bone;
    const hasSource = append !== null && isBone(append.source) && append.source !== k;
    if (append !== null && !hasSource) tallyIssue(faults, 'bones follow a bone that does not exist');
    let ik = bone.ik === null ? null : checkedIk(bone.ik, bones.length, faults);
    if (ik !== null && ++iks > MOST_IKS) ik = null;
    const length = axis === null ? 0 : Math.hypot(...axis);
    const isNear = bone.position.every((value) => Math.abs(value) <= GREATEST);
    if (!isNear) tallyIssue(faults, 'bones are too far away');
    return {
      ...bone,
      parent: parents[k],
      position: isNear ? bone.position : ([0, 0, 0] as const),
      append: hasSource ? append : null,
      axis:
        axis === null || !(length > 1e-6) ? null : ([axis[0] / length, axis[1] / length, axis[2] / length] as const),
      ik,
    };
  });
}

/** Replaces references to missing bones, makes weights add up to 1, and removes triangles with missing vertices. */
function checkedMesh(mesh: MmdMesh, boneCount: number, faults: IssueTally): MmdMesh {
  const { bones, weights, indices, positions, normals, uvs } = mesh;
  const vertexCount = positions.length / 3;
  let badBones = 0;
  for (let at = 0; at < bones.length; at++) {
    if (bones[at] >= 0 && bones[at] < boneCount && weights[at] > 0) continue;
    if (weights[at] > 0) badBones++;
    bones[at] = 0;
    weights[at] = 0;
  }
  for (let at = 0; at < weights.length; at += 4) {
    const sum = weights[at] + weights[at + 1] + weights[at + 2] + weights[at + 3];
    for (let k = at; k < at + 4; k++) weights[k] = sum > 0 ? weights[k] / sum : k === at ? 1 : 0;
  }
  tallyIssue(faults, 'weights refer to a bone that does not exist', badBones);
  let far = 0;
  for (let at = 0; at < positions.length; at++) {
    if (Math.abs(positions[at]) <= GREATEST) continue;
    positions[at] = 0;
    far++;
  }
  tallyIssue(faults, 'coordinates are too large', far);
  for (let at = 0; at < uvs.length; at++) if (!(Math.abs(uvs[at]) <= GREATEST)) uvs[at] = 0;
  for (let at = 0; at < normals.length; at += 3) {
    const length = Math.hypot(normals[at], normals[at + 1], normals[at + 2]);
    const isDirection = length > 1e-6 && length < Number.POSITIVE_INFINITY;
    for (let k = at; k < at + 3; k++) normals[k] = isDirection ? normals[k] / length : k === at + 1 ? 1 : 0;
  }
  let bad = 0;
  for (let at = 0; at < indices.length; at++) {
    if (indices[at] < vertexCount) continue;
    // A triangle without area is not visible.
    const first = at - (at % 3);
    indices.fill(0, first, Math.min(first + 3, indices.length));
    bad++;
  }
  tallyIssue(faults, 'corners of triangles refer to a vertex that does not exist', bad);
  return mesh;
}

function checkedMorph(morph: MmdMorph, vertexCount: number, faults: IssueTally): MmdMorph {
  if (morph.kind !== 'vertex') return morph;
  const { vertices, offsets } = morph;
  const kept = Array.from(vertices.keys()).filter((k) => {
    const at = 3 * k;
    const isSmall = [0, 1, 2].every((c) => Math.abs(offsets[at + c]) <= GREATEST);
    return vertices[k] < vertexCount && isSmall;
  });
  if (kept.length === vertices.length) return morph;
  tallyIssue(faults, 'offsets of morphs are damaged', vertices.length - kept.length);
  return {
    ...morph,
    vertices: Uint32Array.from(kept, (k) => vertices[k]),
    offsets: Float32Array.from(
      { length: 3 * kept.length },
      (_, at) => offsets[3 * kept[Math.floor(at / 3)] + (at % 3)],
    ),
  };
}

/**
 * Checks a model: after this, all indices exist, parents form trees, weights add up to 1, and IK ends. Throws FormatError `MMD_SYNTAX` for a model
 * without bones; `MMD_LIMIT` for more than 32,768.
 */
export function checkedModel(model: MmdModel): MmdModel {
  const { kind, bones } = model;
  if (bones.length === 0) {
    const message = `The ${kind} has no bones; expected a model of a character. Use a model with bones`;
    throw new FormatError('MMD_SYNTAX', message);
  }
  if (bones.length > MOST_BONES) {
    const message = `The ${kind} has ${bones.length} bones, more than the limit of ${MOST_BONES}; use a smaller model`;
    throw new FormatError('MMD_LIMIT', message);
  }
  const faults: IssueTally = new Map();
  const checked = {
    ...model,
    bones: checkedBones(bones, faults),
    mesh: model.mesh === null ? null : checkedMesh(model.mesh, bones.length, faults),
    morphs: model.morphs.map((morph) => checkedMorph(morph, (model.mesh?.positions.length ?? 0) / 3, faults)),
  };
  if (faults.size === 0) return checked;
  const found = [...faults].map(([what, times]) => `${times} ${what}`).join('; ');
  const message = `The ${kind} has faults: ${found}. They were left out or replaced; get the file again, or save it anew`;
  return { ...checked, issues: [issue('MMD_MODEL', message)] };
}
