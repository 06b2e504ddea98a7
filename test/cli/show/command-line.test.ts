import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { correctedCommand, programName, quoted } from '../../../src/cli/show/command-line.ts';

describe('programName', () => {
  const PATH = ['/usr/bin', '/usr/local/bin'].join(process.platform === 'win32' ? ';' : ':');

  it('is "anyrig" only where the shell of the user finds it', () => {
    expect(programName({ env: { PATH }, script: join('/usr/local/bin', 'anyrig') })).toBe('anyrig');
    expect(programName({ env: { PATH }, script: '/home/me/node_modules/.bin/anyrig' })).toBe('npx anyrig');
    expect(programName({ env: {}, script: '/home/me/node_modules/anyrig/dist/cli/main.js' })).toBe('npx anyrig');
  });

  it('is "npx anyrig" in npx and in scripts of npm, which change the PATH', () => {
    const env = { PATH: `/home/me/node_modules/.bin:${PATH}`, npm_config_user_agent: 'npm/10.8.2' };
    expect(programName({ env, script: '/home/me/node_modules/.bin/anyrig' })).toBe('npx anyrig');
  });

  it('names the sources, relative to the current folder', () => {
    const env = { npm_config_user_agent: 'npm/10.8.2' };
    expect(programName({ env, script: resolve('src/cli/main.ts') })).toBe(`npx tsx ${join('src', 'cli', 'main.ts')}`);
  });
});

it('quoted: quotes paths that a shell would split or replace', () => {
  expect(quoted('anyrig-demo/motions/walk.glb')).toBe('anyrig-demo/motions/walk.glb');
  expect(quoted("my demo/it's.glb")).toBe('"my demo/it\'s.glb"');
  expect(quoted('a $b.glb')).toBe('"a \\$b.glb"');
});

it('correctedCommand: writes the files first, then the options in their order', () => {
  const io = { env: {}, script: '' };
  const typed = ['retarget', '--loop', 'hero.glb', '-o', 'my out.glb', 'walk.fbx', '--clip', 'Walk'];
  expect(correctedCommand(io, typed, ['hero.glb', 'walk.fbx'], ['walk.fbx', 'hero.glb'])).toBe(
    'npx anyrig retarget walk.fbx hero.glb --loop -o "my out.glb" --clip Walk',
  );
});
