import { describe, expect, it } from 'vitest';
import type { Asset, AssetClip } from '../../../src/core/asset/asset.ts';
import { chooseClips } from '../../../src/files/clips/choose-clips.ts';
import type { OpenFile } from '../../../src/files/open.ts';
import { OptionError } from '../../../src/files/option-error.ts';
import { withoutVertices } from '../../support/make/opened.ts';

function fileOf(name: string, ...clips: string[]): OpenFile {
  const made = clips.map((clip): AssetClip => ({ name: clip, duration: 1, clips: [], morphs: [], otherChannels: 0 }));
  const asset: Asset = { format: 'gltf', metersPerUnit: 1, up: [0, 1, 0], skeletons: [], clips: made, issues: [] };
  return withoutVertices({ name, asset });
}

const files = [fileOf('a.glb', 'Walk', 'Run', '7', 'Walk'), fileOf('b.glb', 'Run', 'Jump')];
const chosen = (...selectors: (string | number)[]): number[][] => {
  return chooseClips(files, selectors).map((list) => list.map(({ index }) => index));
};

describe('chooseClips', () => {
  it('selects all clips without selectors', () => {
    expect(chosen()).toEqual([
      [0, 1, 2, 3],
      [0, 1],
    ]);
  });

  it('selects every clip with a name, in file order', () => {
    expect(chosen('Walk')).toEqual([[0, 3], []]);
    expect(chosen('Run', 'Walk')).toEqual([[0, 1, 3], [0]]);
  });

  it('selects a clip with a generic name by the name of its file', () => {
    const unnamed = [fileOf('in/dance.fbx', 'mixamo.com', 'Take 001'), fileOf('idle.bvh', '')];
    expect(chooseClips(unnamed, ['idle']).map((list) => list.length)).toEqual([0, 1]);
    expect(chooseClips(unnamed, ['dance']).map((list) => list.length)).toEqual([2, 0]);
    expect(chooseClips(unnamed, ['mixamo.com']).map((list) => list.length)).toEqual([1, 0]);
  });

  it('selects an index in every file that has it', () => {
    expect(chosen(1)).toEqual([[1], [1]]);
    expect(chosen('2', 'Jump')).toEqual([[2], [1]]);
  });

  it('prefers names over indices', () => {
    expect(chosen('7')).toEqual([[2], []]);
  });

  it('throws with a list of clips for a selector without a match', () => {
    expect(() => chosen('Walk', 'walk')).toThrow(OptionError);
    expect(() => chosen('dance')).toThrow(/There is no clip "dance"; choose one of:\n {2}0 {2}"Walk" of a\.glb\n/);
    expect(() => chosen('')).toThrow(OptionError);
  });

  it('suggests names that are close to the selector', () => {
    const message = /There is no clip "walk"; did you mean "Walk"\? Choose one of:\n {2}0 {2}"Walk" of a\.glb\n/;
    expect(() => chosen('walk')).toThrow(message);
    expect(() => chosen('Jmp')).toThrow(/did you mean "Jump"\?/);
    expect(() => chosen('Run, Jump')).toThrow(
      /There is no clip "Run, Jump"; select both one by one: "Run", "Jump"; choose/,
    );
    for (const far of ['x', '99']) expect(() => chosen(far)).toThrow(/There is no clip "\w+"; choose one of/);
  });

  it('selects nothing from files without clips', () => {
    expect(chooseClips([fileOf('c.glb'), fileOf('d.glb')], ['x'])).toEqual([[], []]);
  });

  it('limits the list of clips in the message', () => {
    const many = fileOf('many.glb', ...Array.from({ length: 500 }, (_, k) => `clip ${k}`));
    expect(() => chooseClips([many], ['x'])).toThrow(/and 460 more$/);
  });
});
