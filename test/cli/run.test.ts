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
    [['inspect'], 'error USAGE: Missing required positional argument: FILE'],
    [['inspect', 'a', 'b'], 'error USAGE: b is one argument too many'],
  ])('refuses %j with exit 2', async (argv, message) => {
    const { exit, stdout, stderr } = await runHere(argv);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr.startsWith(message)).toBe(true);
    expect(stderr.trimEnd()).not.toContain('\n');
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
