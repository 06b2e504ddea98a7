/** The page's state and what one can do with it. Panels read the signals and call the functions. */
import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { FileRole, FileSummary, HumanoidEdits, RetargetRequest } from '../engine/protocol.ts';
import { createEngineClient, type EngineClient, type InputFile } from './engine-client.ts';
import { createHistory, type History } from './history.ts';
import { messageOf } from './message.ts';
import type { MotionOptions } from './motion-options.ts';
import type { Opening } from './opening.ts';
import { EMPTY_PROJECT, editsOf, keepLook, type Project, withCharacter, withEdits, withoutFile } from './project.ts';
import { createResults, type ResultMaker, type StudioResult } from './results.ts';
import { changeView, showSkeleton } from './view.ts';

/** Lists the files that a request needs: motion, character, and those whose poses are used. */
function filesOf({ motion, character, source, target }: RetargetRequest): Set<string> {
  const poses = [source.pose, target.pose].flatMap((pose) => (pose.kind === 'file' ? [pose.file] : []));
  return new Set([motion, character, ...poses]);
}

/** Creates a solver. Its worker starts, and files are opened in it, when it is first needed. */
function createContactSolver(fileOf: (id: string) => InputFile): ResultMaker & { close(id: string): Promise<void> } {
  let client: EngineClient | null = null;
  const opened = new Map<string, Promise<void>>();

  async function ready(request: RetargetRequest): Promise<EngineClient> {
    client ??= createEngineClient();
    for (const id of filesOf(request)) {
      const loading = opened.get(id) ?? client.load(fileOf(id));
      opened.set(id, loading);
      // A file that could not be opened is tried again.
      loading.catch(() => opened.delete(id));
      await loading;
    }
    return client;
  }

  return {
    retarget: async (request) => (await ready(request)).retarget(request),
    measure: async (request) => (await ready(request)).measure(request),
    close: async (id) => {
      if (opened.delete(id)) await client?.close(id);
    },
  };
}

/** Indices of the files that go on stage. */
interface ChosenFiles {
  /** −1 where none of them fits. */
  readonly motion: number;
  /** Characters that were brought together stand together. */
  readonly characters: readonly number[];
}

/** Characters that one drop puts on stage: more would be too small to look at. The others are in the list. */
const MOST_TOGETHER = 6;

/**
 * Chooses the first motion and the characters, of files whose bones were recognized where those are enough. `summaries`: description of every file,
 * in the order of the user; null for files that could not be opened.
 */
export function chooseFiles(summaries: readonly (Pick<FileSummary, 'role' | 'humanoid'> | null)[]): ChosenFiles {
  const known = chooseByRole(summaries.map((one) => (one === null || one.humanoid === null ? undefined : one.role)));
  const any = chooseByRole(summaries.map((one) => one?.role));
  return known.characters.length > 0 && (known.motion >= 0 || any.motion < 0) ? known : any;
}

/**
 * Chooses the first motion and the characters. A character with clips serves as what the other files lack; of several such files alone, the first is the
 * motion, as on the command line.
 */
function chooseByRole(roles: readonly (FileRole | undefined)[]): ChosenFiles {
  const motion = roles.indexOf('motion');
  const characters = [...roles.keys()].filter((k) => roles[k] === 'character' || roles[k] === 'both');
  const both = roles.indexOf('both');
  // A single character with clips is a character; the motion on stage stays.
  const first = motion < 0 && both >= 0 && characters.length > 1 ? both : motion;
  return { motion: first, characters: characters.filter((k) => k !== first).slice(0, MOST_TOGETHER) };
}

export interface StudioFile {
  readonly input: InputFile;
  readonly isBuiltIn: boolean;
  /** Its description; null while it is being opened, or when it cannot be. */
  readonly summary: FileSummary | null;
  /** Why it cannot be opened; null when it can. */
  readonly error: string | null;
}

export interface Studio {
  readonly client: EngineClient;
  /** All files, in the order in which they were added. */
  readonly files: ReadonlySignal<readonly StudioFile[]>;
  /** Decisions of the user, with undo. */
  readonly history: History<Project>;
  /** Results by character. */
  readonly results: ReadonlySignal<ReadonlyMap<string, StudioResult>>;
  readonly notice: Signal<string | null>;
  readonly pending: ReadonlySignal<number>;
  /** Requests of the present project, by character. */
  readonly requests: ReadonlySignal<ReadonlyMap<string, RetargetRequest>>;
  /** True in the first view: a show of the built-in characters, without panels. */
  readonly isShow: ReadonlySignal<boolean>;
  /** The show as the build made it; null where the page did not begin with it. */
  readonly opening: ReadonlySignal<Opening | null>;
  /** Shows that work is being done. */
  busy<T>(work: () => Promise<T>): Promise<T>;
  /** Adds files of the user; `isShown` puts the first motion and the characters of them on stage. */
  add(inputs: readonly InputFile[], options: { readonly isShown: boolean }): Promise<void>;
  addBuiltIn(input: InputFile): Promise<void>;
  /** Begins the first view. */
  startShow(opening: Opening): void;
  endShow(): void;
  remove(id: string): Promise<void>;
  chooseMotion(file: string, clip: number): void;
  /** Puts a character on stage; adds it to the others, or takes it off, with `isAdded`. */
  chooseCharacter(file: string, isAdded: boolean): void;
  /** Puts a motion on stage with characters, in place of those that are there. */
  showTogether(motion: string, characters: readonly string[]): void;
  /** Changes options of the motion; changes with one name in a row are undone together. */
  setOptions(changes: Partial<MotionOptions>, name?: string): void;
  /** Changes decisions about the humanoid of a file. */
  setEdits(file: string, edits: Partial<HumanoidEdits>, name?: string): void;
}

export function titleOf({ input }: StudioFile): string {
  return input.title ?? input.name;
}

export function isMotion({ summary }: StudioFile): boolean {
  return summary !== null && (summary.role === 'motion' || summary.role === 'both');
}

export function isCharacter({ summary }: StudioFile): boolean {
  return summary !== null && (summary.role === 'character' || summary.role === 'both');
}

/** Puts a clip on stage, all of it. */
function withMotion(project: Project, file: string, clip: number): Project {
  return { ...project, motion: { file, clip }, options: { ...project.options, trim: null } };
}

/** Creates the state of the page and starts the worker. */
export function createStudio(): Studio {
  const client = createEngineClient();
  const files: Signal<readonly StudioFile[]> = signal([]);
  const jobs = signal(0);
  const notice = signal<string | null>(null);
  const isShow = signal(false);
  const opening = signal<Opening | null>(null);
  const history = createHistory(EMPTY_PROJECT, keepLook);
  const { state } = history;

  async function busy<T>(work: () => Promise<T>): Promise<T> {
    jobs.value++;
    try {
      return await work();
    } finally {
      jobs.value--;
    }
  }

  const requests = computed<ReadonlyMap<string, RetargetRequest>>(() => {
    const project = state.value;
    const { motion, characters, options } = project;
    if (motion === null) return new Map();
    const known = new Set(files.value.flatMap(({ input, summary }) => (summary === null ? [] : [input.id])));
    if (!known.has(motion.file)) return new Map();
    // The show has its results with it. Panels, which the first view has not, need more.
    if (isShow.value && motion.file === opening.value?.motion) return new Map();
    const source = editsOf(project, motion.file);
    return new Map(
      characters.flatMap((character) => {
        if (!known.has(character)) return [];
        const target = editsOf(project, character);
        return [[character, { motion: motion.file, clip: motion.clip, character, options, source, target }] as const];
      }),
    );
  });

  const solver = createContactSolver((id) => {
    const file = files.peek().find(({ input }) => input.id === id);
    if (file === undefined) throw new RangeError(`The file ${id} was removed.`);
    return file.input;
  });
  const results = createResults({ requests, busy, quick: client, final: solver });
  const pending = computed(
    () => jobs.value + [...results.value.values()].filter(({ isMeasured }) => !isMeasured).length,
  );

  function replaceFile(id: string, changes: Partial<StudioFile>): void {
    files.value = files.peek().map((file) => (file.input.id === id ? { ...file, ...changes } : file));
  }

  async function openOne(input: InputFile): Promise<FileSummary | null> {
    try {
      const summary = await busy(() => client.open(input));
      const [first] = summary.people;
      batch(() => {
        replaceFile(input.id, { summary });
        // It may have been removed meanwhile.
        const isThere = files.peek().some(({ input: { id } }) => id === input.id);
        if (isThere && first !== undefined)
          history.look((project) => withEdits(project, input.id, { skeleton: first.skeleton }));
      });
      return summary;
    } catch (error) {
      replaceFile(input.id, { error: messageOf(error) });
      return null;
    }
  }

  /** Says about the first file of a drop that is of no use what it is: its card is in a list, which the first view and phones do not show. */
  function sayWhatIsOfNoUse(inputs: readonly InputFile[]): void {
    const ids = new Set(inputs.map(({ id }) => id));
    for (const { input, summary, error } of files.peek()) {
      const reason = error ?? (summary?.role === 'neither' ? summary.reason : null);
      if (!ids.has(input.id) || reason === null) continue;
      notice.value = `${input.name}: ${reason}`;
      return;
    }
  }

  /** Opens the map of a file whose bones were not recognized, with joints to click. */
  function mapUnknown(id: string): void {
    const summary = files.peek().find(({ input }) => input.id === id)?.summary ?? null;
    if (summary === null || summary.humanoid !== null || editsOf(state.peek(), id).map !== null) return;
    changeView({ tab: 'map' });
    showSkeleton();
  }

  function showMotion(file: string, clip: number): void {
    history.look((project) => withMotion(project, file, clip));
    mapUnknown(file);
  }

  function showCharacter(file: string, isAdded: boolean): void {
    history.look((project) => withCharacter(project, file, isAdded));
    mapUnknown(file);
  }

  /** Puts a character of the user on stage, beside the others of the user. It takes the place of the built-in ones, and of a file with the same name. */
  function joinStage({ id, name }: InputFile): void {
    const isPeer = (other: string): boolean => {
      const file = files.peek().find(({ input }) => input.id === other);
      return file?.isBuiltIn === false && file.input.name !== name;
    };
    history.look((project) => {
      return { ...project, characters: [...project.characters.filter(isPeer), id], selected: id };
    });
    mapUnknown(id);
  }

  /** Puts something on a stage from which a file took the last motion or character with it: the newest file of the user, else a file of the page. */
  function notEmpty(project: Project): Project {
    const newest = (isWanted: (file: StudioFile) => boolean): string | null => {
      const wanted = files.peek().filter(isWanted);
      const found = wanted.findLast(({ isBuiltIn }) => !isBuiltIn) ?? wanted[0];
      return found?.input.id ?? null;
    };
    const motion = project.motion === null ? newest(isMotion) : null;
    const character = project.characters.length === 0 ? newest(isCharacter) : null;
    return {
      ...project,
      ...(motion === null ? {} : { motion: { file: motion, clip: 0 }, options: { ...project.options, trim: null } }),
      ...(character === null ? {} : { characters: [character], selected: character }),
    };
  }

  /** Ends the first view; panels are about the character that the user brought, or about the middle one. */
  function endShow(): void {
    if (!isShow.peek()) return;
    isShow.value = false;
    history.look((project) => {
      const { characters, selected } = project;
      return { ...project, selected: selected ?? characters[Math.floor(characters.length / 2)] ?? null };
    });
  }

  return {
    client,
    files,
    history,
    results,
    notice,
    isShow,
    opening,
    pending,
    requests,
    busy,
    startShow: (show) => {
      batch(() => {
        opening.value = show;
        isShow.value = true;
        const characters = show.members.map(({ id }) => id);
        history.reset({ ...EMPTY_PROJECT, motion: { file: show.motion, clip: 0 }, characters });
      });
    },
    addBuiltIn: async (input) => {
      files.value = [...files.peek(), { input, isBuiltIn: true, summary: null, error: null }];
      await openOne(input);
    },
    add: async (inputs, { isShown }) => {
      const added = inputs.map((input) => ({ input, isBuiltIn: false, summary: null, error: null }));
      files.value = [...files.peek(), ...added];
      history.endGroup();
      await busy(async () => {
        const summaries: (FileSummary | null)[] = [];
        for (const input of inputs) summaries.push(await openOne(input));
        if (isShown) sayWhatIsOfNoUse(inputs);
        const { motion, characters } = chooseFiles(summaries);
        // Together: no result of the motion on the characters before is of use.
        batch(() => {
          if (isShown && motion >= 0) showMotion(inputs[motion].id, 0);
          if (isShown) for (const character of characters) joinStage(inputs[character]);
          if (isShown && (motion >= 0 || characters.length > 0)) endShow();
        });
      });
      history.endGroup();
    },
    remove: async (id) => {
      files.value = files.peek().filter(({ input }) => input.id !== id);
      history.reset(notEmpty(withoutFile(state.peek(), id)));
      await Promise.all([client.close(id), solver.close(id)]);
    },
    endShow,
    chooseMotion: showMotion,
    chooseCharacter: showCharacter,
    showTogether: (motion, characters) => {
      history.look((project) => ({ ...withMotion(project, motion, 0), characters, selected: characters[0] ?? null }));
    },
    setOptions: (changes, name) => {
      history.edit((project) => ({ ...project, options: { ...project.options, ...changes } }), name ?? null);
    },
    setEdits: (file, edits, name) => {
      history.edit((project) => withEdits(project, file, edits), name ?? null);
    },
  };
}
