import { describe, expect, it } from 'vitest';
import type { AssetClip } from '../../src/core/asset/asset.ts';
import type { OpenFile } from '../../src/files/open.ts';
import { OptionError } from '../../src/files/option-error.ts';
import { pairClips } from '../../src/preview/pair-clips.ts';
import { withoutVertices } from '../make/opened.ts';

function fileOf(name: string, ...clips: string[]): OpenFile {
  const made = clips.map((clip): AssetClip => ({ name: clip, duration: 1, clips: [], morphs: [], otherChannels: 0 }));
  const asset = { format: 'gltf', metersPerUnit: 1, up: [0, 1, 0], skeletons: [], clips: made, issues: [] } as const;
  return withoutVertices({ name, asset });
}

/** Clips of the groups as `file:name`. */
function groups(files: readonly OpenFile[], ...selectors: (string | number)[]): string[] {
  return pairClips(files, selectors).map((group) => group.map(({ file, clip }) => `${file}:${clip.name}`).join(' '));
}

const pack = fileOf('pack.glb', 'walk', 'run', 'jump');

describe('pairClips', () => {
  it('gives every clip of one file, or those that are chosen', () => {
    expect(groups([pack])).toEqual(['0:walk', '0:run', '0:jump']);
    expect(groups([pack], 'jump', 0)).toEqual(['0:walk', '0:jump']);
    expect(() => groups([pack], 'fly')).toThrow(OptionError);
  });

  it('pairs clips of one name, whatever else the files have', () => {
    const out = fileOf('out.glb', 'idle', 'run', 'walk');
    expect(groups([pack, out])).toEqual(['0:walk 1:walk', '0:run 1:run']);
    expect(groups([pack, out], 'run')).toEqual(['0:run 1:run']);
    // An index is that of the motion; its result is found by name.
    expect(groups([pack, out], 0)).toEqual(['0:walk 1:walk']);
  });

  it('knows the names that retarget gives: of the file where the clip has none, numbered where one is taken', () => {
    expect(groups([fileOf('dir/dance.bvh', ''), fileOf('out.glb', 'idle', 'dance', 'wave')])).toEqual(['0: 1:dance']);
    const walk = fileOf('walk.glb', 'walk');
    expect(groups([walk, fileOf('out.glb', 'walk', 'idle', 'walk 2')])).toEqual(['0:walk 1:walk 2']);
    expect(groups([walk, fileOf('out.glb', 'walk', 'walk fast')])).toEqual(['0:walk 1:walk']);
    const both = fileOf('both.glb', 'walk', 'walk 2');
    expect(groups([both, fileOf('out.glb', 'walk', 'walk 2')])).toEqual(['0:walk 1:walk', '0:walk 2 1:walk 2']);
  });

  it('takes the last clip of the second file where no names agree: retarget adds at the end', () => {
    const out = fileOf('out.glb', 'idle', 'renamed');
    expect(groups([pack, out])).toEqual(['0:walk 1:renamed']);
    expect(groups([pack, out], 'run', 'idle')).toEqual(['0:run 1:idle']);
  });

  it('gives clips alone where only one of the files has some', () => {
    expect(groups([pack, fileOf('avatar.vrm')])).toEqual(['0:walk', '0:run', '0:jump']);
    expect(groups([fileOf('avatar.vrm'), pack], 'run')).toEqual(['1:run']);
    expect(groups([fileOf('a.vrm'), fileOf('b.vrm')], 'run')).toEqual([]);
  });
});
