import type { Document, Node, Transform } from '@gltf-transform/core';
import { BONE, BONES } from '../../core/humanoid/bones.ts';
import type { Issue } from '../../core/report/issue.ts';
import { EXTSkeletonHumanoid } from './ext-skeleton-humanoid.ts';
import { type DocumentHumanoidOptions, findDocumentHumanoid } from './find-document-humanoid.ts';
import { reportIssues } from './report.ts';

/** Options of {@link defineHumanoid}. */
interface DefineHumanoidOptions extends DocumentHumanoidOptions {
  /** Receives each issue. By default, issues go to the logger of the document. */
  readonly onIssue?: (issue: Issue) => void;
}

/** For the logger: a document does not know which IO will write it. */
const WRITE_WITH =
  'anyrig: the document uses EXT_skeleton_humanoid now. Write it with an IO that has the extension: new NodeIO().registerExtensions([EXTSkeletonHumanoid]).';

/** Returns the path from the root of a node to the node. */
function pathTo(node: Node): Node[] {
  const path: Node[] = [];
  for (let at: Node | null = node; at !== null; at = at.getParentNode()) path.unshift(at);
  return path;
}

function commonNode(nodes: readonly Node[]): Node {
  const paths = nodes.map(pathTo);
  let depth = 0;
  while (paths.every((path) => path[depth + 1] !== undefined && path[depth + 1] === paths[0][depth + 1])) depth++;
  return paths[0][depth];
}

/** Adds a skin without a mesh for bones that are in no skin. The extension requires bones to be joints. */
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
 * Creates a transform that writes the humanoid of a document as EXT_skeleton_humanoid. Bones are detected by names and shape, unless the caller supplies
 * them. Axes and pose stay (`anyrig define --axes --t-pose` changes them). A document that already defines a humanoid stays unchanged.
 *
 * Only an IO with {@link EXTSkeletonHumanoid} registered writes the definition; others drop it. The logger of the document says so.
 *
 * The transform throws a RangeError when the document has no humanoid, or several and none is selected.
 *
 * @param options User-supplied facts about the character, and a listener for issues.
 * @returns The transform.
 * @example
 * const io = new NodeIO().registerExtensions([EXTSkeletonHumanoid]);
 * const document = await io.read('hero.glb');
 * await document.transform(defineHumanoid());
 * await io.write('hero-defined.glb', document);
 */
export function defineHumanoid(options: DefineHumanoidOptions = {}): Transform {
  return (document) => {
    const { onIssue, ...chosen } = options;
    const extension = document.createExtension(EXTSkeletonHumanoid);
    if (extension.listSkeletons().length > 0) return;
    const found = findDocumentHumanoid(document, chosen, null);
    const { map } = found.humanoid;
    const bones = BONES.filter((_, bone) => map.nodes[bone] >= 0);
    const nodes = bones.map((bone) => found.nodes[map.nodes[BONE[bone]]]);
    const skeleton = extension.createSkeleton().setRootNode(commonNode(nodes));
    for (const [k, bone] of bones.entries()) skeleton.setBone(bone, nodes[k]);
    skinLooseBones(document, nodes);
    reportIssues(document, found.issues, onIssue);
    document.getLogger().info(WRITE_WITH);
  };
}
