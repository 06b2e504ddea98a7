import { expose } from 'comlink';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEngineClient, type InputFile } from '../../../studio/src/app/engine-client.ts';
import type { RetargetRequest } from '../../../studio/src/engine/protocol.ts';

/** What the workers do: files are opened at once, and retargeting never ends unless it is told to. */
let retarget: () => Promise<unknown> = () => new Promise(() => undefined);

/** A worker whose code runs on the other side of a channel of the same thread. */
class FakeWorker extends EventTarget {
  static readonly all: FakeWorker[] = [];
  readonly opened: string[] = [];
  readonly #page: MessagePort;
  readonly #worker: MessagePort;

  constructor() {
    super();
    FakeWorker.all.push(this);
    const { port1, port2 } = new MessageChannel();
    this.#page = port1;
    this.#worker = port2;
    const open = ({ id }: InputFile): string => {
      this.opened.push(id);
      return id;
    };
    expose({ open, load: open, retarget: () => retarget() }, port2);
    port1.addEventListener('message', ({ data }) => this.dispatchEvent(new MessageEvent('message', { data })));
    port1.start();
  }

  postMessage(message: unknown): void {
    this.#page.postMessage(message);
  }

  crash(): void {
    this.dispatchEvent(new Event('error'));
  }

  terminate(): void {
    this.#page.close();
    this.#worker.close();
  }
}

const file = (id: string): InputFile => ({ id, name: `${id}.glb`, blob: new Blob(), resources: new Map() });
const REQUEST = {} as RetargetRequest;

beforeEach(() => {
  FakeWorker.all.length = 0;
  vi.stubGlobal('Worker', FakeWorker);
});
afterEach(() => {
  for (const worker of FakeWorker.all) worker.terminate();
  vi.unstubAllGlobals();
});

describe('createEngineClient', () => {
  it('retargeting in a worker that crashes is refused in words, and a new worker has the same files', async () => {
    const client = createEngineClient();
    await client.open(file('hero'));
    await client.load(file('walk'));
    const answer = client.retarget(REQUEST);
    FakeWorker.all[0].crash();
    await expect(answer).rejects.toThrow('It stopped the worker.');
    expect(FakeWorker.all.map(({ opened }) => opened)).toEqual([
      ['hero', 'walk'],
      ['hero', 'walk'],
    ]);
  });

  it('a retarget that fails in words keeps its worker', async () => {
    retarget = () => Promise.reject(new RangeError('The trim is empty.'));
    const client = createEngineClient();
    await expect(client.retarget(REQUEST)).rejects.toThrow('The trim is empty.');
    expect(FakeWorker.all).toHaveLength(1);
  });
});
