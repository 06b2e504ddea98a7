/** Results of the present project: a quick one without contacts while options change, then the final one, then its figures. */
import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Measures, RetargetRequest, RetargetResult } from '../engine/protocol.ts';
import { createLatest } from './latest.ts';
import { messageOf } from './message.ts';

/** Makes results and measures them, fastest those that it made last. */
export interface ResultMaker {
  retarget(request: RetargetRequest): Promise<RetargetResult>;
  /** Measures a result; null where it has no clip. */
  measure(request: RetargetRequest): Promise<Measures | null>;
}

export interface StudioResult {
  readonly request: RetargetRequest;
  /** The answer; null when it failed. */
  readonly result: RetargetResult | null;
  /** Why it failed; null when it did not. */
  readonly error: string | null;
  /** Whether it is a quick result, which has no contacts and will be replaced by the final one. */
  readonly isQuick: boolean;
  /** Its figures. Until it is measured, those of the same motion on the character before a change; null where there are none. */
  readonly measures: Measures | null;
  /** Whether the figures are its own. */
  readonly isMeasured: boolean;
  readonly maker: ResultMaker;
}

interface ResultSources {
  /** Requests of the present project, by character. */
  readonly requests: ReadonlySignal<ReadonlyMap<string, RetargetRequest>>;
  /** Shows that work is being done. */
  busy<T>(work: () => Promise<T>): Promise<T>;
  /** Retargets at once. */
  readonly quick: ResultMaker;
  /** Retargets while quick results go on. */
  readonly final: ResultMaker;
}

/** Milliseconds without a change before contacts are computed, and before results are measured. */
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
  /** Tells whether poses are worth showing before contacts. */
  const hasQuick = (request: RetargetRequest): boolean =>
    request.options.contacts !== 'off' && (took.get(pairOf(request)) ?? SHORT) >= SHORT;
  const isWanted = (request: RetargetRequest): boolean => isSame(requests.peek().get(request.character), request);
  const knownOf = ({ character }: RetargetRequest): StudioResult | undefined => results.peek().get(character);

  function show(one: StudioResult): void {
    results.value = new Map([...results.peek(), [one.request.character, one]]);
  }

  /** Tests whether a result that was just made has been overtaken. While options change, first results of values between are shown. */
  function isLate(request: RetargetRequest, maker: ResultMaker): boolean {
    if (maker === final) return !isWanted(request);
    const [known, wanted] = [knownOf(request), requests.peek().get(request.character)];
    const isAnswered = known !== undefined && !known.isQuick && isWanted(known.request);
    return isAnswered || wanted === undefined || pairOf(wanted) !== pairOf(request);
  }

  async function make(request: RetargetRequest, isQuick: boolean, maker: ResultMaker): Promise<void> {
    const { result, error } = await maker.retarget(isQuick ? withoutContacts(request) : request).then(
      (done) => ({ result: done, error: null }),
      (reason) => ({ result: null, error: messageOf(reason) }),
    );
    if (!isQuick && request.options.contacts !== 'off' && result !== null) took.set(pairOf(request), result.took);
    if (isLate(request, maker)) return;
    // A request that fails without contacts fails with them.
    const failed = { isQuick: false, measures: null, isMeasured: true };
    const known = knownOf(request);
    const measures = known !== undefined && pairOf(known.request) === pairOf(request) ? known.measures : null;
    show({ request, result, error, maker, ...(result === null ? failed : { isQuick, measures, isMeasured: false }) });
  }

  async function measure(request: RetargetRequest): Promise<void> {
    const known = knownOf(request);
    if (known === undefined || known.isQuick || known.isMeasured || !isSame(known.request, request)) return;
    const { measures, error } = await known.maker.measure(request).then(
      (found) => ({ measures: found, error: null }),
      (reason) => ({ measures: null, error: messageOf(reason) }),
    );
    if (knownOf(request) === known) show({ ...known, measures, error, isMeasured: true });
  }

  const finish = createLatest(async (wanted: ReadonlyMap<string, RetargetRequest>, isLatest: () => boolean) => {
    const isNeeded = (request: RetargetRequest): boolean => isLatest() && isWanted(request);
    for (const request of wanted.values()) {
      const known = knownOf(request);
      // The first poses of a motion on a character have the processor for themselves.
      if (!isNeeded(request) || known === undefined || pairOf(known.request) !== pairOf(request)) continue;
      const isOpen = isSame(known.request, request) ? known.isQuick : hasQuick(request);
      if (isOpen) await make(request, false, final);
    }
    for (const request of wanted.values()) if (isNeeded(request)) await measure(request);
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const finishLater = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      finish(requests.peek());
    }, PAUSE);
  };

  const update = createLatest(async (wanted: ReadonlyMap<string, RetargetRequest>, isLatest: () => boolean) => {
    // The stage, unless it shows the motion itself, asks the worker for the figure of a new character first, and loads it meanwhile.
    await Promise.resolve();
    for (const request of wanted.values()) {
      if (!isLatest()) return;
      if (!isSame(knownOf(request)?.request, request)) await busy(() => make(request, hasQuick(request), quick));
    }
    const kept = [...results.peek()].filter(([character]) => wanted.has(character));
    if (kept.length < results.peek().size) results.value = new Map(kept);
    if (timer === undefined) finishLater();
  });
  effect(() => {
    update(requests.value);
    finishLater();
  });
  return results;
}
