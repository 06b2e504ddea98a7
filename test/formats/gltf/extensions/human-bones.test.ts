import { describe, expect, it } from 'vitest';
import { REQUIRED_BONES } from '../../../../src/core/humanoid/bones.ts';
import { readGltf } from '../../../../src/formats/gltf/index.ts';
import { documentOf } from '../../../support/make/glb.ts';
import { bonesOf, type Kind, kinds, NODES, node, REQUIRED, read, THUMBS, THUMBS_BY_OLD_NAMES } from './vrm-files.ts';

describe.each(Object.keys(kinds) as Kind[])('readGltf: humanoid map of %s', (kind) => {
  it('declares format and facing', () => {
    const asset = read(kind, REQUIRED);
    expect(asset.format).toBe(kind);
    expect(asset.issues).toEqual([]);
    expect(asset.skeletons[0].declared?.format).toBe(kind);
    expect(asset.skeletons[0].declared?.facing).toBe(kind === 'vrm0' ? '-Z' : '+Z');
    expect(bonesOf(asset)).toEqual(Object.fromEntries(REQUIRED_BONES.map((bone) => [bone, bone])));
  });

  it.each([
    ['an unknown bone', { tail: { node: 3 } }, 'is not a humanoid bone name'],
    ['a bone called __proto__', Object.fromEntries([['__proto__', { node: 3 }]]), 'is not a humanoid bone name'],
    ['a node past the end', { neck: { node: 99 } }, 'has node 99'],
    ['a negative node', { neck: { node: -1 } }, 'has node -1'],
    ['a node that is text', { neck: { node: '3' } }, 'has node "3"'],
    ['a node without number', { neck: {} as { node: unknown } }, 'has node nothing'],
    ['a node twice', { neck: { node: node('head') } }, 'mapped to both head and neck'],
  ])('ignores and reports %s', (_, more, message) => {
    const asset = read(kind, { ...REQUIRED, ...more });
    expect(asset.issues.map(({ code }) => code)).toEqual(['VRM_HUMANOID']);
    expect(asset.issues[0].message).toContain(message);
    expect(asset.issues[0].where.pointer).toContain('/humanBones/');
    expect(Object.keys(bonesOf(asset))).toHaveLength(15);
  });

  it('reports missing required bones', () => {
    const { head: _head, leftFoot: _foot, ...rest } = REQUIRED;
    const { issues } = read(kind, rest);
    expect(issues.map(({ message }) => message)).toEqual([
      'Bones that VRM requires are missing: head, leftFoot. The humanoid was read without them.',
    ]);
  });

  it('reports bones that are not descendants of their parent bone, and keeps them', () => {
    const swapped = {
      ...REQUIRED,
      leftLowerArm: { node: node('leftUpperArm') },
      leftUpperArm: { node: node('leftLowerArm') },
    };
    const asset = read(kind, swapped);
    expect(asset.issues.map(({ code }) => code)).toEqual(['VRM_HUMANOID']);
    expect(asset.issues[0].message).toContain('leftLowerArm');
    expect(bonesOf(asset).leftLowerArm).toBe('leftUpperArm');
  });

  it('maps the thumb bone names of VRM 0.x', () => {
    const asset = read(kind, { ...REQUIRED, ...THUMBS_BY_OLD_NAMES });
    expect(asset.issues).toEqual([]);
    expect(bonesOf(asset)).toMatchObject(THUMBS);
  });

  it.each([
    ['is missing', undefined],
    ['is null', null],
    ['is text', 'hips'],
    ['is of the other kind', kind === 'vrm0' ? {} : []],
  ])('reports a map that %s', (_, humanBones) => {
    const extensions = structuredClone(kinds[kind]({})) as Record<string, { humanoid: { humanBones: unknown } }>;
    for (const extension of Object.values(extensions)) extension.humanoid.humanBones = humanBones;
    const asset = readGltf(documentOf({ nodes: NODES, extensions }));
    expect(asset.format).toBe(kind);
    expect(asset.skeletons[0].declared).toBeNull();
    expect(asset.issues.map(({ code }) => code)).toEqual(['VRM_HUMANOID']);
  });
});
