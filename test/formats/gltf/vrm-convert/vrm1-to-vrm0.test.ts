import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFloats } from '../../../../src/formats/gltf/accessors/accessor.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';
import {
  concatParts,
  convertVrm,
  type GltfDocument,
  parseGltf,
  readGltf,
  serializeGltf,
} from '../../../../src/formats/gltf/index.ts';
import { assetFiles, HAS_ASSETS } from '../../../support/assets.ts';
import { MTOON_ITEM, richVrm0Bytes } from '../../../support/make/rich-vrm0.ts';
import { newCodes } from '../validator.ts';

/** Parsed JSON, of which a test knows the members. */
// biome-ignore lint/suspicious/noExplicitAny: the members of JSON have no types
type Json = Record<string, any>;

const OLD = richVrm0Bytes();
const BEFORE = parseGltf(OLD);
const vrm0 = ({ json }: GltfDocument): Json => (json as Json)['extensions']['VRM'];

interface Converted {
  readonly doc: GltfDocument;
  readonly vrm: Json;
  readonly codes: readonly string[];
  readonly messages: string;
}

/** The rich VRM as VRM 1.0, edited, and back. */
function thereAndBack(edit: (extensions: Json, json: Json) => void = () => undefined): Converted {
  const doc = parseGltf(OLD);
  convertVrm(doc, 1);
  const json = doc.json as Json;
  edit(json['extensions'], json);
  const { isConverted, issues } = convertVrm(doc, 0);
  expect(isConverted).toBe(true);
  const messages = issues.map(({ message }) => message).join('\n');
  return { doc, vrm: vrm0(doc), codes: issues.map(({ code }) => code), messages };
}

const BACK = thereAndBack();
const [A, B] = [vrm0(BEFORE), BACK.vrm];
const close = (list: readonly number[]): number[] => list.map((value) => expect.closeTo(value, 7));

describe('vrm1ToVrm0 restores a VRM 0.x that became VRM 1.0', () => {
  it('scene: nodes, vertices and bind matrices', () => {
    const [before, after] = [BEFORE.json as Json, BACK.doc.json as Json];
    before['nodes'].forEach((node: Json, n: number) => {
      expect(after['nodes'][n]['translation']).toEqual(node['translation']);
      expect(after['nodes'][n]['rotation']).toEqual(node['rotation']);
    });
    before['meshes'].forEach(({ primitives: [old] }: Json, m: number) => {
      const [primitive] = after['meshes'][m].primitives;
      expect(readFloats(BACK.doc, primitive.attributes['POSITION'])).toEqual(
        readFloats(BEFORE, old.attributes['POSITION']),
      );
    });
    // Two changes of the sign make a 0 of −0.
    const binds = (doc: GltfDocument): number[] =>
      Array.from(readFloats(doc, (doc.json as Json)['skins'][0].inverseBindMatrices), (value) => value + 0);
    expect(binds(BACK.doc)).toEqual(binds(BEFORE));
  });

  it('humanoid, with the names of thumbs', () => {
    expect(B['humanoid'].humanBones).toEqual(A['humanoid'].humanBones);
    const names = B['humanoid'].humanBones.map(({ bone }: Json) => bone);
    expect(names).toEqual(expect.arrayContaining(['leftThumbProximal', 'leftThumbIntermediate', 'leftThumbDistal']));
  });

  it('metadata that both versions have, and never more permissions', () => {
    const { licenseName, otherPermissionUrl, commercialUssageName, ...same } = A['meta'];
    expect([licenseName, otherPermissionUrl, commercialUssageName]).toEqual(['CC0', '', 'Allow']);
    expect(B['meta']).toMatchObject(same);
    // VRM 1.0 has "personal profit" for it, which does not permit everything that "Allow" does.
    expect(B['meta']).toMatchObject({ licenseName: 'Redistribution_Prohibited', commercialUssageName: 'Disallow' });
    expect(BACK.codes).toEqual(['VRM_CONVERT_META']);
    const corporate = thereAndBack(({ VRMC_vrm: { meta } }) => {
      meta.commercialUsage = 'corporation';
    });
    expect([corporate.vrm['meta'].commercialUssageName, corporate.codes]).toEqual(['Allow', []]);
  });

  it('expressions, look-at and first person', () => {
    expect(B['blendShapeMaster']).toEqual(A['blendShapeMaster']);
    expect(B['firstPerson']).toEqual(A['firstPerson']);
  });

  it('springs and colliders, several chains as one root', () => {
    expect(B['secondaryAnimation']).toEqual(A['secondaryAnimation']);
  });

  it('toon materials', () => {
    const [, toon] = B['materialProperties'];
    expect(toon).toMatchObject({ shader: 'VRM/MToon', tagMap: MTOON_ITEM.tagMap, renderQueue: 3000 });
    expect(toon.keywordMap).toMatchObject(MTOON_ITEM.keywordMap);
    expect(toon.textureProperties).toEqual(MTOON_ITEM.textureProperties);
    for (const [name, value] of Object.entries(MTOON_ITEM.floatProperties))
      expect([name, toon.floatProperties[name]]).toEqual([name, expect.closeTo(value, 7)]);
    for (const [name, value] of Object.entries(MTOON_ITEM.vectorProperties))
      expect([name, toon.vectorProperties[name]]).toEqual([name, close(value)]);
  });

  it('writes a valid glTF without extensions of VRM 1.0', async () => {
    const bytes = concatParts(serializeGltf(BACK.doc).parts);
    expect((await newCodes(OLD, bytes)).filter((code) => code !== 'UNUSED_OBJECT')).toEqual([]);
    expect(readGltf(parseGltf(bytes)).format).toBe('vrm0');
    expect(JSON.stringify(BACK.doc.json)).not.toContain('VRMC_');
  });
});

describe('vrm1ToVrm0 reports what VRM 0.x does not have', () => {
  it('surprised becomes a group; overrides and matcap colors are left out', () => {
    const { vrm, codes, messages } = thereAndBack(({ VRMC_vrm: { expressions } }) => {
      expressions.preset.surprised = {
        overrideBlink: 'block',
        materialColorBinds: [{ material: 1, type: 'matcapColor' }],
      };
    });
    expect(vrm['blendShapeMaster'].blendShapeGroups).toContainEqual(
      expect.objectContaining({ name: 'surprised', presetName: 'unknown', materialValues: [] }),
    );
    expect(codes).toContain('VRM_CONVERT_FACE');
    expect(messages).toMatch(/"surprised".*overrideBlink, matcapColor/);
  });

  it('constraints are dropped', () => {
    const { doc, codes } = thereAndBack((_, json) => {
      json['nodes'][3].extensions = { VRMC_node_constraint: { specVersion: '1.0', constraint: {} } };
      json['extensionsUsed'].push('VRMC_node_constraint');
    });
    expect(codes).toContain('VRM_CONVERT_NODE');
    expect(JSON.stringify(doc.json)).not.toContain('VRMC_node_constraint');
  });

  it('capsules become rows of spheres, uneven joints the first one', () => {
    const { vrm, messages } = thereAndBack(({ VRMC_springBone: springBone }) => {
      springBone.colliders[0].shape = { capsule: { offset: [0, 0, 0], tail: [0, 0.2, 0], radius: 0.1 } };
      springBone.springs[0].joints[1].stiffness = 9;
    });
    const { colliderGroups, boneGroups } = vrm['secondaryAnimation'];
    expect(colliderGroups[0].colliders.map(({ offset }: Json) => offset.y)).toEqual([0, 0.1, 0.2]);
    expect(boneGroups[0].stiffiness).toBe(2);
    expect(messages).toMatch(/capsules became rows/);
    expect(messages).toMatch(/1 springs have joints with different settings/);
  });

  it('a chain below another one with other settings swings with it', () => {
    const { vrm, messages } = thereAndBack(({ VRMC_springBone: { springs } }) => {
      springs[1].joints[0].dragForce = 0.9;
    });
    expect(vrm['secondaryAnimation'].boneGroups).toEqual(A['secondaryAnimation'].boneGroups);
    expect(messages).toMatch(/1 springs begin below another one/);
  });

  it('colors of the matcap and other mappings of textures', () => {
    const { messages } = thereAndBack((_, { materials }) => {
      const mtoon = materials[1].extensions.VRMC_materials_mtoon;
      mtoon.matcapFactor = [0.5, 0.5, 0.5];
      mtoon.shadeMultiplyTexture.texCoord = 1;
    });
    expect(messages).toMatch(/the texture mapping of _ShadeTexture, matcapFactor/);
  });

  it('refuses a humanoid without a head, and metadata for a file that has the version', () => {
    const doc = parseGltf(OLD);
    convertVrm(doc, 1);
    delete (doc.json as Json)['extensions'].VRMC_vrm.humanoid.humanBones.head;
    expect(convertVrm(doc, 0)).toMatchObject({ isConverted: false, issues: [{ code: 'VRM_HUMANOID' }] });
    const same = parseGltf(OLD);
    expect(convertVrm(same, 0)).toEqual({ isConverted: true, issues: [] });
    expect(convertVrm(same, 0, { meta: { name: 'A' } })).toMatchObject({ issues: [{ code: 'VRM_META_INVALID' }] });
  });

  it.skipIf(!HAS_ASSETS)('third-party files lose the rotations of their bones', async () => {
    for (const path of assetFiles('assets/vrm', 'vrm')) {
      const bytes = readFileSync(path);
      const doc = parseGltf(bytes);
      if (readGltf(doc).format !== 'vrm1') continue;
      expect([basename(path), convertVrm(doc, 0).isConverted]).toEqual([basename(path), true]);
      const nodes = (doc.json as Json)['nodes'] as JsonObject[];
      for (const { bone, node } of vrm0(doc)['humanoid'].humanBones) {
        const [x, y, z] = (nodes[node]['rotation'] ?? [0, 0, 0, 1]) as number[];
        expect([bone, Math.hypot(x, y, z)]).toEqual([bone, expect.closeTo(0, 6)]);
      }
      const codes = await newCodes(bytes, concatParts(serializeGltf(doc).parts));
      // The name VRM has no vendor prefix.
      const expected = ['UNUSED_OBJECT', 'INVALID_EXTENSION_NAME_FORMAT'];
      expect(codes.filter((code) => !expected.includes(code))).toEqual([]);
    }
  });
});
