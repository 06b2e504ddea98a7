/** A transform of glTF-Transform: finds the humanoid of a document and defines it. */
import type { Document, Node, Transform } from '@gltf-transform/core';
import { BONE, BONES } from '../../core/humanoid/bones.ts';
import type { Issue } from '../../core/report/issue.ts';
import { type BodyOptions, bodyOfDocument } from './body-of-document.ts';
import { EXTSkeletonHumanoid } from './ext-skeleton-humanoid.ts';
import { reportIssues } from './report.ts';

/** How a humanoid is defined. */
export interface HumanoidTransformOptions extends BodyOptions {
  /** Gets what was odd; the logger of the document does otherwise. */
  readonly onIssue?: (issue: Issue) => void;
}

/** The nodes from a node up to its root, that one first. */
function pathTo(node: Node): Node[] {
  const path: Node[] = [];
  for (let at: Node | null = node; at !== null; at = at.getParentNode()) path.unshift(at);
  return path;
}

/** The lowest node that is at or above all. */
function commonNode(nodes: readonly Node[]): Node {
  const paths = nodes.map(pathTo);
  let depth = 0;
  while (paths.every((path) => path[depth + 1] !== undefined && path[depth + 1] === paths[0][depth + 1])) depth++;
  return paths[0][depth];
}

/** Bones must be joints: those that no skin has get one of their own, without a mesh. */
function skinLooseBones(document: Document, bones: readonly Node[]): void {
  const joints = new Set(
    document
      .getRoot()
      .listSkins()
      .flatMap((skin) => skin.listJoints()),
  );
  const loose = bones.filter((bone) => !joints.has(bone));
  if (loose.length === 0) return;
  const skin = document.createSkin('humanoid bones');
  for (const bone of loose) skin.addJoint(bone);
}

/**
 * A transform that writes the humanoid of a document as EXT_skeleton_humanoid: bones by names and shape, or as given. Nothing else changes,
 * neither axes nor pose (`anyrig define --axes --t-pose` does that). A document that defines a humanoid already is left alone.
 *
 *     await document.transform(humanoid());
 *
 * The transform throws RangeError with the reason where there is no humanoid, or several and none is chosen.
 */
export function humanoid(options: HumanoidTransformOptions = {}): Transform {
  return (document) => {
    const { onIssue, ...chosen } = options;
    const extension = document.createExtension(EXTSkeletonHumanoid);
    if (extension.listSkeletons().length > 0) return;
    const { body } = bodyOfDocument(document, chosen, null);
    const { map } = body.humanoid;
    const bones = BONES.filter((_, bone) => map.nodes[bone] >= 0);
    const nodes = bones.map((bone) => body.nodes[map.nodes[BONE[bone]]]);
    const skeleton = extension.createSkeleton().setRootNode(commonNode(nodes));
    for (const [k, bone] of bones.entries()) skeleton.setBone(bone, nodes[k]);
    skinLooseBones(document, nodes);
    reportIssues(document, body.issues, onIssue);
  };
}
