import { describe, expect, it } from 'vitest';
import { describeHumanoid } from '../../../../src/core/humanoid/describe-humanoid.ts';
import { createDocument } from '../../../../src/formats/gltf/document/document.ts';
import { addSkeletonDefinition } from '../../../../src/formats/gltf/extensions/ext-skeleton-humanoid.ts';
import { readGltf } from '../../../../src/formats/gltf/read/read-gltf.ts';
import { addCharacter, definitionOf } from '../../../support/make/ext-character.ts';

const NAME = 'KHR_character_skeleton_mapping';
const SETS = `/extensions/${NAME}/skeletalRigMappings`;
const VOCABULARY = 'https://example.com/vocabularies/vrm-1.0';

function read(mappings: (bones: Record<string, number>) => unknown) {
  const doc = createDocument();
  const definition = definitionOf(addCharacter(doc, {}));
  doc.json['extensions'] = { [NAME]: { skeletalRigMappings: mappings(definition.bones) } };
  doc.json['extensionsRequired'] = [NAME];
  const asset = readGltf(doc);
  const codes = asset.issues.map(({ code, where }) => `${code} ${where.pointer}`);
  return { doc, definition, asset, codes };
}

function withNodes(bones: Record<string, number>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(bones).map(([name, node]) => [name, { node, name: `joint ${node}` }]));
}

describe('readCharacterMapping', () => {
  it.each<[string, (bones: Record<string, number>) => unknown]>([
    ['objects with a node', (bones) => ({ [VOCABULARY]: withNodes(bones) })],
    ['indices', (bones) => ({ [VOCABULARY]: bones })],
  ])('reads mappings with %s, without a declared pose', (_, mappings) => {
    const { asset, codes, definition } = read(mappings);
    expect(codes).toEqual([]);
    const [{ declared, skeleton, sourceNodes }] = asset.skeletons;
    expect([declared?.format, declared?.facing]).toEqual(['khr', null]);
    expect(sourceNodes[declared?.nodes[0] ?? -1]).toBe(definition.bones.hips);
    const { humanoid } = describeHumanoid(skeleton, { declared, metersPerUnit: 1 });
    expect([humanoid?.map.from, humanoid?.reference.kind]).toEqual(['khr', 'estimated']);
  });

  it.each<[string, (bones: Record<string, number>) => unknown, string]>([
    ['names by role', () => ({ rig: { hips: 'Hips', head: 'Head' } }), `${SETS}/rig`],
    ['roles by name', () => ({ rig: { Hips: 'hips' } }), `${SETS}/rig`],
    ['roles of another vocabulary', (bones) => ({ rig: { pelvis: { node: bones['hips'] } } }), `${SETS}/rig`],
    ['no roles', () => ({ rig: {} }), `${SETS}/rig`],
    ['a list', () => ({ rig: [] }), `${SETS}/rig`],
    ['nothing', () => undefined, SETS],
  ])('ignores and reports mappings with %s', (_, mappings, pointer) => {
    const { asset, codes } = read(mappings);
    expect(codes).toEqual([`CHARACTER_DRAFT ${pointer}`]);
    expect(asset.skeletons[0].declared).toBeNull();
  });

  it('skips unreadable sets, and roles whose node does not exist or already has a role', () => {
    const { asset, codes } = read((bones) => ({
      old: { hips: 'Hips' },
      [VOCABULARY]: { hips: { node: bones['hips'] }, spine: { node: 999 }, chest: { node: bones['hips'] } },
    }));
    const set = VOCABULARY.replaceAll('/', '~1');
    expect(codes).toEqual([
      `CHARACTER_DRAFT ${SETS}/old`,
      `CHARACTER_DRAFT ${SETS}/${set}/spine`,
      `CHARACTER_DRAFT ${SETS}/${set}/chest`,
    ]);
    expect(asset.skeletons[0].declared?.nodes.filter((node) => node >= 0)).toHaveLength(1);
  });

  it('is not used where the file has a definition of EXT_skeleton_humanoid', () => {
    const { doc, definition } = read((bones) => ({ [VOCABULARY]: bones }));
    addSkeletonDefinition(doc, definition);
    expect(readGltf(doc).skeletons.map(({ declared }) => declared?.format)).toEqual(['ext']);
  });
});
