/** Results of the present project: a quick one without contacts while options change, then the final one. */
import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { RetargetRequest, RetargetResult } from '../engine/protocol.ts';
import { createLatest } from './latest.ts';
import { messageOf } from './message.ts';

/** A result with the request that it answers. */
export interface StudioResult {
  /** The request. */
  readonly request: RetargetRequest;
  /** The answer; null when it failed. */
  readonly result: RetargetResult | null;
  /** Why it failed; null when it did not. */
  readonly error: string | null;
  /** Whether it is a quick result, which has no contacts and will be replaced by the final one. */
  readonly isQuick: boolean;
}

/** What results are made of. */
interface ResultSources {
  /** Requests of the present project, by character. */
  readonly requests: ReadonlySignal<ReadonlyMap<string, RetargetRequest>>;
  /** Shows that work is being done. */
  busy<T>(work: () => Promise<T>): Promise<T>;
  /** Retargets at once. */
  quick(request: RetargetRequest): Promise<RetargetResult>;
  /** Retargets while quick results go on. */
  final(request: RetargetRequest): Promise<RetargetResult>;
}

/** Milliseconds without a change before contacts are computed. */
const PAUSE = 150;
/** Milliseconds of a result with contacts that needs no quick one before it. */
const SHORT = 60;

function isSame(a: RetargetRequest | undefined, b: RetargetRequest): boolean {
  return a !== undefined && JSON.stringify(a) === JSON.stringify(b);
}

/** The same without what takes long. */
function withoutContacts(request: RetargetRequest): RetargetRequest {
  return { ...request, options: { ...request.options, contacts: 'off' } };
}

/** Names the work whose duration is remembered. */
function pairOf({ motion, clip, character }: RetargetRequest): string {
  return JSON.stringify([motion, clip, character]);
}

/** Keeps the results in step with the requests until the page ends. */
export function createResults(sources: ResultSources): ReadonlySignal<ReadonlyMap<string, StudioResult>> {
  const { requests, busy, quick, final } = sources;
  const results: Signal<ReadonlyMap<string, StudioResult>> = signal(new Map());
  /** Milliseconds that the last result with contacts took. */
  const took = new Map<string, number>();

  async function answer(
    request: RetargetRequest,
    isQuick: boolean,
    result: Promise<RetargetResult>,
  ): Promise<StudioResult> {
    try {
      return { request, result: await result, error: null, isQuick };
    } catch (error) {
      // A request that fails without contacts fails with them.
      return { request, result: null, error: messageOf(error), isQuick: false };
    }
  }

  function show(character: string, one: StudioResult): void {
    results.value = new Map([...results.peek(), [character, one]]);
  }

  const refine = createLatest(async (wanted: ReadonlyMap<string, RetargetRequest>, isLatest: () => boolean) => {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    for (const [character, request] of wanted) {
      const isWanted = (): boolean => isLatest() && isSame(requests.peek().get(character), request);
      const known = results.peek().get(character);
      if (!isWanted() || known?.isQuick !== true || !isSame(known.request, request)) continue;
      const done = await answer(request, false, final(request));
      took.set(pairOf(request), done.result?.took ?? 0);
      if (isSame(requests.peek().get(character), request)) show(character, done);
    }
  });

  const update = createLatest(async (wanted: ReadonlyMap<string, RetargetRequest>, isLatest: () => boolean) => {
    for (const [character, request] of wanted) {
      if (isSame(results.peek().get(character)?.request, request)) continue;
      const isQuick = request.options.contacts !== 'off' && (took.get(pairOf(request)) ?? SHORT) >= SHORT;
      const asked = quick(isQuick ? withoutContacts(request) : request);
      const done = await busy(() => answer(request, isQuick, asked));
      if (!isLatest()) return;
      if (request.options.contacts !== 'off' && !isQuick && done.result !== null)
        took.set(pairOf(request), done.result.took);
      show(character, done);
    }
    const kept = [...results.peek()].filter(([character]) => wanted.has(character));
    if (kept.length < results.peek().size) results.value = new Map(kept);
    refine(wanted);
  });
  effect(() => update(requests.value));
  return results;
}
