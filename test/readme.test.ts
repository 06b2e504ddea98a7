/** Runs the code of the README and the examples unchanged, on demo files. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { outputFormat } from '../src/files/outputs/output-format.ts';
import { blocks, commandLines, documentText, inProject, namedPaths } from './support/documents.ts';
import { IS_FULL_RUN } from './support/law-runs.ts';
import { exampleFolder, runCommandLines, runModules, runModulesHere } from './support/run-docs.ts';

const folder = exampleFolder();
const text = documentText('README.md');

describe('README.md', () => {
  it.runIf(IS_FULL_RUN)('command lines run one after the other', async () => {
    const lines = commandLines(text);
    expect(lines.length).toBeGreaterThanOrEqual(10);
    expect(await runCommandLines(lines, folder)).toEqual([]);
    const made = ['out.vrm', 'out.vrma', 'hero-mocap.glb', 'map.json', 'out.glb', 'walk.vrma', 'compare.svg'];
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(made));
  });

  it('library code runs', async () => {
    const [block] = blocks(text, 'ts');
    rmSync(join(folder, 'walk.vrma'), { force: true });
    await runModulesHere([block], folder);
    expect(readdirSync(folder)).toContain('walk.vrma');
  });

  it('names only existing files', () => {
    const paths = namedPaths('README.md');
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !existsSync(inProject(path)))).toEqual([]);
  });

  it('lists the same written formats as the command line', () => {
    const rows = [...text.matchAll(/^\| \[([^\]]+)\]\(docs\/formats\/\w+\.md\) \|[^|]*\| ([^|]+) \|/gm)];
    const claims = rows.map(([, names, written]) => [names, written !== 'no'] as const);
    const writes = (name: string): boolean => {
      try {
        return outputFormat(`x${name}`) === name.slice(1);
      } catch {
        return false;
      }
    };
    const does = claims.map(([names]) => [names, names.match(/(?<=`)\.\w+/g)?.every(writes) ?? null] as const);
    expect(claims.length).toBeGreaterThanOrEqual(5);
    expect(claims).toEqual(does);
  });
});

describe('skills/anyrig/SKILL.md', () => {
  const skill = documentText('skills/anyrig/SKILL.md');
  const examples = exampleFolder();

  it('is in the package, with a name and a description that agents accept', () => {
    const [, name, description] = /^---\nname: ([a-z-]{1,64})\ndescription: (.{1,1024})\n---\n/.exec(skill) ?? [];
    expect(name).toBe('anyrig');
    expect(description).toContain('Use for');
    expect(JSON.parse(documentText('package.json')).files).toContain('skills');
  });

  it.runIf(IS_FULL_RUN)(
    'recipes run one after the other and make what they say',
    async () => {
      expect(skill.match(/^### /gm)).toHaveLength(5);
      const lines = commandLines(skill);
      expect(lines.length).toBeGreaterThanOrEqual(12);
      expect(await runCommandLines(lines, examples)).toEqual([]);
      const made = ['avatar-walks.vrm', 'avatar-walks.vrma', 'walk.vrma', 'check.png', 'map.json', 'odd-walks.glb'];
      expect(readdirSync(examples)).toEqual(expect.arrayContaining(made));
      const results = ['report.json', 'report.html', 'hero/walk.fbx.glb', 'avatar/turn.vrma'];
      expect(results.filter((path) => !existsSync(join(examples, 'library', path)))).toEqual([]);
    },
    180_000,
  );
});

it('CITATION.cff, Containerfile and action.yml: have the versions of package.json', () => {
  const { version, devDependencies } = JSON.parse(documentText('package.json'));
  expect(documentText('CITATION.cff')).toContain(`\nversion: ${version}\n`);
  const text = documentText('Containerfile') + documentText('action.yml');
  const pinned = [...text.matchAll(/(@[\w-]+\/[\w-]+)@(\d[\w.]*)/g)];
  expect(pinned.length).toBeGreaterThanOrEqual(3);
  expect(pinned.filter(([, name, pin]) => devDependencies[name] !== pin).map(([pin]) => pin)).toEqual([]);
});

it('CONTRIBUTING.md: names only existing files', () => {
  // NAME stands for the format that the page walks through.
  const paths = namedPaths('CONTRIBUTING.md').filter((path) => !path.includes('NAME'));
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(inProject(path)))).toEqual([]);
});

describe('the examples', () => {
  const args: Record<string, string[]> = {
    'retarget-files.ts': ['walk.glb', 'hero.glb', 'example.glb'],
    'pose-by-pose.ts': ['turn.bvh', 'avatar.vrm'],
    'gltf-transform.ts': ['walk.glb', 'hero.glb', 'transformed.glb'],
    'three.ts': ['walk.glb', 'hero.glb'],
    'babylon.ts': ['walk.glb', 'hero.glb'],
  };
  const names = readdirSync(inProject('examples')).filter((name) => name.endsWith('.ts'));

  it.runIf(IS_FULL_RUN)('run, and print what they did', async () => {
    expect(Object.keys(args).sort()).toEqual(names.sort());
    // Loading Babylon.js takes seconds.
    const run = names.filter((name) => IS_FULL_RUN || name !== 'babylon.ts');
    const modules = run.map((name) => ({
      source: readFileSync(inProject('examples', name), 'utf8'),
      args: args[name],
    }));
    const printed = await runModules(modules, folder);
    expect(run.filter((_, k) => !printed[k])).toEqual([]);
  });
});
