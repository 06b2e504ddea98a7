import { afterEach, describe, expect, test, vi } from 'vitest';
import { addressesIn, fetchInput, linkOf, readSetup } from '../../../studio/src/app/links.ts';
import { MOTION_DEFAULTS } from '../../../studio/src/app/motion-options.ts';
import { changeOutput } from '../../../studio/src/app/output-choice.ts';
import { EMPTY_PROJECT } from '../../../studio/src/app/project.ts';
import type { Studio } from '../../../studio/src/app/studio.ts';

const PAGE = 'https://host.example/studio/?utm=1#top';
const WALK = 'https://files.example/walk.fbx';

afterEach(() => {
  vi.unstubAllGlobals();
  changeOutput({ format: null });
});

/** A studio with a motion from the web and a character of this machine on stage. */
function studioWith(options: Partial<typeof MOTION_DEFAULTS>): Studio {
  const files = [
    { isBuiltIn: false, input: { id: 'm', name: 'walk.fbx', address: WALK } },
    { isBuiltIn: false, input: { id: 'c', name: 'hero.vrm' } },
    { isBuiltIn: true, input: { id: 'demo-chibi.vrm', name: 'chibi.vrm' } },
  ];
  const project = {
    ...EMPTY_PROJECT,
    motion: { file: 'm', clip: 2 },
    characters: ['c', 'demo-chibi.vrm'],
    options: { ...MOTION_DEFAULTS, ...options },
  };
  return { files: { value: files }, history: { state: { value: project } } } as unknown as Studio;
}

describe('links', () => {
  test('a link is what it was made from, without the files that are only on this machine', () => {
    changeOutput({ format: 'vrma' });
    const { link, missing } = linkOf(studioWith({ contacts: 'lock', trim: [0.5, 2], mirror: true }), PAGE);
    expect(link.startsWith('https://host.example/studio/?motion=')).toBe(true);
    expect(missing).toEqual(['hero.vrm']);
    expect(readSetup(new URL(link).search)).toEqual({
      motion: WALK,
      clip: 2,
      characters: ['demo-chibi.vrm'],
      format: 'vrma',
      options: { contacts: 'lock', trim: [0.5, 2], mirror: true },
    });
  });

  test('an address without a motion or a character is no setup', () => {
    expect(readSetup('?utm_source=x')).toBeNull();
  });

  test('values that an option does not take, and formats that are not written, are left out', () => {
    const setup = readSetup('?motion=a.fbx&contacts=glue&speed=-1&format=exe&clip=x');
    expect(setup).toEqual({ motion: 'a.fbx', clip: 0, characters: [], format: null, options: {} });
  });

  test('addresses are taken from a text that has nothing else', () => {
    expect(addressesIn(`${WALK}\nhttp://127.0.0.1:80/a.glb\n`)).toEqual([WALK, 'http://127.0.0.1:80/a.glb']);
    expect(addressesIn(`see ${WALK}`)).toEqual([]);
    expect(addressesIn('')).toEqual([]);
  });
});

describe('fetchInput', () => {
  const answer = (response: Response | Error) => {
    const asked: string[] = [];
    vi.stubGlobal('location', { href: PAGE });
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url);
      if (response instanceof Error) throw response;
      return response.clone();
    });
    return asked;
  };

  test('names a file after its address, and reads the file behind a page of GitHub', async () => {
    const asked = answer(new Response('x'));
    const { name, address } = await fetchInput('https://github.com/o/r/blob/main/my%20walk.fbx');
    expect(asked).toEqual(['https://raw.githubusercontent.com/o/r/main/my%20walk.fbx']);
    expect([name, address]).toEqual(['my walk.fbx', asked[0]]);
  });

  test('reads what a glTF references', async () => {
    const asked = answer(new Response('{"buffers":[{"uri":"hero.bin"}],"images":[{"uri":"data:,"}]}'));
    const { resources } = await fetchInput('https://files.example/a/hero.gltf');
    expect(asked[1]).toBe('https://files.example/a/hero.bin');
    expect([...resources.keys()]).toEqual(['hero.bin']);
  });

  test('says what to do where a file cannot be read', async () => {
    answer(new TypeError('Failed to fetch'));
    await expect(fetchInput(WALK)).rejects.toThrow(/CORS.*Download the file and drop it here/);
    answer(new Response('', { status: 404 }));
    await expect(fetchInput(WALK)).rejects.toThrow(/answered 404/);
    answer(new Response('<html>', { headers: { 'content-type': 'text/html; charset=utf-8' } }));
    await expect(fetchInput(WALK)).rejects.toThrow(/is a page, not a file/);
  });
});
