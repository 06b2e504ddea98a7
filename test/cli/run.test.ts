import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import * as inspect from '../../src/cli/commands/inspect.ts';
import { runHere } from './run-here.ts';

const version = (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;

describe('anyrig', () => {
  it('lists its commands, on stderr with exit 2 without a command', async () => {
    const asked = await runHere(['--help']);
    expect(asked).toMatchObject({ exit: 0, stderr: '' });
    for (const name of ['retarget', 'inspect', 'map', 'demo'])
      expect(asked.stdout).toMatch(new RegExp(`^ +${name} `, 'm'));
    const bare = await runHere([]);
    expect(bare).toEqual({ exit: 2, stdout: '', stderr: asked.stdout });
  });

  it('prints its version', async () => {
    expect(await runHere(['--version'])).toEqual({ exit: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each(['retarget', 'inspect', 'map', 'demo'])(
    'prints help with examples for %s, whatever the other arguments are',
    async (name) => {
      const { exit, stdout, stderr } = await runHere([name, 'a', '--what', '-h']);
      expect([exit, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(new RegExp(`USAGE anyrig ${name}`));
      expect(stdout).toMatch(/EXAMPLES\n\n {2}# .+\n {2}anyrig /);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: no colors without a terminal
      expect(stdout).not.toMatch(/\u001b/);
    },
  );

  it.each(['', 'retarget', 'convert', 'extract', 'inspect', 'map', 'preview', 'define', 'validate', 'demo', 'batch'])(
    'fits help into 80 columns: %s',
    async (name) => {
      const { exit, stdout } = await runHere(['help', name].filter((arg) => arg !== ''));
      expect(exit).toBe(0);
      expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    },
  );

  it('says that there may be several motions', async () => {
    expect((await runHere(['help', 'retarget'])).stdout).toMatch(/\n {2}<MOTION\.\.\.> +One or more files/);
  });

  it('lists flags below what they are about', async () => {
    const { stdout } = await runHere(['retarget', '--help']);
    const sections = stdout
      .split(/\n(?=[A-Z ]+\n\n)/)
      .map((section) => [
        section.split('\n')[0],
        [...section.matchAll(/^ {2}(?:-\w, | {4})--(\S+)/gm)].map(([, flag]) => flag),
      ]);
    expect(Object.fromEntries(sections)).toMatchObject({
      OPTIONS: ['to', 'force', 'verbose', 'json'],
      OUTPUT: expect.arrayContaining(['out', 'replace', 'fps', 'no-mesh', 'vrma']),
      'EDITS OF THE CLIP': expect.arrayContaining(['trim', 'mirror', 'loop']),
      'ON THE CHARACTER': expect.arrayContaining(['hips-scale', 'extra']),
      CONTACTS: expect.arrayContaining(['contacts', 'arm-space', 'self-collision', 'hands']),
      'BONES AND REFERENCE POSES': expect.arrayContaining(['source-map', 'target-pose', 'preset']),
      INPUT: expect.arrayContaining(['up', 'model', 'asset-root']),
    });
  });

  it('lists every flag in the help of retarget', async () => {
    const { stdout } = await runHere(['retarget', '--help']);
    const flags =
      'out clip name fps replace source-map target-map source-skeleton target-skeleton source-pose target-pose';
    for (const flag of `${flags} hips-scale no-mesh force json`.split(' ')) expect(stdout).toContain(`--${flag}`);
    expect(stdout).toContain('-o, --out');
  });

  it.each([
    [['retaget'], 'error USAGE: Unknown command retaget; did you mean retarget?'],
    [['toString'], 'error USAGE: Unknown command toString'],
    [['--verison'], 'error USAGE: Unknown option --verison; did you mean --version?'],
    [['inspect', '--jsn', 'a.glb'], 'error USAGE: Unknown option --jsn; did you mean --json?'],
    [['inspect', 'a', 'b'], 'error USAGE: b is one argument too many'],
  ])('refuses %j with exit 2', async (argv, message) => {
    const { exit, stdout, stderr } = await runHere(argv);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr.startsWith(message)).toBe(true);
    expect(stderr.trimEnd()).not.toContain('\n');
  });

  it.each([
    [['retarget'], '<MOTION...> and -o <FILE> are missing.', 'retarget [OPTIONS] <MOTION...> [CHARACTER] -o <FILE>'],
    [['retarget', 'a.fbx'], '-o <FILE> is missing.', 'retarget [OPTIONS] <MOTION...> [CHARACTER] -o <FILE>'],
    [['convert', 'a.fbx'], '-o <FILE> is missing.', 'convert [OPTIONS] <FILE> -o <FILE>'],
    [['extract', '-o', 'a.glb'], '<MOTION...> is missing.', 'extract [OPTIONS] <MOTION...> -o <FILE>'],
    [['inspect', '--json'], '<FILE> is missing.', 'inspect [OPTIONS] <FILE>'],
    [['preview'], '<FILE> and -o <FILE> are missing.', 'preview [OPTIONS] <FILE> [FILE2] -o <FILE>'],
  ])('shows usage and an example when arguments are missing: %j', async (argv, message, usage) => {
    const { exit, stderr } = await runHere(argv);
    expect(exit).toBe(2);
    expect(stderr.split('\n').slice(0, 3)).toEqual([`error USAGE: ${message}`, '', `USAGE anyrig ${usage}`]);
    expect(stderr).toMatch(new RegExp(`\\n {2}# .+\\n {2}anyrig ${argv[0]} .+\\n\\nanyrig ${argv[0]} --help lists`));
  });

  it('suggests -o for a last file that does not exist', async () => {
    const { stderr } = await runHere(['retarget', 'walk.fbx', 'hero.glb', 'no such.glb', '--loop']);
    const command = 'npx anyrig retarget walk.fbx hero.glb -o "no such.glb" --loop';
    expect(stderr).toMatch(`error USAGE: -o <FILE> is missing. Did you mean:\n  ${command}\n\nUSAGE`);
  });

  it.each([
    [['walk.fbx', 'hero.glb', '-o', 'out.glb'], 'npx anyrig retarget walk.fbx hero.glb -o out.glb'],
    [['walk.fbx', '-o', 'out.glb'], 'npx anyrig convert walk.fbx -o out.glb'],
    [['walk.fbx'], 'npx anyrig inspect walk.fbx'],
  ])('suggests a command for files without one: %j', async (argv, command) => {
    const { exit, stderr } = await runHere(argv);
    expect(exit).toBe(2);
    expect(stderr).toBe(`error USAGE: walk.fbx is a file; expected a command before it. Did you mean:\n  ${command}\n`);
  });

  it('explains commands with help COMMAND, and shows the version with version', async () => {
    const help = await runHere(['retarget', '--help']);
    expect(await runHere(['help', 'retarget'])).toEqual(help);
    expect(await runHere(['--help', 'retarget'])).toEqual(help);
    expect(await runHere(['help'])).toEqual(await runHere(['--help']));
    expect((await runHere(['version'])).stdout).toBe(`${version}\n`);
    const wrong = await runHere(['help', 'retraget']);
    expect([wrong.exit, wrong.stderr]).toEqual([2, expect.stringContaining('did you mean retarget?')]);
  });

  it('prints errors as JSON too with --json', async () => {
    const { exit, stdout, stderr } = await runHere(['inspect', '/nowhere/a.glb', '--json']);
    expect(exit).toBe(3);
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      error: { code: 'FILE_NOT_FOUND', message: expect.any(String), where: {}, file: '/nowhere/a.glb' },
    });
    expect(stderr).toBe('error FILE_NOT_FOUND: The file cannot be read: it does not exist (/nowhere/a.glb)\n');
  });

  it('colors errors on a terminal', async () => {
    expect((await runHere(['x'], { terminal: true })).stderr.startsWith('\u001b[31merror')).toBe(true);
  });

  it('labels a bug as such with exit 1, and prints a stack only with ANYRIG_DEBUG', async () => {
    const broken = vi.spyOn(inspect.command, 'run').mockImplementation(() => {
      throw new TypeError('x is\nundefined');
    });
    const { exit, stdout, stderr } = await runHere(['inspect', 'a.glb']);
    expect([exit, stdout]).toEqual([1, '']);
    expect(stderr).toBe('error BUG: x is undefined. This is a bug in anyrig; please report it\n');
    const debugged = await runHere(['inspect', 'a.glb'], { env: { ANYRIG_DEBUG: '1' } });
    expect(debugged.stderr).toMatch(/^error BUG.*\nTypeError: x is\nundefined\n +at /);
    broken.mockRestore();
  });
});
