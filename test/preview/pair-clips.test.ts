import { describe, expect, it } from 'vitest';
import type { AssetClip } from '../../src/core/asset/asset.ts';
import type { OpenFile } from '../../src/files/open.ts';
import { OptionError } from '../../src/files/option-error.ts';
import { pairClips } from '../../src/preview/pair-clips.ts';
import { withoutVertices } from '../support/make/opened.ts';

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
  it('groups every clip of one file, or the selected clips', () => {
    expect(groups([pack])).toEqual(['0:walk', '0:run', '0:jump']);
    expect(groups([pack], 'jump', 0)).toEqual(['0:walk', '0:jump']);
    expect(() => groups([pack], 'fly')).toThrow(OptionError);
  });

  it('pairs clips of the same name and ignores all others', () => {
    const out = fileOf('out.glb', 'idle', 'run', 'walk');
    expect(groups([pack, out])).toEqual(['0:walk 1:walk', '0:run 1:run']);
    expect(groups([pack, out], 'run')).toEqual(['0:run 1:run']);
    // An index is that of the motion; its result is found by name.
    expect(groups([pack, out], 0)).toEqual(['0:walk 1:walk']);
  });

  it('recognizes the names that retarget writes: the file name for unnamed clips, numbered if taken', () => {
    expect(groups([fileOf('dir/dance.bvh', ''), fileOf('out.glb', 'idle', 'dance', 'wave')])).toEqual(['0: 1:dance']);
    const walk = fileOf('walk.glb', 'walk');
    expect(groups([walk, fileOf('out.glb', 'walk', 'idle', 'walk 2')])).toEqual(['0:walk 1:walk 2']);
    expect(groups([walk, fileOf('out.glb', 'walk', 'walk fast')])).toEqual(['0:walk 1:walk']);
    const both = fileOf('both.glb', 'walk', 'walk 2');
    expect(groups([both, fileOf('out.glb', 'walk', 'walk 2')])).toEqual(['0:walk 1:walk', '0:walk 2 1:walk 2']);
  });

  it('pairs with the last clip of the second file if no names match', () => {
    const out = fileOf('out.glb', 'idle', 'renamed');
    expect(groups([pack, out])).toEqual(['0:walk 1:renamed']);
    expect(groups([pack, out], 'run', 'idle')).toEqual(['0:run 1:idle']);
  });

  it('groups clips alone if only one file has clips', () => {
    expect(groups([pack, fileOf('avatar.vrm')])).toEqual(['0:walk', '0:run', '0:jump']);
    expect(groups([fileOf('avatar.vrm'), pack], 'run')).toEqual(['1:run']);
    expect(groups([fileOf('a.vrm'), fileOf('b.vrm')], 'run')).toEqual([]);
  });
});
