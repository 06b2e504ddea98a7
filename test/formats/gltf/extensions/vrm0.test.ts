import { describe, expect, it } from 'vitest';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import { readGltf } from '../../../../src/formats/gltf/index.ts';
import { documentOf } from '../../../support/make/glb.ts';
import { bonesOf, NODES, REQUIRED } from './vrm-files.ts';

describe('readVrm0', () => {
  it('keeps the first of two entries of one bone', () => {
    const humanBones = [
      ...Object.entries(REQUIRED).map(([bone, item]) => ({ bone, ...item })),
      { bone: 'hips', node: 2 },
    ];
    const asset = readGltf(documentOf({ nodes: NODES, extensions: { VRM: { humanoid: { humanBones } } } }));
    expect(asset.skeletons[0].declared?.nodes[BONE.hips]).toBe(0);
    expect(asset.issues[0].message).toContain('twice');
  });

  it('ignores malformed entries', () => {
    const humanBones = [null, 1, 'hips', [], {}, { bone: 5 }, { bone: 'hips', node: 0 }];
    const asset = readGltf(documentOf({ nodes: NODES, extensions: { VRM: { humanoid: { humanBones } } } }));
    expect(bonesOf(asset)).toEqual({ hips: 'hips' });
  });
});
