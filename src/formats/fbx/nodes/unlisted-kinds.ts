import type { FbxTree } from '../document/fbx-tree.ts';
import type { FbxScene } from './fbx-scene.ts';

/** Kinds of objects that the FBX SDK reads only where Definitions list them, as files without one of them show. It writes others, such as constraints, without. */
const LISTED_KINDS: readonly string[] = [
  'Model',
  'Geometry',
  'Deformer',
  'Material',
  'Texture',
  'Video',
  'AnimationStack',
  'AnimationLayer',
  'AnimationCurveNode',
  'AnimationCurve',
];

/** Returns the kinds of objects of a file that its Definitions should list, and do not. */
export function unlistedKinds({ records }: FbxTree, { objects }: FbxScene): string[] {
  const sections = records.filter(({ name }) => name === 'Definitions');
  const listed = new Set(sections.flatMap((section) => section.records.map(({ properties }) => properties[0])));
  const kinds = new Set(Array.from(objects.values(), ({ kind }) => kind));
  return LISTED_KINDS.filter((kind) => kinds.has(kind) && !listed.has(kind));
}
