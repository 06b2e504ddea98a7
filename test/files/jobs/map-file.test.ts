import { describe, expect, it } from 'vitest';
import { MIXAMO_RIG, UNREAL_RIG } from '../../../src/demo/characters/rigs.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { mapFile } from '../../../src/files/jobs/map-file.ts';
import { openBytes } from '../../../src/files/open.ts';
import { OptionError } from '../../../src/files/option-error.ts';
import { openDemo } from '../../support/make/demo-files.ts';
import { gltfWithCharacters, PROP } from '../../support/make/two-characters.ts';

const open = (text: string) => openBytes(new TextEncoder().encode(text), { name: 'crowd.gltf' });

describe('mapFile', () => {
  it.each(['mixamo.glb', 'chibi.vrm', 'turn.bvh', 'odd-axes.glb'])(
    'gives a map of %s that resolves to the same nodes when supplied again',
    async (name) => {
      const file = await openDemo(name);
      const { map, reason } = mapFile(file);
      expect(reason).toBeNull();
      const before = chooseHumanoid(file, 'source', {}).found?.humanoid.map.nodes;
      const after = chooseHumanoid(file, 'source', { map: map!.bones }).found?.humanoid.map;
      expect(after?.from).toBe('given');
      expect(after?.nodes).toEqual(before);
    },
  );

  it('maps the selected skeleton, and throws when several are humanoid and none is selected', async () => {
    const file = await open(gltfWithCharacters([MIXAMO_RIG, UNREAL_RIG]));
    expect(mapFile(file, 1).map?.bones.hips).toBe('pelvis');
    expect(() => mapFile(file)).toThrow(OptionError);
    expect(() => mapFile(file)).toThrow(expect.objectContaining({ option: 'skeleton' }));
  });

  it('gives the bones found in a skeleton that is not humanoid', async () => {
    const legs = [
      { name: 'Hips', children: [1, 2, 3] },
      { name: 'Spine' },
      { name: 'LeftUpLeg', children: [4] },
      { name: 'RightUpLeg', children: [5] },
      { name: 'LeftLeg' },
      { name: 'RightLeg' },
    ];
    const { map, bones, reason } = mapFile(await open(gltfWithCharacters([], [legs])));
    expect(reason).toMatch(/./);
    const written = Object.entries(map?.bones ?? {}).filter(([, node]) => node !== null);
    expect(written.map(([bone]) => bone).sort()).toEqual(Object.keys(bones).sort());
    expect(map?.bones).toMatchObject({ hips: 'Hips', leftUpperLeg: 'LeftUpLeg', head: null });
    expect(map?.nodes).toHaveLength(6);
  });

  it('gives no map without a skeleton', async () => {
    expect(mapFile(await open(gltfWithCharacters([], [[{ name: 'Alone' }]])))).toMatchObject({ map: null });
    expect(mapFile(await open(gltfWithCharacters([], [PROP]))).map).not.toBeNull();
  });
});
