import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** The rooms of the house; each may import itself and what stands above it. */
const ROOMS = [
  ...[
    'math',
    'report',
    'text',
    'skeleton',
    'animation',
    'deform',
    'humanoid',
    'face',
    'retarget',
    'measure',
    'asset',
    'conform',
  ].map((room) => `core/${room}`),
  'core',
  'kernels',
  ...['formats/gltf', 'formats/bvh', 'formats/fbx', 'formats/usd'],
  ...['engines/scene', 'engines/three', 'engines/babylon', 'engines/gltf-transform'],
  ...['files', 'preview', 'demo', 'batch', 'cli'],
];
/** Packages that a room may import; all others none. */
const PACKAGES: Record<string, RegExp> = {
  'formats/fbx': /^(fbx-parser|fflate)$/,
  files: /^(node:|draco3dgltf$|gltf-validator$|meshoptimizer(\/|$)|@resvg\/resvg-js$)/,
  'engines/three': /^three(\/|$)/,
  'engines/gltf-transform': /^@gltf-transform\/core$/,
  'engines/babylon': /^@babylonjs\/(core|loaders)(\/|$)/,
  cli: /^(node:|citty$)/,
};
const IMPORT = /^\s*(?:import|export)\b[^'";]*?\bfrom\s*'([^']+)'|^\s*import\s*'([^']+)'|\bimport\(\s*['"`]([^'"`]+)/gm;

const src = resolve(dirname(fileURLToPath(import.meta.url)), '../src');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

/** The room of a file; itself where it is in none. In `core` itself there is only the index. */
function roomOf(file: string): string {
  const folder = dirname(file);
  return ROOMS.find((room) => folder === room || (room !== 'core' && folder.startsWith(`${room}/`))) ?? file;
}

/** Why a file may not import something; null when it may. */
function offence(file: string, specifier: string): string | null {
  const room = roomOf(file);
  if (!specifier.startsWith('.')) return PACKAGES[room]?.test(specifier) ? null : `${file} imports ${specifier}`;
  const other = roomOf(relative(src, join(src, dirname(file), specifier)));
  const areSiblings = room.startsWith('formats/') && other.startsWith('formats/') && room !== other;
  const areDoors =
    [room, other].every((one) => one.startsWith('engines/') && one !== 'engines/scene') && room !== other;
  const isAbove = ROOMS.includes(other) && ROOMS.indexOf(other) <= ROOMS.indexOf(room);
  return isAbove && !areSiblings && !areDoors ? null : `${file} imports ${other}`;
}

it('every file is in a room', () => {
  expect(files.filter((file) => !ROOMS.includes(roomOf(file)))).toEqual([]);
});

it('a room imports only itself, rooms above it and its own packages; formats never meet', () => {
  const imports = files.flatMap((file) =>
    [...readFileSync(join(src, file), 'utf8').matchAll(IMPORT)].map((match) => [
      file,
      match[1] ?? match[2] ?? match[3],
    ]),
  );
  expect(imports.length).toBeGreaterThan(files.length);
  expect(imports.map(([file, specifier]) => offence(file, specifier)).filter((reason) => reason !== null)).toEqual([]);
});

it('the law catches what it forbids', () => {
  const forbidden = [
    ['core/math/quat.ts', '../skeleton/pose.ts'],
    ['core/skeleton/pose.ts', '../index.ts'],
    ['core/retarget/plan.ts', '../../formats/gltf/read.ts'],
    ['formats/bvh/read.ts', '../gltf/read.ts'],
    ['formats/gltf/extensions/vrm.ts', '../../bvh/read.ts'],
    ['core/math/quat.ts', 'three'],
    ['formats/gltf/read.ts', 'node:fs'],
    ['files/open.ts', 'citty'],
    ['core/deform/skin-linear.ts', '../../kernels/skin-linear.ts'],
    ['kernels/skin-linear.ts', '../formats/gltf/read.ts'],
    ['core/math/quat.ts', '../stray.ts'],
    ['engines/babylon/index.ts', '../three/index.ts'],
    ['engines/scene/scene-graph.ts', 'three'],
    ['engines/three/index.ts', '../../files/open.ts'],
  ];
  for (const [file, specifier] of forbidden) expect(offence(file, specifier)).not.toBeNull();
  const source = "import type { A } from 'a';\nexport * as b from 'b';\nimport 'c';\nconst d = await import('d');\n";
  const multiline = "export {\n  e,\n} from 'e';\n";
  const found = [...`${source}${multiline}`.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3]);
  expect(found).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('nothing prints but the command line', () => {
  const loud = files.filter(
    (file) =>
      roomOf(file) !== 'cli' && /\bconsole\.|process\.(stdout|stderr)/.test(readFileSync(join(src, file), 'utf8')),
  );
  expect(loud).toEqual([]);
});
