import { expose } from 'comlink';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { InputFile } from '../../../studio/src/app/engine-client.ts';
import { chooseFiles, createStudio } from '../../../studio/src/app/studio.ts';
import type { FileRole, FileSummary, RetargetRequest } from '../../../studio/src/engine/protocol.ts';

type Described = Pick<FileSummary, 'role' | 'humanoid'>;

const HUMANOID = {} as FileSummary['humanoid'];

/** Files with these roles; `?` marks one whose bones were not recognized. */
function files(...roles: readonly (FileRole | `${FileRole}?` | null)[]): (Described | null)[] {
  return roles.map((role) =>
    role === null ? null : { role: role.replace('?', '') as FileRole, humanoid: role.endsWith('?') ? null : HUMANOID },
  );
}

describe('chooseFiles', () => {
  test('takes the first motion and all characters in any order', () => {
    expect(chooseFiles(files('character', null, 'motion', 'motion', 'character'))).toEqual({
      motion: 2,
      characters: [0, 4],
    });
  });

  test('takes a character with clips as what the other files lack', () => {
    expect(chooseFiles(files('both', 'motion'))).toEqual({ motion: 1, characters: [0] });
    expect(chooseFiles(files('both', 'character'))).toEqual({ motion: 0, characters: [1] });
    expect(chooseFiles(files('character', 'both'))).toEqual({ motion: 1, characters: [0] });
  });

  test('takes the first of several characters with clips as the motion, the others as characters', () => {
    expect(chooseFiles(files('both', 'both', 'both'))).toEqual({ motion: 0, characters: [1, 2] });
  });

  test('takes a single character with clips as the character', () => {
    expect(chooseFiles(files('both'))).toEqual({ motion: -1, characters: [0] });
    expect(chooseFiles(files(null))).toEqual({ motion: -1, characters: [] });
  });

  test('puts at most six characters on stage at once', () => {
    expect(chooseFiles(files(...Array<FileRole>(9).fill('character'))).characters).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('takes files whose bones were not recognized where no others serve', () => {
    expect(chooseFiles(files('character?', 'character', 'motion'))).toEqual({ motion: 2, characters: [1] });
    expect(chooseFiles(files('character?', 'character'))).toEqual({ motion: -1, characters: [1] });
    expect(chooseFiles(files('character?', 'motion'))).toEqual({ motion: 1, characters: [0] });
    expect(chooseFiles(files('motion?', 'character'))).toEqual({ motion: 0, characters: [1] });
    expect(chooseFiles(files('neither', 'character?'))).toEqual({ motion: -1, characters: [1] });
  });
});

/** A worker whose code runs on the other side of a channel of the same thread. Files with the extension `bvh` are motions, others characters. */
class FakeWorker extends EventTarget {
  static readonly requests: RetargetRequest[] = [];
  static readonly ports: MessagePort[] = [];
  readonly #page: MessagePort;

  constructor() {
    super();
    const { port1, port2 } = new MessageChannel();
    this.#page = port1;
    FakeWorker.ports.push(port1, port2);
    const open = ({ id, name }: InputFile) => {
      return { id, name, role: name.endsWith('.bvh') ? 'motion' : 'character', humanoid: HUMANOID, people: [] };
    };
    const retarget = (request: RetargetRequest) => {
      FakeWorker.requests.push(request);
      return { clip: null, hipsScale: null, contacts: null, issues: [], took: 1 };
    };
    expose({ open, load: open, retarget, measure: () => null }, port2);
    port1.addEventListener('message', ({ data }) => this.dispatchEvent(new MessageEvent('message', { data })));
    port1.start();
  }

  postMessage(message: unknown): void {
    this.#page.postMessage(message);
  }
}

describe('createStudio', () => {
  afterEach(() => {
    for (const port of FakeWorker.ports) port.close();
    vi.unstubAllGlobals();
  });

  test('a motion that is dropped with a character is not retargeted to the one that was there', async () => {
    vi.stubGlobal('Worker', FakeWorker);
    const studio = createStudio();
    const drop = (motion: string, character: string): Promise<void> => {
      const inputs = [`${motion}.bvh`, 'hero.glb'].map((name, k) => {
        return { id: [motion, character][k], name, blob: new Blob(), resources: new Map() };
      });
      return studio.add(inputs, { isShown: true });
    };
    const isMeasured = (character: string): Promise<void> =>
      vi.waitFor(() => expect(studio.results.value.get(character)?.isMeasured).toBe(true));
    await drop('walk', 'hero');
    await isMeasured('hero');
    // A file with the name of one on the stage takes its place.
    await drop('dance', 'hero again');
    await isMeasured('hero again');
    expect(FakeWorker.requests.map(({ motion, character }) => `${motion} ${character}`)).not.toContain('dance hero');
  });
});
