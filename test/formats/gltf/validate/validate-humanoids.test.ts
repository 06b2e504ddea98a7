import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseGltf } from '../../../../src/formats/gltf/index.ts';
import { validateHumanoids } from '../../../../src/formats/gltf/validate/validate-humanoids.ts';

const FOLDER = fileURLToPath(new URL('../../../corpus/ext-skeleton-humanoid/', import.meta.url));
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith('.gltf'));

const read = (file: string) => parseGltf(new Uint8Array(readFileSync(join(FOLDER, file))));
const memberOf = (object: object, key: string) => (object as Record<string, Record<string, unknown>>)[key];
const codesOf = (file: string): string[] => [...new Set(validateHumanoids(read(file)).issues.map(({ code }) => code))];

describe('validateHumanoids', () => {
  it('reports no issue for a conforming file and measures it', () => {
    const { isValid, issues, skeletons, animations } = validateHumanoids(read('sound.gltf'), { strict: true });
    expect(issues).toEqual([]);
    expect(isValid).toBe(true);
    expect(animations).toEqual([{ index: 0, name: 'nod', bones: ['hips', 'head'] }]);
    const [{ from, bones, facing, up, leftPalm, rightPalm, restOffDegrees }] = skeletons;
    expect(from).toBe('bind');
    expect(bones.leftUpperArm?.axes).toBeLessThan(1e-4);
    expect(bones.leftUpperArm?.pose).toBeLessThan(1e-4);
    expect(bones.leftUpperArm?.child).toBeLessThan(1e-4);
    for (const angle of [facing, up, leftPalm, rightPalm, restOffDegrees]) expect(angle).toBeLessThan(1e-3);
  });

  it.each(FILES.filter((file) => file !== 'sound.gltf'))('reports exactly the codes in the name of %s', (file) => {
    const wanted = basename(file).split('--')[0].split('-');
    expect(codesOf(file)).toEqual(expect.arrayContaining(wanted));
    expect(codesOf(file).filter((code) => !wanted.includes(code))).toEqual([]);
  });

  it('has a corpus file for every code', () => {
    const source = fileURLToPath(new URL('../../../../src/formats/gltf/validate/', import.meta.url));
    const text = readdirSync(source)
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(source, file), 'utf8'))
      .join('');
    const rules = new Set([...text.matchAll(/'((?:EXT|SKIN)_[A-Z_]+|NON_UNIFORM_SCALE)'/g)].map(([, code]) => code));
    const shown = new Set(FILES.flatMap((file) => file.split('--')[0].split('-')));
    // EXT_UNREADABLE cannot occur after the other rules pass, EXT_FACING comes from reading, and EXT_BONE_REQUIRED needs strict.
    expect([...rules].filter((code) => !shown.has(code)).sort()).toEqual([
      'EXT_BONE_REQUIRED',
      'EXT_FACING',
      'EXT_UNREADABLE',
    ]);
  });

  it('requires the bones of VRM only with strict', () => {
    const doc = read('sound.gltf');
    const root = memberOf(memberOf(doc.json, 'extensions'), 'EXT_skeleton_humanoid');
    const [definition] = memberOf(root, 'humanoidSkeletons') as unknown as object[];
    delete memberOf(definition, 'humanoidBones').leftHand;
    expect(validateHumanoids(doc).issues.map(({ code }) => code)).not.toContain('EXT_BONE_REQUIRED');
    expect(validateHumanoids(doc, { strict: true }).issues.map(({ code }) => code)).toContain('EXT_BONE_REQUIRED');
  });

  it('gives every issue a JSON pointer', () => {
    for (const file of FILES) {
      for (const { where, message } of validateHumanoids(read(file)).issues) {
        expect(where.pointer, message).toMatch(/^\//);
      }
    }
  });
});
