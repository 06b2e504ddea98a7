import { describe, expect, it } from 'vitest';
import { readGltf } from '../../../../src/formats/gltf/index.ts';
import { documentOf } from '../../../make/glb.ts';
import { kinds, NODES, REQUIRED } from './vrm-files.ts';

describe('VRMA', () => {
  it('says that expressions and gaze are not carried', () => {
    const extension = kinds.vrma(REQUIRED).VRMC_vrm_animation;
    const expressions = { preset: { happy: { node: 1 } }, custom: { smirk: { node: 2 } } };
    const extensions = { VRMC_vrm_animation: { ...extension, expressions, lookAt: { node: 3 } } };
    const { issues } = readGltf(documentOf({ nodes: NODES, extensions }));
    expect(issues.map(({ code }) => code)).toEqual(['CHANNELS_DROPPED', 'CHANNELS_DROPPED']);
    expect(issues[0].message).toContain('"happy", "smirk"');
  });
});
