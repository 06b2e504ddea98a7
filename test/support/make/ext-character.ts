/** glTF documents with characters that conform to EXT_skeleton_humanoid, or almost; written by hand, no code shared with the readers. */
import { Matrix4, Quaternion, Vector3 } from 'three';
import { BONES, type BoneName } from '../../../src/core/humanoid/bones.ts';
import { CANONICAL_FRAMES } from '../../../src/core/humanoid/canonical-frames.ts';
import { appendAccessor } from '../../../src/formats/gltf/accessors/append-accessor.ts';
import type { GltfDocument } from '../../../src/formats/gltf/document/document.ts';
import { ensureList, type JsonObject } from '../../../src/formats/gltf/document/json-access.ts';
import { read } from '../reference/plain.ts';

/** Positions of the bones of the plain character in its T-pose, meters. */
const PLACES: Partial<Record<BoneName, readonly [number, number, number]>> = {
  hips: [0, 1, 0],
  spine: [0, 1.1, 0],
  chest: [0, 1.25, 0],
  neck: [0, 1.5, 0],
  head: [0, 1.6, 0.01],
  leftShoulder: [0.05, 1.45, 0],
  leftUpperArm: [0.18, 1.45, 0],
  leftLowerArm: [0.46, 1.45, 0],
  leftHand: [0.72, 1.45, 0],
  leftIndexProximal: [0.82, 1.45, 0.03],
  leftUpperLeg: [0.1, 0.95, 0],
  leftLowerLeg: [0.1, 0.5, 0],
  leftFoot: [0.1, 0.08, 0],
  leftToes: [0.1, 0.02, 0.14],
};
for (const [name, [x, y, z]] of Object.entries(PLACES)) {
  if (name.startsWith('left')) PLACES[`right${name.slice(4)}` as BoneName] = [-x, y, z];
}

/** Differences from the plain character. */
export interface ExtCharacter {
  /** Its bones; all of the plain character by default. */
  readonly bones?: readonly BoneName[];
  /** Lengths of its limbs. */
  readonly size?: number;
  /** The root node above the hips: the transform of the character in the file. */
  readonly root?: Matrix4;
  /** World rotation of a bone in front of its canonical axes: bones in other poses. */
  readonly turns?: Partial<Record<BoneName, Quaternion>>;
  /** Inserts a non-joint node with this rotation above these bones. */
  readonly between?: Partial<Record<BoneName, Quaternion>>;
  /** Local rotation of the rest pose of these bones against the bind pose. */
  readonly rests?: Partial<Record<BoneName, Quaternion>>;
  /** Skins with their bones and bind-shape factors; one skin with all bones by default. No skin for an empty list. */
  readonly skins?: readonly {
    readonly bones: readonly BoneName[];
    readonly shape?: Matrix4;
    readonly bare?: boolean;
  }[];
}

/** A bone of a character that was added to a document. */
export interface AddedBone {
  readonly node: number;
  /** Bind transform in model space. */
  readonly bind: Matrix4;
}

export interface AddedCharacter {
  readonly rootNode: number;
  readonly bones: ReadonlyMap<BoneName, AddedBone>;
}

function axesOf(bone: BoneName): Quaternion {
  const [x, y, z, w] = read(CANONICAL_FRAMES, 4 * BONES.indexOf(bone), 4);
  return new Quaternion(x, y, z, w);
}

function parentOf(bone: BoneName, bones: readonly BoneName[]): BoneName | undefined {
  const side = /^(left|right)/.exec(bone)?.[0] ?? '';
  const chains: readonly string[][] = [
    ['hips', 'spine', 'chest', 'upperChest', 'neck', 'head'],
    [
      'hips',
      'spine',
      'chest',
      'upperChest',
      `${side}Shoulder`,
      `${side}UpperArm`,
      `${side}LowerArm`,
      `${side}Hand`,
      `${side}IndexProximal`,
    ],
    ['hips', `${side}UpperLeg`, `${side}LowerLeg`, `${side}Foot`, `${side}Toes`],
  ];
  const chain = chains.find((names) => names.includes(bone)) ?? [];
  const above = chain.slice(0, chain.indexOf(bone)).reverse();
  return above.find((name) => bones.includes(name as BoneName)) as BoneName | undefined;
}

function transformOf(matrix: Matrix4): JsonObject {
  const [translation, rotation, scale] = [new Vector3(), new Quaternion(), new Vector3()];
  matrix.decompose(translation, rotation, scale);
  return { translation: translation.toArray(), rotation: rotation.toArray(), scale: scale.toArray() };
}

/** Adds a character to a document: a root node, its bones with their canonical axes, and its skins, without a definition. */
export function addCharacter(doc: GltfDocument, character: ExtCharacter = {}): AddedCharacter {
  const { size = 1, root = new Matrix4(), turns = {}, between = {}, rests = {} } = character;
  const wanted = character.bones ?? (Object.keys(PLACES) as BoneName[]);
  const bones = BONES.filter((bone) => wanted.includes(bone));
  const nodes = ensureList(doc.json, 'nodes') as JsonObject[];
  const addNode = (parent: number, name: string, local: Matrix4): number => {
    const index = nodes.push({ name, ...transformOf(local) }) - 1;
    if (parent >= 0)
      nodes[parent]['children'] = [...((nodes[parent]['children'] as number[] | undefined) ?? []), index];
    return index;
  };
  const rootNode = addNode(-1, 'root', root);
  const added = new Map<BoneName, AddedBone>();
  for (const bone of bones) {
    const [x, y, z] = PLACES[bone] as readonly [number, number, number];
    const inSpace = new Matrix4().compose(
      new Vector3(x, y, z).multiplyScalar(size),
      (turns[bone] ?? new Quaternion()).clone().multiply(axesOf(bone)),
      new Vector3(1, 1, 1),
    );
    const bind = root.clone().multiply(inSpace);
    const above = parentOf(bone, bones);
    let parent = above === undefined ? rootNode : (added.get(above) as AddedBone).node;
    let parentBind = above === undefined ? root.clone() : (added.get(above) as AddedBone).bind.clone();
    const turn = between[bone];
    if (turn !== undefined) {
      const local = new Matrix4().compose(new Vector3(0.01, 0.02, 0.03), turn, new Vector3(1, 1, 1));
      parent = addNode(parent, `above ${bone}`, local);
      parentBind = parentBind.multiply(local);
    }
    const local = parentBind.clone().invert().multiply(bind);
    const rest = rests[bone];
    if (rest !== undefined) local.multiply(new Matrix4().makeRotationFromQuaternion(rest));
    added.set(bone, { node: addNode(parent, `bone ${nodes.length}`, local), bind });
  }
  const scenes = ensureList(doc.json, 'scenes') as JsonObject[];
  if (scenes.length === 0) scenes.push({ nodes: [] });
  (scenes[0]['nodes'] as number[]).push(rootNode);
  for (const { bones: joints, shape = new Matrix4(), bare = false } of character.skins ?? [{ bones }]) {
    const matrices = joints.flatMap((bone) =>
      (added.get(bone) as AddedBone).bind.clone().invert().multiply(shape).toArray(),
    );
    const inverseBindMatrices = bare
      ? {}
      : { inverseBindMatrices: appendAccessor(doc, Float32Array.from(matrices), { type: 'MAT4' }) };
    const skin = { joints: joints.map((bone) => (added.get(bone) as AddedBone).node), ...inverseBindMatrices };
    ensureList(doc.json, 'skins').push(skin);
  }
  return { rootNode, bones: added };
}

/** Returns the humanoid definition of a character. */
export function definitionOf({ rootNode, bones }: AddedCharacter): {
  rootNode: number;
  bones: Partial<Record<BoneName, number>>;
} {
  return { rootNode, bones: Object.fromEntries([...bones].map(([name, { node }]) => [name, node])) };
}
