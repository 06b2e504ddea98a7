/** Characters that wear clothes with a skeleton of their own. */
import { concatParts, type GltfDocument, parseGltf, serializeGltf } from '../../../src/formats/gltf/index.ts';
import { demoBytes } from './demo-files.ts';

interface Node {
  name?: string;
  children?: number[];
  translation?: number[];
  scale?: number[];
  mesh?: number;
  skin?: number;
}

/** How the clothes differ from the character. */
export interface OutfitForm {
  /** Name of a copied node. */
  readonly rename?: (name: string) => string;
  /** Copied joints, by name without namespace; all by default. The nodes above them are copied too. */
  readonly joints?: (name: string) => boolean;
  /** Factor of the scale of the copied armature; its joints have the inverse factor. */
  readonly scale?: number;
  /** Offset of the copied armature, meters. */
  readonly offset?: readonly [number, number, number];
  /** Whether the copy is below the armature of the character instead of one of its own. */
  readonly inArmature?: boolean;
}

function documentJson(doc: GltfDocument): {
  nodes: Node[];
  skins: { joints: number[] }[];
  scenes: { nodes: number[] }[];
} {
  return doc.json as never;
}

/**
 * Returns the demo character of Mixamo's names with a second skin, the mesh of the character again, whose joints are copies of its own.
 */
export function outfitGlb({
  rename = (name) => `${name}.001`,
  joints,
  scale = 1,
  offset,
  inArmature,
}: OutfitForm): Uint8Array {
  const doc = parseGltf(demoBytes('mixamo.glb'));
  const json = documentJson(doc);
  const { nodes } = json;
  const plain = (node: number): string => (nodes[node].name ?? '').replace(/^.*:/, '');
  const [root] = json.scenes[0].nodes.filter((node) => (nodes[node].children ?? []).length > 0);
  const skin = json.skins[0];
  const copyOf = new Map<number, number>();
  const isWanted = (node: number): boolean =>
    joints === undefined || joints(plain(node)) || (nodes[node].children ?? []).some(isWanted);
  const copy = (node: number): number => {
    const { name = '', children = [], ...rest } = nodes[node];
    const at = nodes.length;
    copyOf.set(node, at);
    const made: Node = { ...rest, name: rename(name) };
    nodes.push(made);
    const own = children.filter((child) => nodes[child].mesh === undefined && isWanted(child)).map(copy);
    if (own.length > 0) made.children = own;
    if (node !== root && made.translation !== undefined) made.translation = made.translation.map((v) => v / scale);
    if (node === root) made.scale = (made.scale ?? [1, 1, 1]).map((v) => v * scale);
    return at;
  };
  const armature = copy(root);
  const copied = skin.joints.filter((joint) => copyOf.has(joint));
  json.skins.push({ joints: copied.map((joint) => copyOf.get(joint) as number) });
  nodes.push({ name: 'Shirt', mesh: nodes.find(({ mesh }) => mesh !== undefined)?.mesh as number, skin: 1 });
  json.scenes[0].nodes.push(nodes.length - 1);
  if (inArmature === true) {
    nodes[root].children = [...(nodes[root].children ?? []), ...(nodes[armature].children ?? [])];
    delete nodes[armature].children;
  }
  if (offset === undefined) json.scenes[0].nodes.push(armature);
  else {
    nodes.push({ name: 'Wardrobe', translation: [...offset], children: [armature] });
    json.scenes[0].nodes.push(nodes.length - 1);
  }
  return concatParts(serializeGltf(doc).parts);
}
