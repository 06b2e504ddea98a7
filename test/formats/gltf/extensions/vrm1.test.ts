import { describe, expect, it } from 'vitest';
import { readGltf } from '../../../../src/formats/gltf/index.ts';
import { documentOf } from '../../../support/make/glb.ts';
import { bonesOf, kinds, NODES, node, REQUIRED, read, THUMBS } from './vrm-files.ts';

describe('readVrm1', () => {
  it('keeps thumb bones with VRM 1.0 names', () => {
    const own = Object.fromEntries(Object.entries(THUMBS).map(([bone, name]) => [bone, { node: node(name) }]));
    expect(bonesOf(read('vrm1', { ...REQUIRED, ...own }))).toMatchObject(THUMBS);
  });

  it('takes precedence over VRM 0.x and VRMA in one file', () => {
    const extensions = { ...kinds.vrma(REQUIRED), ...kinds.vrm0(REQUIRED), ...kinds.vrm1(REQUIRED) };
    expect(readGltf(documentOf({ nodes: NODES, extensions })).format).toBe('vrm1');
  });
});
