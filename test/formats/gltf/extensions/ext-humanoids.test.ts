import { Euler, Matrix4, Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import type { Asset } from '../../../../src/core/asset/asset.ts';
import { BONE, BONES, type BoneName } from '../../../../src/core/humanoid/bones.ts';
import { CANONICAL_FRAMES } from '../../../../src/core/humanoid/canonical-frames.ts';
import { describeHumanoid } from '../../../../src/core/humanoid/describe-humanoid.ts';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import { createDocument, type GltfDocument } from '../../../../src/formats/gltf/document/document.ts';
import { addSkeletonDefinition } from '../../../../src/formats/gltf/extensions/ext-skeleton-humanoid.ts';
import { readGltf } from '../../../../src/formats/gltf/read/read-gltf.ts';
import { addCharacter, definitionOf, type ExtCharacter } from '../../../support/make/ext-character.ts';
import { expectNear, expectSameRotation } from '../../../support/near.ts';
import { read } from '../../../support/reference/plain.ts';
import { LAW_F32 } from '../../../support/tolerances.ts';

const X_180 = new Quaternion().setFromEuler(new Euler(Math.PI, 0, 0));
const Y_180 = new Quaternion().setFromEuler(new Euler(0, Math.PI, 0));
const A_POSE = new Quaternion().setFromEuler(new Euler(0, 0, -0.7));

function placed(angle: number, at: [number, number, number], scale = 1): Matrix4 {
  const turn = new Quaternion().setFromEuler(new Euler(0, angle, 0));
  return new Matrix4().compose(new Vector3(...at), turn, new Vector3(scale, scale, scale));
}

function documentOf(...characters: readonly ExtCharacter[]): GltfDocument {
  const doc = createDocument();
  for (const character of characters) addSkeletonDefinition(doc, definitionOf(addCharacter(doc, character)));
  return doc;
}

function codesOf({ issues }: Asset): string[] {
  return issues.map(({ code }) => code);
}

function humanoidsOf(asset: Asset): Humanoid[] {
  return asset.skeletons.map(({ skeleton, declared }) => {
    const { humanoid, reason } = describeHumanoid(skeleton, { declared, metersPerUnit: asset.metersPerUnit });
    if (humanoid === null) throw new Error(reason);
    return humanoid;
  });
}

/** Every bone of a humanoid has its canonical axes in the reference pose. */
function expectCanonical({ map, reference }: Humanoid): void {
  BONES.forEach((_, bone) => {
    if (map.nodes[bone] < 0) return;
    expectSameRotation(read(reference.rotations, 4 * bone, 4), read(CANONICAL_FRAMES, 4 * bone, 4), LAW_F32);
  });
}

describe('readGltf of a character with EXT_skeleton_humanoid', () => {
  it('uses the bind pose as the declared reference pose', () => {
    const asset = readGltf(documentOf({}));
    expect(codesOf(asset)).toEqual([]);
    const [humanoid] = humanoidsOf(asset);
    expect([humanoid.map.from, humanoid.reference.kind, humanoid.reference.from]).toEqual(['ext', 'declared', 'ext']);
    expectCanonical(humanoid);
    // The pelvis is the middle of the upper legs, below the hips joint.
    expect(humanoid.hipsHeight).toBeCloseTo(0.95, 6);
  });

  it('gives each of several humanoids the space of its own root node', () => {
    const asset = readGltf(
      documentOf(
        { root: placed(0, [0, 0, 0]) },
        { root: placed(1.3, [3, 0, 1]), size: 0.6 },
        { root: placed(Math.PI, [-2, 4, 0]), size: 1.4 },
      ),
    );
    expect(codesOf(asset)).toEqual([]);
    const humanoids = humanoidsOf(asset);
    expect(humanoids).toHaveLength(3);
    for (const humanoid of humanoids) expectCanonical(humanoid);
    expectNear(
      humanoids.map(({ hipsHeight }) => hipsHeight),
      [0.95, 0.57, 1.33],
      LAW_F32,
    );
    expectNear(
      humanoids.map(({ ground }) => ground),
      [0, 0, 4],
      LAW_F32,
    );
  });

  it('uses the space of an armature that rotates and scales its children', () => {
    const root = new Matrix4().makeRotationX(-Math.PI / 2).scale(new Vector3(0.01, 0.01, 0.01));
    const doc = createDocument();
    const added = addCharacter(doc, {});
    // The same bones below a Z-up armature: their transforms in the file do not change.
    const nodes = doc.json['nodes'] as {
      rotation: number[];
      scale: number[];
      translation: number[];
      children: number[];
    }[];
    nodes[added.rootNode].rotation = new Quaternion()
      .setFromRotationMatrix(root.clone().scale(new Vector3(100, 100, 100)))
      .toArray();
    nodes[added.rootNode].scale = [0.01, 0.01, 0.01];
    const hips = nodes[(added.bones.get('hips') as { node: number }).node];
    const local = root
      .clone()
      .invert()
      .multiply(new Matrix4().makeTranslation(0, 1, 0));
    const [at, turn, scale] = [new Vector3(), new Quaternion(), new Vector3()];
    local.decompose(at, turn, scale);
    Object.assign(hips, { translation: at.toArray(), rotation: turn.toArray(), scale: scale.toArray() });
    addSkeletonDefinition(doc, definitionOf(added));
    const asset = readGltf(doc);
    expect(codesOf(asset)).toEqual([]);
    const [humanoid] = humanoidsOf(asset);
    expectCanonical(humanoid);
    expect(humanoid.hipsHeight).toBeCloseTo(0.95, 5);
  });

  it('prefers inverse bind matrices over the rest pose and reports the bones that differ', () => {
    const asset = readGltf(documentOf({ rests: { leftUpperArm: A_POSE, rightLowerLeg: X_180 } }));
    expect(codesOf(asset)).toEqual(['EXT_BIND_NOT_REST']);
    expect(asset.issues[0].message).toContain('rightLowerLeg 180.0°, leftUpperArm 40.1°');
    expectCanonical(humanoidsOf(asset)[0]);
  });

  it('uses the rest pose where no skin has inverse bind matrices', () => {
    const bones: BoneName[] = [
      'hips',
      'spine',
      'head',
      'leftUpperArm',
      'leftUpperLeg',
      'rightUpperArm',
      'rightUpperLeg',
    ];
    const asset = readGltf(documentOf({ bones, skins: [{ bones, bare: true }] }));
    expect(codesOf(asset)).toEqual([]);
    expectCanonical(humanoidsOf(asset)[0]);
  });

  it('combines several skins with different bind-shape factors through a common bone', () => {
    const lower: BoneName[] = ['hips', 'leftUpperLeg', 'leftLowerLeg', 'leftFoot', 'leftToes'];
    const right = lower.slice(1).map((name) => `right${name.slice(4)}` as BoneName);
    const all = readGltf(documentOf({})).skeletons[0].declared?.nodes ?? [];
    const upper = BONES.filter((bone, k) => all[k] >= 0 && !lower.slice(1).includes(bone) && !right.includes(bone));
    const shape = placed(0.4, [1, 2, 3], 0.5);
    const asset = readGltf(
      documentOf({
        skins: [{ bones: upper }, { bones: [...lower, ...right], shape }],
        rests: { leftUpperArm: A_POSE },
      }),
    );
    expect(codesOf(asset)).toEqual(['EXT_BIND_NOT_REST']);
    expectCanonical(humanoidsOf(asset)[0]);
  });

  it('accepts non-joint nodes between bones', () => {
    const asset = readGltf(documentOf({ between: { spine: A_POSE, leftLowerArm: X_180, rightFoot: Y_180 } }));
    expect(codesOf(asset)).toEqual([]);
    expectCanonical(humanoidsOf(asset)[0]);
  });

  it('keeps a declared reference pose other than a T-pose and reports it', () => {
    const asset = readGltf(documentOf({ turns: { leftUpperArm: A_POSE } }));
    const [humanoid] = humanoidsOf(asset);
    expect(humanoid.reference.kind).toBe('declared');
    const axes = new Quaternion(...read(CANONICAL_FRAMES, 4 * BONE.leftUpperArm, 4)).premultiply(A_POSE);
    expectSameRotation(read(humanoid.reference.rotations, 4 * BONE.leftUpperArm, 4), axes.toArray(), LAW_F32);
  });

  it('uses the measured facing of a character that does not face +Z and reports it', () => {
    const turned = documentOf({ root: placed(Math.PI, [0, 0, 0]) });
    const { humanoidSkeletons } = (
      turned.json['extensions'] as Record<string, { humanoidSkeletons: { rootNode: number }[] }>
    )['EXT_skeleton_humanoid'];
    expect(codesOf(readGltf(turned))).toEqual([]);
    humanoidSkeletons[0].rootNode = 5000;
    const asset = readGltf(turned);
    expect(codesOf(asset)).toEqual(['EXT_SKELETON', 'EXT_FACING']);
    expectCanonical(humanoidsOf(asset)[0]);
  });

  it('reports a root that is not an ancestor of all bones, a wrong bone hierarchy, and non-joint bones', () => {
    const doc = createDocument();
    const added = addCharacter(doc, { skins: [{ bones: ['hips', 'spine'] }] });
    const { bones } = definitionOf(added);
    const swapped = { ...bones, spine: bones.chest, chest: bones.spine } as typeof bones;
    addSkeletonDefinition(doc, { rootNode: bones.spine as number, bones: swapped });
    const messages = readGltf(doc)
      .issues.filter(({ code }) => code === 'EXT_SKELETON')
      .map(({ message }) => message);
    expect(messages[0]).toContain('is not an ancestor of all bones');
    expect(messages[1]).toMatch(/is not its parent bone: spine, chest, neck, leftShoulder, rightShoulder\./);
    expect(messages[2]).toMatch(/not joints of a skin: .*head/);
    expect(messages).toHaveLength(3);
  });

  it('creates a skeleton per definition, also for the same joints', () => {
    const doc = createDocument();
    const definition = definitionOf(addCharacter(doc, {}));
    addSkeletonDefinition(doc, definition);
    const { leftToes: _, ...others } = definition.bones;
    addSkeletonDefinition(doc, { rootNode: definition.rootNode, bones: others });
    const asset = readGltf(doc);
    expect(asset.skeletons.map(({ declared }) => (declared?.nodes[BONE.leftToes] ?? -1) >= 0)).toEqual([true, false]);
    expect(new Set(asset.skeletons.map(({ skeleton }) => skeleton.name)).size).toBe(2);
  });
});
