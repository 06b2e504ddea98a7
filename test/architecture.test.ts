import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** The rooms of the house; each may import itself and the rooms above it. */
const ROOMS = [
  ...[
    'math',
    'report',
    'text',
    'skeleton',
    'animation',
    'deform',
    'humanoid',
    'points',
    'measure',
    'root-motion',
    'face',
    'retarget',
    'contacts',
    'asset',
    'normalize',
  ].map((room) => `core/${room}`),
  'core',
  'playback',
  ...['formats/gltf', 'formats/bvh', 'formats/fbx', 'formats/usd', 'formats/npz', 'formats/mmd', 'formats/points'],
  ...['engines/scene', 'engines/three', 'engines/babylon', 'engines/gltf-transform'],
  ...['files', 'preview', 'stage', 'demo', 'batch', 'studio-server', 'cli'],
];
/** Packages that a room may import. Rooms without an entry import none. */
const PACKAGES: Record<string, RegExp> = {
  'formats/fbx': /^fflate$/,
  'formats/npz': /^fflate$/,
  files: /^(node:|draco3dgltf$|gltf-validator$|meshoptimizer(\/|$)|@resvg\/resvg-js$)/,
  'engines/three': /^three(\/|$)/,
  'engines/gltf-transform': /^@gltf-transform\/core$/,
  'engines/babylon': /^@babylonjs\/(core|loaders)(\/|$)/,
  stage: /^three(\/|$)/,
  batch: /^(node:|piscina$|bullmq$|prom-client$|@aws-sdk\/client-s3$)/,
  'studio-server': /^node:/,
  cli: /^(node:|citty$|@modelcontextprotocol\/sdk\/)/,
};
const IMPORT = /^\s*(?:import|export)\b[^'";]*?\bfrom\s*'([^']+)'|^\s*import\s*'([^']+)'|\bimport\(\s*['"`]([^'"`]+)/gm;

const src = resolve(dirname(fileURLToPath(import.meta.url)), '../src');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

/** Returns the room of a file, or the file itself if it is in no room. `core` itself contains only its entries. */
function roomOf(file: string): string {
  const folder = dirname(file);
  return ROOMS.find((room) => folder === room || (room !== 'core' && folder.startsWith(`${room}/`))) ?? file;
}

/** Explains why a file may not import something; null if it may. */
function violation(file: string, specifier: string): string | null {
  const room = roomOf(file);
  if (!specifier.startsWith('.')) return PACKAGES[room]?.test(specifier) ? null : `${file} imports ${specifier}`;
  const other = roomOf(relative(src, join(src, dirname(file), specifier)));
  const areSiblings = room.startsWith('formats/') && other.startsWith('formats/') && room !== other;
  const areIntegrations =
    [room, other].every((one) => one.startsWith('engines/') && one !== 'engines/scene') && room !== other;
  const isAbove = ROOMS.includes(other) && ROOMS.indexOf(other) <= ROOMS.indexOf(room);
  return isAbove && !areSiblings && !areIntegrations ? null : `${file} imports ${other}`;
}

/** Specifiers that a file imports or exports from. */
function importsOf(file: string): string[] {
  const matches = readFileSync(join(src, file), 'utf8').matchAll(IMPORT);
  return [...matches].map((match) => match[1] ?? match[2] ?? match[3]);
}

/** Finds files that import each other in a cycle, by a depth-first walk of the imports. */
function findCycle(importsOfFile: (file: string) => readonly string[], roots: readonly string[]): string[] | null {
  const state = new Map<string, 'open' | 'done'>();
  const path: string[] = [];
  const visit = (file: string): string[] | null => {
    if (state.get(file) === 'done') return null;
    if (state.get(file) === 'open') return [...path.slice(path.indexOf(file)), file];
    state.set(file, 'open');
    path.push(file);
    for (const other of importsOfFile(file)) {
      const cycle = visit(other);
      if (cycle !== null) return cycle;
    }
    path.pop();
    state.set(file, 'done');
    return null;
  };
  for (const file of roots) {
    const cycle = visit(file);
    if (cycle !== null) return cycle;
  }
  return null;
}

it('architecture: every source file is in a room', () => {
  expect(files.filter((file) => !ROOMS.includes(roomOf(file)))).toEqual([]);
});

it('architecture: a room imports only itself, rooms above it and its packages; formats and plugins do not import each other', () => {
  const imports = files.flatMap((file) => importsOf(file).map((specifier) => [file, specifier]));
  expect(imports.length).toBeGreaterThan(files.length);
  expect(imports.map(([file, specifier]) => violation(file, specifier)).filter((reason) => reason !== null)).toEqual(
    [],
  );
});

it('violation: reports each kind of forbidden import', () => {
  const forbidden = [
    ['core/math/quat.ts', '../skeleton/pose.ts'],
    ['core/skeleton/pose.ts', '../index.ts'],
    ['core/retarget/plan-retarget.ts', '../../formats/gltf/read.ts'],
    ['formats/bvh/read.ts', '../gltf/read.ts'],
    ['formats/gltf/extensions/vrm.ts', '../../bvh/read.ts'],
    ['core/math/quat.ts', 'three'],
    ['formats/gltf/read.ts', 'node:fs'],
    ['files/open.ts', 'citty'],
    ['core/deform/skin-linear.ts', '../../playback/index.ts'],
    ['playback/compile-clip.ts', '../formats/gltf/read.ts'],
    ['core/math/quat.ts', '../stray.ts'],
    ['engines/babylon/index.ts', '../three/index.ts'],
    ['engines/scene/scene-graph.ts', 'three'],
    ['engines/three/index.ts', '../../files/open.ts'],
  ];
  for (const [file, specifier] of forbidden) expect(violation(file, specifier)).not.toBeNull();
  const source = "import type { A } from 'a';\nexport * as b from 'b';\nimport 'c';\nconst d = await import('d');\n";
  const multiline = "export {\n  e,\n} from 'e';\n";
  const found = [...`${source}${multiline}`.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3]);
  expect(found).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('architecture: the ruler knows nothing of the reference pose that it judges, nor of humanoids as they are described', () => {
  const judged =
    /humanoid\/(?:t-pose|mapping|humanoid|declared-pose|describe-humanoid|measure-reference|hips-height)\b/;
  const measures = files.filter((file) => file.startsWith('core/measure/'));
  expect(measures.length).toBeGreaterThan(5);
  const imports = measures.flatMap((file) => importsOf(file).map((specifier) => join(dirname(file), specifier)));
  expect(imports.filter((path) => judged.test(path))).toEqual([]);
});

it('architecture: no file imports itself by way of others', () => {
  const inside = (file: string): string[] => {
    const relatives = importsOf(file).filter((specifier) => specifier.startsWith('.'));
    return relatives.map((specifier) => join(dirname(file), specifier)).filter((other) => files.includes(other));
  };
  expect(findCycle(inside, files)).toBeNull();
});

it('findCycle: finds a cycle of three files, and none in a diamond', () => {
  const cyclic: Record<string, string[]> = { a: ['b'], b: ['c'], c: ['d', 'b'], d: [] };
  expect(findCycle((file) => cyclic[file], ['a'])).toEqual(['b', 'c', 'b']);
  const diamond: Record<string, string[]> = { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] };
  expect(findCycle((file) => diamond[file], ['a'])).toBeNull();
});

/** Examples in docstrings may print. */
function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

it('architecture: only the command line prints', () => {
  const loud = files.filter(
    (file) =>
      roomOf(file) !== 'cli' &&
      /\bconsole\.|process\.(stdout|stderr)/.test(withoutComments(readFileSync(join(src, file), 'utf8'))),
  );
  expect(loud).toEqual([]);
});

/** A string literal, or a comment. */
const LITERAL = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
/** A flag or a command line in a text; custom properties of CSS are followed by a colon. */
const FLAG =
  /(?:^|[\s`'"(])--[a-z][a-z-]*(?![\w:-])|\s-o\s|anyrig (?:convert|define|extract|inspect|map|retarget|validate)\b/;

/** Returns the string literals of a source text that name a flag. */
function flagsIn(source: string): string[] {
  const literals = [...source.matchAll(LITERAL)].map(([literal]) => literal);
  return literals.filter(
    (literal) => !/^\/[/*]/.test(literal) && FLAG.test(literal.slice(1, -1).replaceAll('var(--', '')),
  );
}

it('architecture: the library names options in its messages, and only the command line names flags', () => {
  const library = files.filter((file) => /^(?:core|formats|files|batch|engines|preview|kernels)\//.test(file));
  const named = library.flatMap((file) =>
    flagsIn(readFileSync(join(src, file), 'utf8')).map((text) => `${file}: ${text}`),
  );
  // Starts a thread of Node; formats options as arguments of the command line.
  const places = ['batch/run/worker-pool.ts', 'files/options/motion-options.ts'];
  expect(named.map((text) => text.split(':')[0])).toEqual(places);
});

it('flagsIn: finds flags in texts, not in comments, operators and style sheets', () => {
  const source = [
    ...[
      "const a = 'use --no-mesh to write';",
      'const b = `many bones; allow more with --limit`;',
      "const c = 'write -o a.glb';",
    ],
    ...[
      '// as --json',
      "if (path[i] === '[' && --depth === 0) return i;",
      "const d = '--soft: red; color: var(--soft);';",
    ],
  ].join('\n');
  expect(flagsIn(source)).toHaveLength(3);
});
