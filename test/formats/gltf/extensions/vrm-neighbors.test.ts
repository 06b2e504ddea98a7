import { type VRM, VRMLoaderPlugin } from '@pixiv/three-vrm';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { describe, expect, it } from 'vitest';
import { BONES, type BoneName, REQUIRED_BONES } from '../../../../src/core/humanoid/bones.ts';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { createDocument, parseGltf } from '../../../../src/formats/gltf/document.ts';
import { bonesOfDefinition } from '../../../../src/formats/gltf/extensions/ext-skeleton-humanoid.ts';
import { addVrmHumanoid, definitionOfVrm } from '../../../../src/formats/gltf/extensions/vrm-neighbors.ts';
import { concatParts } from '../../../../src/formats/gltf/glb.ts';
import { printGltf } from '../../../../src/formats/gltf/print.ts';
import { readGltf } from '../../../../src/formats/gltf/read.ts';
import { demoBytes } from '../../../make/demo-files.ts';
import { addCharacter, definitionOf } from '../../../make/ext-character.ts';

const META = { name: 'somebody', authors: ['nobody'] };

describe('definitionOfVrm', () => {
  it.each(['child.vrm', 'chibi.vrm', 'wave.vrma'])('gives the bones of %s and the node above them', (name) => {
    const doc = parseGltf(demoBytes(name));
    const issues: Issue[] = [];
    const definition = definitionOfVrm(doc, issues);
    const asset = readGltf(doc);
    const [{ declared, sourceNodes, skeleton }] = asset.skeletons;
    const nodes = Array.from(declared?.nodes ?? [], (node) => (node < 0 ? -1 : sourceNodes[node]));
    if (definition === null) throw new Error('there is none');
    expect(Array.from(bonesOfDefinition(definition))).toEqual(nodes);
    const hips = declared?.nodes[0] ?? -1;
    const above = skeleton.parents[hips];
    expect(definition.rootNode).toBe(sourceNodes[above < 0 ? hips : above]);
    expect(issues.map(({ code }) => code)).toEqual(asset.format === 'vrm0' ? ['EXT_FACING'] : []);
  });

  it('finds nothing in a file that is no VRM', () => {
    expect(definitionOfVrm(createDocument(), [])).toBeNull();
    const doc = createDocument();
    addCharacter(doc, {});
    doc.json['extensions'] = { VRMC_vrm: 1 };
    expect(definitionOfVrm(doc, [])).toBeNull();
  });
});

describe('addVrmHumanoid', () => {
  it('makes a VRM that three-vrm reads, with the same bones', async () => {
    const doc = createDocument();
    const definition = definitionOf(addCharacter(doc, {}));
    const issues: Issue[] = [];
    expect(addVrmHumanoid(doc, definition, META, issues)).toBe(true);
    expect([issues, doc.json['extensionsUsed']]).toEqual([[], ['VRMC_vrm']]);
    const bytes = concatParts(printGltf(doc).parts);
    const loader = new GLTFLoader();
    loader.register((parser) => new VRMLoaderPlugin(parser));
    const { userData } = await loader.parseAsync(bytes.slice().buffer as ArrayBuffer, '');
    const { humanoid, meta } = userData['vrm'] as VRM;
    const found = BONES.filter((bone) => humanoid.getRawBoneNode(bone) !== null);
    expect(found).toEqual(BONES.filter((bone) => definition.bones[bone] !== undefined));
    expect(meta).toMatchObject({ name: 'somebody', authors: ['nobody'] });
    expect(readGltf(parseGltf(bytes)).format).toBe('vrm1');
  });

  it('refuses a body without the bones that VRM requires, and says which', () => {
    const doc = createDocument();
    const { rootNode, bones } = definitionOf(addCharacter(doc, {}));
    const { leftFoot: _, ...others } = bones;
    const issues: Issue[] = [];
    expect(addVrmHumanoid(doc, { rootNode, bones: others }, META, issues)).toBe(false);
    expect(issues).toMatchObject([{ code: 'VRM_HUMANOID', message: expect.stringContaining('leftFoot') as string }]);
    expect(doc.json['extensions']).toBeUndefined();
    expect(REQUIRED_BONES.includes('leftFoot' satisfies BoneName)).toBe(true);
  });

  it('refuses a file that is a VRM already, and meta without a name or an author', () => {
    const doc = createDocument();
    const definition = definitionOf(addCharacter(doc, {}));
    expect(() => addVrmHumanoid(doc, definition, { name: '', authors: ['x'] }, [])).toThrow(RangeError);
    expect(() => addVrmHumanoid(doc, definition, { name: 'x', authors: [] }, [])).toThrow(RangeError);
    addVrmHumanoid(doc, definition, META, []);
    expect(() => addVrmHumanoid(doc, definition, META, [])).toThrow(/VRM already/);
  });
});
