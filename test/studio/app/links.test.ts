import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  formatValue,
  MOTION_OPTIONS,
  type MotionOptionName,
  type OptionType,
  parseOptionValue,
} from '../../../src/files/options/motion-options.ts';
import { addressesIn, fetchInput, linkOf, openSetup, readSetup } from '../../../studio/src/app/links.ts';
import { MOTION_DEFAULTS, SHOWN_OPTIONS } from '../../../studio/src/app/motion-options.ts';
import { changeOutput } from '../../../studio/src/app/output-choice.ts';
import { DETECTED, EMPTY_PROJECT, type Project } from '../../../studio/src/app/project.ts';
import type { Studio } from '../../../studio/src/app/studio.ts';

const PAGE = 'https://host.example/studio/?utm=1#top';
const WALK = 'https://files.example/walk.fbx';

afterEach(() => {
  vi.unstubAllGlobals();
  changeOutput({ format: null });
});

/** A studio with a motion from the web and a character of this machine on stage. */
function studioWith(options: Partial<typeof MOTION_DEFAULTS>, humanoids: Project['humanoids'] = {}): Studio {
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
    humanoids,
  };
  return { files: { value: files }, history: { state: { value: project } } } as unknown as Studio;
}

/** A value of an option that is not its default. */
function otherValue({ kind, ...type }: OptionType, without: unknown): unknown {
  if (kind === 'flag') return without !== true;
  if (kind === 'choice') return (type as { values: readonly string[] }).values.find((value) => value !== without);
  if (kind === 'number') return 2.5;
  return kind === 'seconds' ? { from: 0.5, to: 2 } : { 'Weapon.R': 'sword & shield', tail: 'Tail1' };
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

  test.each(Object.entries(MOTION_OPTIONS))(
    '%s is in a link as it was set, if the page has a control for it',
    (name, row) => {
      const value = otherValue(row.type, row.default);
      const text = formatValue(row, value);
      expect(parseOptionValue(row, text)).toEqual(value);
      const isShown = SHOWN_OPTIONS.some((one) => one === name);
      const ofPage = name === 'trim' ? [0.5, 2] : value;
      const { link } = linkOf(studioWith({ [name]: ofPage }), PAGE);
      expect(readSetup(new URL(link).search)?.options).toEqual(isShown ? { [name]: ofPage } : {});
      const query = new URLSearchParams({ motion: 'a.fbx', [name]: text });
      expect(readSetup(`?${query}`)?.options).toEqual(isShown ? { [name]: ofPage } : {});
    },
  );

  test('options without a control are no part of a link', () => {
    const hidden: MotionOptionName[] = ['ascii', 'rest', 'textures', 'together', 'extra', 'proportions'];
    expect(SHOWN_OPTIONS.filter((name: MotionOptionName) => hidden.includes(name))).toEqual([]);
    expect(SHOWN_OPTIONS).toHaveLength(Object.keys(MOTION_OPTIONS).length - hidden.length);
  });

  test('files with bones or a pose set by hand are named', () => {
    const m = { ...DETECTED, map: { hips: 1 } };
    const pose = { ...DETECTED, pose: { kind: 'frame', frame: 3 } } as const;
    const { edited } = linkOf(studioWith({}, { m, c: pose, 'demo-chibi.vrm': pose }), PAGE);
    expect(edited).toEqual(['walk.fbx', 'hero.vrm', 'chibi.vrm']);
    expect(linkOf(studioWith({}), PAGE).edited).toEqual([]);
  });

  test('only motions with such a clip, and characters, get on stage', async () => {
    const file = (id: string, role: string) => ({ input: { id }, summary: { role, clips: [{}] } });
    const chosen: unknown[] = [];
    const studio = {
      files: {
        peek: () => [file('walk', 'motion'), file('hero', 'character'), { input: { id: 'broken' }, summary: null }],
      },
      busy: (work: () => Promise<unknown>) => work(),
      add: async () => {},
      endShow: () => {},
      history: { look: () => {} },
      chooseMotion: (...motion: unknown[]) => chosen.push(motion),
      chooseCharacter: (...character: unknown[]) => chosen.push(character),
    } as unknown as Studio;
    const setup = { clip: 3, format: null, options: {} };
    vi.stubGlobal('location', { href: PAGE });
    await openSetup(studio, { ...setup, motion: 'hero', characters: ['walk', 'broken'] });
    expect(chosen).toEqual([]);
    await openSetup(studio, { ...setup, motion: 'walk', characters: ['walk', 'hero'] });
    expect(chosen).toEqual([
      ['walk', 0],
      ['hero', false],
    ]);
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

  test('keeps the files of a glTF by the paths that its reader asks for', async () => {
    const asked = answer(new Response('{"buffers":[{"uri":"./bin/hero.bin"}],"images":[{"uri":"my%20tex.png"}]}'));
    const { resources } = await fetchInput('https://files.example/a/hero.gltf?key=1');
    expect(asked.slice(1)).toEqual(['https://files.example/a/bin/hero.bin', 'https://files.example/a/my%20tex.png']);
    expect([...resources.keys()]).toEqual(['bin/hero.bin', 'my tex.png']);
  });

  test('reads nothing outside of the folder of a glTF', async () => {
    const uris = [
      'http://127.0.0.1/x',
      '//evil.example/x',
      '/x',
      '../x',
      '%2e%2e/x',
      'file:///x',
      'HTTPS:x',
      '\\\\evil\\x',
    ];
    const asked = answer(new Response(JSON.stringify({ buffers: uris.map((uri) => ({ uri })) })));
    const { resources } = await fetchInput('https://files.example/a/hero.gltf');
    expect(asked).toEqual(['https://files.example/a/hero.gltf']);
    expect(resources.size).toBe(0);
  });

  test.each(['null', '7', '{', '{"buffers":7,"images":[null,"x",{"uri":1}]}'])(
    'leaves it to the reader to say what is wrong with the glTF %s',
    async (gltf) => {
      answer(new Response(gltf));
      expect((await fetchInput('https://files.example/a/hero.gltf')).resources.size).toBe(0);
    },
  );

  test('leaves out files of a glTF that cannot be read', async () => {
    const gltf = '{"buffers":[{"uri":"hero.bin"},{"uri":"gone.bin"}]}';
    vi.stubGlobal('location', { href: PAGE });
    vi.stubGlobal('fetch', async (url: string) => new Response(gltf, { status: url.endsWith('gone.bin') ? 404 : 200 }));
    const { resources } = await fetchInput('https://files.example/a/hero.gltf');
    expect([...resources.keys()]).toEqual(['hero.bin']);
  });

  test('takes a name that is not percent-encoded as it is', async () => {
    answer(new Response('x'));
    expect((await fetchInput('https://files.example/50%_walk.fbx')).name).toBe('50%_walk.fbx');
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
