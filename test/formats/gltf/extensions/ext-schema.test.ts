import { describe, expect, it } from 'vitest';
import { BONES } from '../../../../src/core/humanoid/bones.ts';
import type { HumanoidClip } from '../../../../src/core/humanoid/humanoid-clip.ts';
import { createDocument } from '../../../../src/formats/gltf/document/document.ts';
import { addSkeletonDefinition } from '../../../../src/formats/gltf/extensions/ext-skeleton-humanoid.ts';
import { addHumanoidAnimations } from '../../../../src/formats/gltf/write/write-humanoid-clips.ts';
import {
  EXTRAS_SCHEMA as EXTRAS,
  keepsSchema as isValid,
  SCHEMA_NAMES as names,
  ROOT_SCHEMA as ROOT,
  schemaOf,
  TARGET_SCHEMA as TARGET,
} from '../../../support/make/ext-schemas.ts';

describe('JSON Schemas of EXT_skeleton_humanoid', () => {
  it('have ids equal to their file names and use draft 2020-12', () => {
    for (const name of names) {
      const schema = schemaOf(name);
      expect([schema['$id'], schema['$schema']]).toEqual([name, 'https://json-schema.org/draft/2020-12/schema']);
    }
    expect(names).toContain(`${ROOT}.schema.json`);
  });

  it('accept exactly the 55 bone names', () => {
    for (const humanoidBoneName of BONES) expect(isValid(TARGET, { humanoidBoneName })).toBe(true);
    const all = Object.fromEntries(BONES.map((name, k) => [name, k]));
    expect(isValid(ROOT, { humanoidSkeletons: [{ rootNode: 0, humanoidBones: all }] })).toBe(true);
    expect(isValid(TARGET, { humanoidBoneName: 'Hips' })).toBe(false);
    expect(isValid(ROOT, { humanoidSkeletons: [{ rootNode: 0, humanoidBones: { waist: 1 } }] })).toBe(false);
  });

  it('require an array of skeletons, each with rootNode and humanoidBones', () => {
    const humanoidBones = { hips: 1 };
    expect(isValid(ROOT, { humanoidSkeletons: [{ rootNode: 0, humanoidBones, extras: 1 }], extras: {} })).toBe(true);
    for (const wrong of [
      { rootNode: 0, humanoidBones },
      { humanoidSkeletons: [] },
      { humanoidSkeletons: [{ humanoidBones }] },
      { humanoidSkeletons: [{ rootNode: 0 }] },
      { humanoidSkeletons: [{ rootNode: -1, humanoidBones }] },
      { humanoidSkeletons: [{ rootNode: 0, humanoidBones: {} }] },
      { humanoidSkeletons: [{ rootNode: 0, humanoidBones: { hips: 1.5 } }] },
    ]) {
      expect(isValid(ROOT, wrong)).toBe(false);
    }
  });

  it('accept the files that anyrig writes', () => {
    const doc = createDocument();
    doc.json['nodes'] = [{}, {}];
    addSkeletonDefinition(doc, { rootNode: 0, bones: { hips: 1 } });
    const clip: HumanoidClip = {
      name: 'nod',
      duration: 1,
      restHipsHeight: 0.9,
      tracks: [
        { target: 5, path: 'rotation', interpolation: 'STEP', times: [0, 1], values: [0, 0, 0, 1, 1, 0, 0, 0] },
      ].map(({ times, values, ...track }) => ({
        ...(track as { target: number; path: 'rotation'; interpolation: 'STEP' }),
        times: Float32Array.from(times),
        values: Float32Array.from(values),
      })),
    };
    addHumanoidAnimations(doc, [clip]);
    const { extensions, animations } = doc.json as {
      extensions: Record<string, unknown>;
      animations: { extras: unknown; channels: { target: { extensions: Record<string, unknown> } }[] }[];
    };
    expect(isValid(ROOT, extensions['EXT_skeleton_humanoid'])).toBe(true);
    expect(isValid(TARGET, animations[0].channels[0].target.extensions['EXT_skeleton_humanoid'])).toBe(true);
    expect(isValid(EXTRAS, animations[0].extras)).toBe(true);
    expect(isValid(EXTRAS, { restHipsHeight: 0, unit: 'metre' })).toBe(false);
    expect(isValid(EXTRAS, { restHipsHeight: 1 })).toBe(false);
  });
});
