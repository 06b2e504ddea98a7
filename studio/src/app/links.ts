/** Files that are read from addresses, and setups as links: `?motion=URL&character=URL&format=vrma`. */
import {
  formatValue,
  MOTION_OPTIONS,
  type OptionRow,
  parseOptionValue,
} from '../../../src/files/options/motion-options.ts';
import { isDataUri, resolveUri, uriOfPath } from '../../../src/formats/gltf/document/uri.ts';
import type { InputFile } from './engine-client.ts';
import { messageOf } from './message.ts';
import { MOTION_DEFAULTS, type MotionOptions, SHOWN_OPTIONS, valuesOf } from './motion-options.ts';
import { BUILT_IN } from './opening.ts';
import { changeOutput, outputChoice } from './output-choice.ts';
import { OUTPUT_FORMATS, type OutputFormat } from './outputs.ts';
import { editsOf } from './project.ts';
import { t } from './strings.ts';
import { isCharacter, isMotion, type Studio, type StudioFile } from './studio.ts';

/** The motion, characters and settings of a link. */
interface Setup {
  /** Address of the motion, or the id of a file of the page; null for none. */
  readonly motion: string | null;
  readonly clip: number;
  /** Addresses of characters, or ids of files of the page. */
  readonly characters: readonly string[];
  /** Format of the output; null for the best. */
  readonly format: OutputFormat | null;
  readonly options: Partial<MotionOptions>;
}

/** Reads the options of a link. Values that an option does not take are left out. */
function readOptions(query: URLSearchParams): Partial<MotionOptions> {
  const values = SHOWN_OPTIONS.flatMap((name): [string, unknown][] => {
    const text = query.get(name);
    const row: OptionRow = MOTION_OPTIONS[name];
    const value = text === null ? undefined : parseOptionValue(row, text);
    if (value === undefined) return [];
    if (name !== 'trim') return [[name, value]];
    const { from = 0, to } = value as { from?: number; to?: number };
    // The page knows both ends.
    return to === undefined ? [] : [[name, [from, to]]];
  });
  return Object.fromEntries(values) as Partial<MotionOptions>;
}

/**
 * Reads the setup of a link. `search`: the part of the address of the page from the question mark on. Returns the setup; null where the link asks
 * for neither a motion nor a character.
 */
export function readSetup(search: string): Setup | null {
  const query = new URLSearchParams(search);
  const [motion, characters] = [query.get('motion'), query.getAll('character')];
  if (motion === null && characters.length === 0) return null;
  const clip = Number(query.get('clip') ?? 0);
  const format = OUTPUT_FORMATS.find((one) => one === query.get('format')) ?? null;
  return {
    motion,
    clip: Number.isInteger(clip) && clip > 0 ? clip : 0,
    characters,
    format,
    options: readOptions(query),
  };
}

/** Tests whether the page is served by `anyrig studio`: its address has a secret part, and leads nowhere on other machines. */
export function isServedHere(): boolean {
  return document.querySelector('#anyrig-files') !== null;
}

interface SharedSetup {
  readonly link: string;
  /** Names of the files that are not in it, since they are only on this machine. */
  readonly missing: readonly string[];
  /** Names of the files whose bones or pose were set by hand, which is not in it. */
  readonly edited: readonly string[];
}

/** Writes the present setup as a link. Whoever opens it adds the files that are only on this machine. `page`: address of the page. */
export function linkOf(studio: Studio, page: string): SharedSetup {
  const project = studio.history.state.value;
  const { motion, characters, options } = project;
  const link = new URL(page);
  link.search = '';
  link.hash = '';
  const missing: string[] = [];
  const edited: string[] = [];
  const add = (parameter: string, id: string): void => {
    const file = studio.files.value.find(({ input }) => input.id === id);
    const address = file?.isBuiltIn === false ? file.input.address : id;
    if (address === undefined) missing.push(file?.input.name ?? id);
    else link.searchParams.append(parameter, address);
    const { map, pose } = editsOf(project, id);
    if (map !== null || pose.kind !== 'auto') edited.push(file?.input.name ?? id);
  };
  if (motion !== null) add('motion', motion.file);
  if (motion !== null && motion.clip > 0) link.searchParams.set('clip', `${motion.clip}`);
  for (const character of characters) add('character', character);
  const { format } = outputChoice.value;
  if (format !== null) link.searchParams.set('format', format);
  const [values, defaults] = [valuesOf(options), valuesOf(MOTION_DEFAULTS)];
  for (const name of SHOWN_OPTIONS) {
    const value = values[name];
    if (value !== null && value !== defaults[name])
      link.searchParams.set(name, formatValue(MOTION_OPTIONS[name], value));
  }
  return { link: link.href, missing, edited: [...new Set(edited)] };
}

/** Returns the addresses in a text that consists of them, one a line; none where it is another text. */
export function addressesIn(text: string): string[] {
  const lines = text.split(/\s+/).filter((line) => line !== '');
  return lines.every((line) => /^https?:\/\/\S+$/i.test(line) && URL.canParse(line)) ? lines : [];
}

/** The file behind a page of GitHub that shows it. */
function rawAddress(address: string): string {
  return address.replace(
    /^https:\/\/github\.com\/([^/]+\/[^/]+)\/(?:blob|raw)\/(.+)$/,
    'https://raw.githubusercontent.com/$1/$2',
  );
}

async function read(address: string): Promise<Blob> {
  let response: Response;
  try {
    response = await fetch(address, { credentials: 'omit', referrerPolicy: 'no-referrer' });
  } catch {
    // Browsers do not tell pages which of both it was.
    throw new Error(t('linkRefused', { address }));
  }
  if (!response.ok) throw new Error(t('linkMissing', { address, status: response.status }));
  if (response.headers.get('content-type')?.startsWith('text/html') === true)
    throw new Error(t('linkPage', { address }));
  try {
    return await response.blob();
  } catch {
    throw new Error(t('linkRefused', { address }));
  }
}

/** Lists the paths of the files that a `.gltf` references, relative to it; none outside of its folder or on another host. */
function referencedPaths(gltf: string): string[] {
  let root: unknown;
  try {
    root = JSON.parse(gltf);
  } catch {
    // The reader says what is wrong with it.
    return [];
  }
  const { buffers, images } = Object(root) as { buffers?: unknown; images?: unknown };
  const references: unknown[] = [buffers, images].flatMap((list) => (Array.isArray(list) ? list : []));
  const paths = references.flatMap((reference) => {
    const { uri } = Object(reference) as { uri?: unknown };
    if (typeof uri !== 'string' || isDataUri(uri)) return [];
    try {
      return [resolveUri(uri, '')];
    } catch {
      return [];
    }
  });
  return [...new Set(paths)];
}

/** Reads the files that a `.gltf` references. The reader says which of those that cannot be read it needs. */
async function resourcesOf(gltf: Blob, address: string): Promise<Map<string, Blob>> {
  const files = new Map<string, Blob>();
  const readOne = async (path: string): Promise<void> => {
    const blob = await read(new URL(uriOfPath(path), address).href).catch(() => null);
    if (blob !== null) files.set(path, blob);
  };
  await Promise.all(referencedPaths(await gltf.text()).map(readOne));
  return files;
}

/** Decodes a segment of an address; one that is not percent-encoded is taken as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Reads a file from an address. Throws Error with a sentence that says what to do, where it cannot be read. */
export async function fetchInput(address: string): Promise<InputFile> {
  const url = new URL(rawAddress(address), location.href);
  const blob = await read(url.href);
  const name = decoded(url.pathname.split('/').at(-1) ?? '') || url.hostname;
  const resources = /\.gltf$/i.test(name) ? await resourcesOf(blob, url.href) : new Map<string, Blob>();
  return { id: crypto.randomUUID(), name, blob, resources, address: url.href };
}

/** Reads files from addresses. Says why one cannot be read. */
async function fetchInputs(studio: Studio, addresses: readonly string[]): Promise<Map<string, InputFile>> {
  const found = new Map<string, InputFile>();
  const fetchOne = async (address: string): Promise<void> => {
    try {
      found.set(address, await fetchInput(address));
    } catch (error) {
      studio.notice.value = messageOf(error);
    }
  };
  await studio.busy(() => Promise.all(addresses.map(fetchOne)));
  return found;
}

/** Opens files from addresses, as files that were dropped. */
export async function openAddresses(studio: Studio, addresses: readonly string[]): Promise<void> {
  studio.notice.value = null;
  const found = await fetchInputs(studio, addresses);
  await studio.add([...found.values()], { isShown: true });
}

/** Tests whether a link names files of the page, which have to be there before it is opened. */
export function namesBuiltIn({ motion, characters }: Setup): boolean {
  return [motion ?? '', ...characters].some((address) => address.startsWith(BUILT_IN));
}

/** Puts the files of a link on stage in the roles that it says. */
export async function openSetup(studio: Studio, setup: Setup): Promise<void> {
  const { motion, clip, characters, format, options } = setup;
  const isOwn = (address: string): boolean => studio.files.peek().some(({ input }) => input.id === address);
  const wanted = [...(motion === null ? [] : [motion]), ...characters];
  const found = await fetchInputs(studio, [...new Set(wanted.filter((address) => !isOwn(address)))]);
  await studio.add([...found.values()], { isShown: false });
  const idOf = (address: string, isFit: (file: StudioFile) => boolean): string | null => {
    const id = found.get(address)?.id ?? address;
    return studio.files.peek().some((file) => file.input.id === id && isFit(file)) ? id : null;
  };
  const source = motion === null ? null : idOf(motion, isMotion);
  const targets = characters.flatMap((address) => idOf(address, isCharacter) ?? []);
  const clips = studio.files.peek().find(({ input }) => input.id === source)?.summary?.clips ?? [];
  if (source !== null) studio.chooseMotion(source, clip < clips.length ? clip : 0);
  for (const [k, target] of targets.entries()) studio.chooseCharacter(target, k > 0);
  if (source !== null || targets.length > 0) studio.endShow();
  studio.history.look((project) => ({ ...project, options: { ...project.options, ...options } }));
  changeOutput({ format });
}
