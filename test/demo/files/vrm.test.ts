import { validateBytes } from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { BONES } from '../../../src/core/humanoid/bones.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import { VRM0_RIG, VRM1_RIG, VRMA_RIG } from '../../../src/demo/characters/rigs.ts';
import { encodeMotion } from '../../../src/demo/files/encode.ts';
import { glbBytes } from '../../../src/demo/files/glb.ts';
import { vrm0Document, vrm1Document, vrmaDocument } from '../../../src/demo/files/vrm.ts';
import { makeWave } from '../../../src/demo/motions/wave.ts';
import { parseGltf, readGltf } from '../../../src/formats/gltf/index.ts';

async function expectValid(bytes: Uint8Array, ...known: string[]): Promise<void> {
  const { issues } = await validateBytes(bytes, { maxIssues: 0 });
  const codes = new Set(issues.messages.map(({ code }) => code));
  expect([...codes].filter((code) => !known.includes(code))).toEqual([]);
}

describe('vrm1Document', () => {
  const body = makeCharacter(VRM1_RIG);
  const bytes = glbBytes(vrm1Document(body));

  it('maps every bone of the character', () => {
    const asset = readGltf(parseGltf(bytes));
    expect(asset.format).toBe('vrm1');
    expect(asset.issues).toEqual([]);
    expect(asset.skeletons[0].declared).toMatchObject({ format: 'vrm1', facing: '+Z', nodes: body.bones });
  });

  it('is valid glTF', async () => {
    await expectValid(bytes, 'UNSUPPORTED_EXTENSION');
  });
});

describe('vrm0Document', () => {
  const body = makeCharacter(VRM0_RIG);
  const doc = vrm0Document(body);

  it('faces −Z without rest rotations and maps every bone of the character', () => {
    const asset = readGltf(parseGltf(glbBytes(doc)));
    expect(asset.format).toBe('vrm0');
    expect(asset.issues).toEqual([]);
    expect(asset.skeletons[0].declared).toMatchObject({ format: 'vrm0', facing: '-Z', nodes: body.bones });
    for (const node of doc.json['nodes'] as object[]) expect(node).not.toHaveProperty('rotation');
  });

  it('uses the thumb names of VRM 0.x', () => {
    const { humanoid } = (
      doc.json['extensions'] as { VRM: { humanoid: { humanBones: { bone: string; node: number }[] } } }
    ).VRM;
    const nodeOf = (name: string): number | undefined => humanoid.humanBones.find(({ bone }) => bone === name)?.node;
    expect(nodeOf('leftThumbProximal')).toBe(body.bones[BONES.indexOf('leftThumbMetacarpal')]);
    expect(nodeOf('leftThumbIntermediate')).toBe(body.bones[BONES.indexOf('leftThumbProximal')]);
    expect(nodeOf('rightThumbDistal')).toBe(body.bones[BONES.indexOf('rightThumbDistal')]);
    expect(nodeOf('leftThumbMetacarpal')).toBeUndefined();
  });

  it('is valid glTF', async () => {
    // The extension name has no vendor prefix for historical reasons.
    await expectValid(glbBytes(doc), 'UNSUPPORTED_EXTENSION', 'INVALID_EXTENSION_NAME_FORMAT');
  });
});

describe('vrmaDocument', () => {
  const body = makeCharacter({ ...VRMA_RIG, without: ['jaw'] });
  const wave = makeWave(body.figure);
  const bytes = glbBytes(vrmaDocument(body, { clips: [encodeMotion(body, wave)], face: wave.face }));

  it('has one clip and no mesh, and leaves out the eyes, which the format forbids', () => {
    const asset = readGltf(parseGltf(bytes));
    expect(asset.format).toBe('vrma');
    expect(asset.issues).toEqual([]);
    expect(asset.clips.map(({ name, duration }) => [name, Math.round(duration * 30)])).toEqual([['wave', 96]]);
    const nodes = asset.skeletons[0].declared!.nodes;
    expect(BONES.filter((_, bone) => nodes[bone] < 0)).toEqual(['leftEye', 'rightEye', 'jaw']);
    expect(parseGltf(bytes).json['meshes']).toBeUndefined();
  });

  it('leaves out the mesh of a character with a skin', () => {
    expect(vrmaDocument(makeCharacter({})).json['skins']).toBeUndefined();
  });

  it('is valid glTF', async () => {
    await expectValid(bytes, 'UNSUPPORTED_EXTENSION', 'NODE_EMPTY');
  });
});
