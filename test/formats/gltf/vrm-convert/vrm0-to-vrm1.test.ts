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
import { richVrm0Bytes } from '../../../support/make/rich-vrm0.ts';
import { vrm1Faults } from '../../../support/make/vrm1-schema.ts';
import { newCodes } from '../validator.ts';

const OLD = richVrm0Bytes();

/** The rich VRM 0.x as VRM 1.0. */
function converted(): { doc: GltfDocument; codes: string[]; bytes: Uint8Array } {
  const doc = parseGltf(OLD);
  const { isConverted, issues } = convertVrm(doc, 1);
  expect(isConverted).toBe(true);
  return { doc, codes: issues.map(({ code }) => code), bytes: concatParts(serializeGltf(doc).parts) };
}

const { doc: NEW, codes: CODES, bytes: BYTES } = converted();
const EXTENSIONS = NEW.json['extensions'] as Record<string, JsonObject>;
const VRM = EXTENSIONS['VRMC_vrm'];
const nodes = (doc: GltfDocument): JsonObject[] => doc.json['nodes'] as JsonObject[];
const named = (name: string): number => nodes(NEW).findIndex((node) => node['name'] === name);

const headOf = ({ humanoid }: JsonObject): number =>
  (humanoid as { humanBones: Record<string, { node: number }> }).humanBones['head'].node;
/** A toon material has an unlit fallback, as VRMC_materials_mtoon recommends. Old vertices stay in the file. */
const EXPECTED_CODES = ['MULTIPLE_EXTENSIONS', 'UNUSED_OBJECT'];
const unexpected = (codes: readonly string[]): string[] => codes.filter((code) => !EXPECTED_CODES.includes(code));

describe('vrm0ToVrm1', () => {
  it('writes a valid VRM 1.0', async () => {
    expect(vrm1Faults(NEW)).toEqual([]);
    expect(unexpected(await newCodes(OLD, BYTES))).toEqual([]);
    expect(readGltf(parseGltf(BYTES)).format).toBe('vrm1');
    // The demo's license is CC0, which is not a term of VRM 1.0.
    expect(CODES).toEqual(['VRM_CONVERT_META']);
  });

  it('converts metadata', () => {
    expect(VRM['meta']).toMatchObject({
      authors: ['anyrig demo'],
      references: ['a book'],
      contactInformation: 'mail',
      thumbnailImage: 1,
      avatarPermission: 'everyone',
      allowExcessivelyViolentUsage: false,
      allowExcessivelySexualUsage: true,
      commercialUsage: 'personalProfit',
      allowRedistribution: false,
      modification: 'prohibited',
      otherLicenseUrl: 'https://creativecommons.org/publicdomain/zero/1.0/',
    });
  });

  it('binds expressions to nodes and materials by index', () => {
    const face = named('Face');
    expect(VRM['expressions']).toEqual({
      preset: {
        happy: { isBinary: false, morphTargetBinds: [{ node: face, index: 0, weight: 0.75 }] },
        aa: { isBinary: true, morphTargetBinds: [{ node: face, index: 1, weight: 1 }] },
      },
      custom: {
        Blush: {
          isBinary: false,
          materialColorBinds: [{ material: 1, type: 'shadeColor', targetValue: [1, 0, 0, 1] }],
          // The origin of texture coordinates moves from below to above: 1 − 0.5 − 0.25.
          textureTransformBinds: [{ material: 1, scale: [0.5, 0.25], offset: [0.25, 0.25] }],
        },
      },
    });
  });

  it('converts look-at and first person', () => {
    expect(VRM['lookAt']).toMatchObject({
      type: 'bone',
      offsetFromHeadBone: [-0.01, 0.06, 0.03],
      rangeMapHorizontalOuter: { inputMaxValue: 80, outputScale: 12 },
    });
    expect(VRM['firstPerson']).toEqual({ meshAnnotations: [{ node: named('Face'), type: 'thirdPersonOnly' }] });
  });

  it('converts springs into chains with an end, and rotates their vectors', () => {
    const [hair1, hair2, side] = ['Hair1', 'Hair2', 'Side'].map(named);
    const [end, sideEnd] = ['Hair2_end', 'Side_end'].map(named);
    const { springs, colliders, colliderGroups } = EXTENSIONS['VRMC_springBone'] as Record<string, JsonObject[]>;
    expect(springs.map(({ joints }) => (joints as { node: number }[]).map(({ node }) => node))).toEqual([
      [hair1, hair2, end],
      [side, sideEnd],
    ]);
    expect((springs[0]['joints'] as JsonObject[])[1]).toEqual({
      node: hair2,
      hitRadius: 0.02,
      stiffness: 2,
      gravityPower: 0.5,
      gravityDir: [-0.25, -1, 0.5],
      dragForce: 0.4,
    });
    expect(springs[0]).toMatchObject({ name: 'hair', colliderGroups: [0] });
    expect(springs[0]['center']).toBeUndefined();
    expect(colliders).toEqual([
      { node: headOf(VRM), shape: { sphere: { offset: [-0.01, 0.1, -0.02], radius: 0.09 } } },
    ]);
    expect(colliderGroups).toEqual([{ colliders: [0] }]);
    // 7 cm in the direction of the last bone, which is rotated like everything else.
    const length = Math.hypot(0.01, 0.1, 0.02);
    const [x, y, z] = nodes(NEW)[end]['translation'] as number[];
    expect([x, y, z].map((v) => v / 0.07)).toEqual([-0.01, -0.1, -0.02].map((v) => expect.closeTo(v / length, 12)));
  });

  it('rotates nodes, vertices and morph targets by 180°, without rotations on bones', () => {
    const old = parseGltf(OLD);
    nodes(old).forEach((before, n) => {
      const after = nodes(NEW)[n];
      const [x, y, z] = (before['translation'] ?? [0, 0, 0]) as number[];
      expect(after['translation'] ?? [0, 0, 0]).toEqual([0 - x, y, 0 - z]);
      expect(after['rotation']).toBe(before['rotation']);
      expect(after['extras']).toEqual(before['extras']);
    });
    const attributes = (doc: GltfDocument, mesh: number): JsonObject[] => {
      const [primitive] = (doc.json['meshes'] as { primitives: JsonObject[] }[])[mesh].primitives;
      return [primitive['attributes'] as JsonObject, ...((primitive['targets'] ?? []) as JsonObject[])];
    };
    for (const mesh of [0, 1])
      attributes(old, mesh).forEach((before, k) => {
        for (const name of ['POSITION', 'NORMAL']) {
          if (before[name] === undefined) continue;
          const values = readFloats(old, before[name] as number);
          const rotated = readFloats(NEW, attributes(NEW, mesh)[k][name] as number);
          expect(rotated).toEqual(values.map((value, i) => (i % 3 === 1 ? value : 0 - value)));
        }
      });
  });

  it('keeps the direction of cameras', () => {
    const [child] = nodes(NEW)[named('Camera')]['children'] as number[];
    expect(nodes(NEW)[named('Camera')]['camera']).toBeUndefined();
    expect(nodes(NEW)[child]).toEqual({ name: 'Camera', rotation: [0, 1, 0, 0], camera: 0 });
  });

  it('keeps unknown extensions and extras', () => {
    expect(EXTENSIONS['VENDOR_thing']).toEqual({ nodes: [named('Face')] });
    expect(NEW.json['extras']).toEqual({ owner: 'me' });
    expect((NEW.json['materials'] as JsonObject[])[1]['extras']).toEqual({ kept: 1 });
    expect(NEW.json['extensionsUsed']).toContain('VENDOR_thing');
  });

  it('replaces metadata with supplied entries, and refuses invalid ones', () => {
    const doc = parseGltf(OLD);
    const meta = { authors: ['A', 'B'], modification: 'allowModification' };
    const { issues } = convertVrm(doc, 1, { meta });
    const written = (doc.json['extensions'] as Record<string, JsonObject>)['VRMC_vrm']['meta'];
    expect(written).toMatchObject({ ...meta, references: ['a book'] });
    expect(issues).toEqual([]);
    const refused = convertVrm(parseGltf(OLD), 1, { meta: { authors: [], licence: 'x' } });
    expect(refused.isConverted).toBe(false);
    expect(refused.issues.map(({ code }) => code)).toEqual(['VRM_META_INVALID', 'VRM_META_INVALID']);
  });

  it('only replaces metadata of a VRM 1.0, and says why a file without bones is not converted', () => {
    const doc = parseGltf(BYTES);
    const before = structuredClone(doc.json);
    expect(convertVrm(doc, 1)).toEqual({ isConverted: true, issues: [] });
    expect(doc.json).toEqual(before);
    convertVrm(doc, 1, { meta: { name: 'New' } });
    const { meta } = (doc.json['extensions'] as Record<string, JsonObject>)['VRMC_vrm'];
    expect(meta).toMatchObject({ name: 'New', references: ['a book'] });
    const broken = parseGltf(OLD);
    ((broken.json['extensions'] as Record<string, JsonObject>)['VRM']['humanoid'] as JsonObject)['humanBones'] = [];
    const { isConverted, issues } = convertVrm(broken, 1);
    expect([isConverted, issues.map(({ code }) => code)]).toEqual([false, ['VRM_HUMANOID']]);
  });

  it.skipIf(!HAS_ASSETS)('converts third-party files', async () => {
    for (const path of assetFiles('assets/vrm', 'vrm')) {
      const bytes = readFileSync(path);
      const doc = parseGltf(bytes);
      if (readGltf(doc).format !== 'vrm0') continue;
      expect([basename(path), convertVrm(doc, 1).isConverted]).toEqual([basename(path), true]);
      expect(vrm1Faults(doc)).toEqual([]);
      expect(unexpected(await newCodes(bytes, concatParts(serializeGltf(doc).parts)))).toEqual([]);
    }
  });
});
