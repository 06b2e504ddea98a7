import { type VRM, VRMLoaderPlugin } from '@pixiv/three-vrm';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { describe, expect, it } from 'vitest';
import { BONES, type BoneName, REQUIRED_BONES } from '../../../../src/core/humanoid/bones.ts';
import { createDocument, parseGltf } from '../../../../src/formats/gltf/document/document.ts';
import { concatParts } from '../../../../src/formats/gltf/document/glb.ts';
import { serializeGltf } from '../../../../src/formats/gltf/document/serialize-gltf.ts';
import { bonesOfDefinition } from '../../../../src/formats/gltf/extensions/ext-skeleton-humanoid.ts';
import { addVrmHumanoid, definitionOfVrm } from '../../../../src/formats/gltf/extensions/vrm-conversion.ts';
import { readGltf } from '../../../../src/formats/gltf/read/read-gltf.ts';
import { demoBytes } from '../../../support/make/demo-files.ts';
import { addCharacter, definitionOf } from '../../../support/make/ext-character.ts';

const META = { name: 'somebody', authors: ['nobody'] };

describe('definitionOfVrm', () => {
  it.each(['child.vrm', 'chibi.vrm', 'wave.vrma'])('returns the bones of %s and the node above them', (name) => {
    const doc = parseGltf(demoBytes(name));
    const { definition, issues } = definitionOfVrm(doc);
    const asset = readGltf(doc);
    const [{ declared, sourceNodes, skeleton }] = asset.skeletons;
    const nodes = Array.from(declared?.nodes ?? [], (node) => (node < 0 ? -1 : sourceNodes[node]));
    if (definition === null) throw new Error('no definition');
    expect(Array.from(bonesOfDefinition(definition))).toEqual(nodes);
    const hips = declared?.nodes[0] ?? -1;
    const above = skeleton.parents[hips];
    expect(definition.rootNode).toBe(sourceNodes[above < 0 ? hips : above]);
    expect(issues.map(({ code }) => code)).toEqual(asset.format === 'vrm0' ? ['EXT_FACING'] : []);
  });

  it('returns null for a file without a VRM extension', () => {
    expect(definitionOfVrm(createDocument())).toEqual({ definition: null, issues: [] });
    const doc = createDocument();
    addCharacter(doc, {});
    doc.json['extensions'] = { VRMC_vrm: 1 };
    expect(definitionOfVrm(doc).definition).toBeNull();
  });
});

describe('addVrmHumanoid', () => {
  it('writes a VRM that three-vrm reads with the same bones', async () => {
    const doc = createDocument();
    const definition = definitionOf(addCharacter(doc, {}));
    expect(addVrmHumanoid(doc, definition, META)).toEqual({ isAdded: true, issues: [] });
    expect(doc.json['extensionsUsed']).toEqual(['VRMC_vrm']);
    const bytes = concatParts(serializeGltf(doc).parts);
    const loader = new GLTFLoader();
    loader.register((parser) => new VRMLoaderPlugin(parser));
    const { userData } = await loader.parseAsync(bytes.slice().buffer as ArrayBuffer, '');
    const { humanoid, meta } = userData['vrm'] as VRM;
    const found = BONES.filter((bone) => humanoid.getRawBoneNode(bone) !== null);
    expect(found).toEqual(BONES.filter((bone) => definition.bones[bone] !== undefined));
    expect(meta).toMatchObject({ name: 'somebody', authors: ['nobody'] });
    expect(readGltf(parseGltf(bytes)).format).toBe('vrm1');
  });

  it('adds nothing and reports the bones where bones that VRM requires are missing', () => {
    const doc = createDocument();
    const { rootNode, bones } = definitionOf(addCharacter(doc, {}));
    const { leftFoot: _, ...others } = bones;
    const { isAdded, issues } = addVrmHumanoid(doc, { rootNode, bones: others }, META);
    expect(isAdded).toBe(false);
    expect(issues).toMatchObject([{ code: 'VRM_HUMANOID', message: expect.stringContaining('leftFoot') as string }]);
    expect(doc.json['extensions']).toBeUndefined();
    expect(REQUIRED_BONES.includes('leftFoot' satisfies BoneName)).toBe(true);
  });

  it('throws for a file that already is a VRM, and for metadata without a name or an author', () => {
    const doc = createDocument();
    const definition = definitionOf(addCharacter(doc, {}));
    expect(() => addVrmHumanoid(doc, definition, { name: '', authors: ['x'] })).toThrow(RangeError);
    expect(() => addVrmHumanoid(doc, definition, { name: 'x', authors: [] })).toThrow(RangeError);
    addVrmHumanoid(doc, definition, META);
    expect(() => addVrmHumanoid(doc, definition, META)).toThrow(/already is a VRM/);
  });
});
