/** Reads a glTF document as an Asset. */
import type { Asset, ReadClipsOptions } from '../../../core/asset/asset.ts';
import { limitAsset } from '../../../core/asset/limit-asset.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { GltfDocument } from '../document/document.ts';
import { arrayAt, describeValue, isObject, type JsonObject, memberAt } from '../document/json-access.ts';
import { extensionOf } from '../document/loose-json.ts';
import { readChannelRigs, skeletonsOfRigs } from '../extensions/ext-humanoid-channels.ts';
import { readExtHumanoids } from '../extensions/ext-humanoids.ts';
import type { FileHumanoid } from '../extensions/human-bones.ts';
import { KHR_CHARACTER_SKELETON_MAPPING, readCharacterMapping } from '../extensions/khr-character.ts';
import { readVrm0 } from '../extensions/vrm0.ts';
import { readVrm1 } from '../extensions/vrm1.ts';
import { readVrma } from '../extensions/vrma.ts';
import { type FaceNodes, NO_FACE_NODES, readVrmaFace } from '../extensions/vrma-face.ts';
import { readAnimations } from './read-animations.ts';
import { type NodeForest, readNodes } from './read-nodes.ts';
import { readSkeletons } from './read-skeletons.ts';
import { readSkins } from './read-skins.ts';

/** Root extensions that declare a humanoid, by precedence: characters before animations. */
const HUMANOID_EXTENSIONS: readonly {
  readonly name: string;
  readonly format: Asset['format'];
  readonly read: (extension: JsonObject, forest: NodeForest, issues: Issue[]) => FileHumanoid | null;
}[] = [
  { name: 'VRMC_vrm', format: 'vrm1', read: readVrm1 },
  { name: 'VRM', format: 'vrm0', read: readVrm0 },
  { name: 'VRMC_vrm_animation', format: 'vrma', read: readVrma },
];

/** Extensions that anyrig reads, or that do not affect nodes, skins, animations and their accessors. Other required extensions are reported. */
const HARMLESS_EXTENSION =
  /^(?:VRM|VRMC_.+|KHR_animation_pointer|KHR_mesh_quantization|KHR_xmp.*|EXT_skeleton_humanoid|KHR_character.*|KHR_node_visibility|FB_geometry_metadata|[A-Z0-9]+_(?:texture|materials?|lights?|image|draco|meshopt|mesh|audio|techniques)_?.*)$/;

/**
 * Reads the skeletons, declared humanoids and clips of a document. The canonical rigs of humanoid clips are the last
 * skeletons.
 *
 * @param doc Document. External buffers must be loaded (`loadResources`), and compressed views need a decoder
 * (`attachMeshoptDecoder`).
 * @param options Selection of animations.
 * @returns Asset; its issues include those of the document.
 * @throws FormatError GLTF_SCHEMA, GLTF_REFERENCE, GLTF_NODE_TREE, GLTF_ACCESSOR, GLTF_BUFFER, GLTF_COMPRESSION,
 * GLTF_LIMIT or GLTF_URI_REFUSED.
 * @example
 * const asset = readGltf(parseGltf(await readFile('robot.glb')));
 * for (const { name, duration } of asset.clips) console.log(name, duration);
 */
export function readGltf(doc: GltfDocument, options: ReadClipsOptions = {}): Asset {
  const issues: Issue[] = [...doc.issues];
  checkRequired(doc, issues);
  const forest = readNodes(doc, issues);
  const { format, humanoid, faceNodes } = readHumanoid(doc, forest, issues);
  const skins = readSkins(doc, forest, issues);
  const joints = new Set(skins.flatMap((skin) => Array.from(skin.joints, (node) => forest.sourceNodes[node])));
  const defined = readExtHumanoids(doc, forest, joints, issues);
  const drafted = readDraft(doc, forest, issues);
  const declared = [humanoid, ...defined, drafted].filter((one) => one !== null);
  const ofNodes = readSkeletons(forest, skins, declared, issues);
  const clipRigs = readChannelRigs(doc, issues);
  const clips = readAnimations(doc, { forest, skeletons: ofNodes, clipRigs, faceNodes }, issues, options.wantsClip);
  const names = ofNodes.map(({ skeleton }) => skeleton.name);
  const skeletons = [...ofNodes, ...skeletonsOfRigs(clipRigs, names)];
  return limitAsset({ format, metersPerUnit: 1, up: [0, 1, 0], skeletons, clips, issues });
}

/** Reads the humanoid of a KHR_character draft; null without one, or for an unsupported draft. */
function readDraft(doc: GltfDocument, forest: NodeForest, issues: Issue[]): FileHumanoid | null {
  const extension = extensionOf(doc.json, KHR_CHARACTER_SKELETON_MAPPING);
  return isObject(extension) ? readCharacterMapping(extension, forest, issues) : null;
}

function checkRequired(doc: GltfDocument, issues: Issue[]): void {
  arrayAt(doc.json, 'extensionsRequired', '').forEach((name, i) => {
    if (typeof name === 'string' && HARMLESS_EXTENSION.test(name)) return;
    const shown = typeof name === 'string' ? name.slice(0, 80) : describeValue(name);
    const message = `The file requires the extension ${shown}, which anyrig does not support; check the result, as parts may be read incorrectly`;
    issues.push(issue('GLTF_EXTENSION_REQUIRED', message, { pointer: `/extensionsRequired/${i}` }));
  });
}

function readHumanoid(
  doc: GltfDocument,
  forest: NodeForest,
  issues: Issue[],
): { format: Asset['format']; humanoid: FileHumanoid | null; faceNodes: FaceNodes } {
  const extensions = memberAt(doc.json, 'extensions');
  const none = { format: 'gltf' as const, humanoid: null, faceNodes: NO_FACE_NODES };
  if (!isObject(extensions)) return none;
  for (const { name, format, read } of HUMANOID_EXTENSIONS) {
    const extension = memberAt(extensions, name);
    if (!isObject(extension)) continue;
    const humanoid = read(extension, forest, issues);
    return { format, humanoid, faceNodes: format === 'vrma' ? readVrmaFace(extension, forest, issues) : NO_FACE_NODES };
  }
  return none;
}
