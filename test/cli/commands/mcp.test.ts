/** An agent's session with `anyrig mcp`, over stdio with the client of the official SDK. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MOTION_OPTIONS } from '../../../src/files/options/motion-options.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { inProject } from '../../support/documents.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';
import { runHere } from '../run-here.ts';

const at = temporaryFolder();
for (const folder of ['root', 'second', 'outside', 'root/.hidden']) mkdirSync(at(folder));
writeDemo(at, 'walk.glb', 'root/walk.glb');
writeDemo(at, 'unreal.glb', 'root/hero.glb');
writeDemo(at, 'child.vrm', 'second/avatar.vrm');
writeDemo(at, 'walk.glb', 'outside/secret.glb');
writeDemo(at, 'walk.glb', 'root/.hidden/walk.glb');
symlinkSync(at('outside/secret.glb'), at('root/link.glb'));
symlinkSync(at('outside'), at('root/linked'));
symlinkSync(at('outside/none'), at('root/dangling'));
writeFileSync(at('root/broken.glb'), 'glTF, but only by name');

const client = new Client({ name: 'test', version: '1.0.0' });
const protocolErrors: Error[] = [];

beforeAll(async () => {
  client.onerror = (error) => protocolErrors.push(error);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [await bundledProgram('anyrig'), 'mcp', at('root'), at('second')],
    cwd: at(),
    stderr: 'ignore',
  });
  await client.connect(transport);
}, 120_000);
afterAll(() => client.close());

async function call(name: string, args: Record<string, unknown>): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: args }, undefined, { timeout: 240_000 })) as CallToolResult;
}

function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : `<${part.type}>`)).join('\n');
}

/** The message of a call that must fail. */
async function failure(name: string, args: Record<string, unknown>): Promise<string> {
  const result = await call(name, args);
  expect(result.isError, textOf(result)).toBe(true);
  return textOf(result);
}

describe('anyrig mcp', () => {
  it('lists its tools with valid schemas that have all options of motions', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['inspect', 'map', 'retarget', 'compare', 'preview', 'validate']);
    const ajv = new Ajv({ strict: true, allowUnionTypes: true });
    for (const { inputSchema } of tools) expect(ajv.validateSchema(inputSchema), ajv.errorsText()).toBe(true);
    const retarget = tools[2].inputSchema;
    expect(Object.keys(retarget.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(MOTION_OPTIONS)));
    const check = ajv.compile(retarget);
    const files = { motions: ['walk.glb'], character: 'hero.glb', output: 'out.glb' };
    expect(check({ ...files, hipsScale: 'legs', trim: '0.5:', hands: 'off', clips: ['Walk', 2], speed: 2 })).toBe(true);
    for (const wrong of [{ speed: 0 }, { contacts: 'never' }, { hipScale: 1 }, { motions: [] }, { mesh: 'no' }])
      expect(check({ ...files, ...wrong })).toBe(false);
  });

  it('inspects, maps, retargets, compares, draws and validates', async () => {
    const inspected = await call('inspect', { file: 'hero.glb' });
    expect(inspected.structuredContent).toMatchObject({ ok: true, format: 'gltf', humanoids: [{ humanoid: true }] });
    expect(textOf(inspected)).toContain('1 humanoid');

    const mapped = await call('map', { file: 'hero.glb', output: 'maps/hero.json' });
    expect(mapped.structuredContent).toMatchObject({ ok: true, bones: { hips: 'pelvis' } });
    expect(JSON.parse(readFileSync(at('root/maps/hero.json'), 'utf8')).bones.hips).toBe('pelvis');

    const retargeted = await call('retarget', {
      ...{ motions: ['walk.glb'], character: 'hero.glb', output: 'out.glb', targetMap: 'maps/hero.json' },
      ...{ speed: 2, trim: '0:1', vrma: true, replace: true },
    });
    expect(retargeted.structuredContent).toMatchObject({ ok: true, clips: [{ duration: 0.5 }] });
    expect(existsSync(at('root/out.vrma'))).toBe(true);

    const unaltered = { motions: ['walk.glb'], character: 'hero.glb', contacts: 'off', output: 'plain.glb' };
    const plain = await call('retarget', unaltered);
    const { output } = plain.structuredContent as { output: string };
    const compared = await call('compare', { source: 'walk.glb', result: output, output: 'walk.html' });
    expect(compared.structuredContent).toMatchObject({ ok: true, clips: [{ columns: { result: { verdict: {} } } }] });
    expect(readFileSync(at('root/walk.html'), 'utf8')).toContain('<html');

    const drawn = await call('preview', { files: ['walk.glb', 'plain.glb'], frames: 4 });
    // Clients show no picture beside structured content.
    expect(drawn.structuredContent).toBeUndefined();
    expect(JSON.parse((drawn.content[1] as { text: string }).text)).toMatchObject({ ok: true, output: null });
    const picture = drawn.content[2] as { type: string; mimeType: string; data: string };
    expect([picture.type, picture.mimeType]).toEqual(['image', 'image/png']);
    const png = Buffer.from(picture.data, 'base64');
    expect(png.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
    expect(png.readUInt32BE(16)).toBeGreaterThan(400);

    const validated = await call('validate', { file: 'plain.glb' });
    expect(validated.structuredContent).toMatchObject({ ok: true, isValid: true, format: 'gltf' });
    expect(protocolErrors).toEqual([]);
  }, 240_000);

  it.runIf(IS_FULL_RUN)('returns reports as their JSON Schemas say', async () => {
    const ajv = new Ajv({ strict: false });
    for (const name of ['inspect', 'validate']) {
      const { structuredContent } = await call(name, { file: 'hero.glb' });
      const schema = JSON.parse(readFileSync(inProject(`schema/reports/${name}.schema.json`), 'utf8'));
      expect(ajv.compile(schema)(structuredContent)).toBe(true);
    }
  });

  it.runIf(IS_FULL_RUN)(
    'reads and writes in all its folders, by absolute paths too',
    async () => {
      const files = { motions: [at('root/walk.glb')], character: at('second/avatar.vrm') };
      const { structuredContent } = await call('retarget', { ...files, output: at('second/{file}.vrma') });
      expect(structuredContent).toMatchObject({ ok: true });
      expect(existsSync(at('second/walk.vrma'))).toBe(true);
    },
    60_000,
  );

  it('uses a standard rig in place of a character', async () => {
    const { structuredContent } = await call('retarget', {
      motions: ['walk.glb'],
      to: 'ue5',
      contacts: 'off',
      output: 'ue5.glb',
    });
    expect(structuredContent).toMatchObject({ ok: true });
    expect(await failure('retarget', { motions: ['walk.glb'], output: 'none.glb' })).toContain(
      'neither character nor to',
    );
  }, 60_000);

  it.each([
    ['../outside/secret.glb', 'outside of the folders'],
    ['sub/../../outside/secret.glb', 'outside of the folders'],
    [at('outside/secret.glb'), 'outside of the folders'],
    ['/etc/passwd', 'outside of the folders'],
    ['link.glb', 'outside of the folders of this server once links are resolved'],
    ['linked/secret.glb', 'outside of the folders of this server once links are resolved'],
    ['https://example.com/a.glb', 'which is a URL'],
    [`file://${at('root/walk.glb')}`, 'which is a URL'],
    ['.hidden/walk.glb', 'which is hidden'],
    ['.', 'outside of the folders'],
    ['a\0.glb', 'which is no path'],
  ])('refuses to read %j', async (path, reason) => {
    expect(await failure('inspect', { file: path })).toContain(reason);
    expect(await failure('validate', { file: path })).toContain(reason);
    expect(await failure('preview', { files: ['walk.glb', path] })).toContain(reason);
    expect(await failure('compare', { source: 'walk.glb', result: 'walk.glb', targetMap: path })).toContain(reason);
    expect(await failure('compare', { source: 'walk.glb', result: 'walk.glb', sourcePose: `exact:${path}` })).toContain(
      reason,
    );
  });

  it.each([
    ['../outside/out', 'outside of the folders'],
    [at('outside/out'), 'outside of the folders'],
    ['linked/out', 'outside of the folders of this server once links are resolved'],
    ['linked/new/out', 'outside of the folders of this server once links are resolved'],
    ['dangling/out', 'a link that leads nowhere'],
    ['.hidden/out', 'which is hidden'],
    ['.git/out', 'which is hidden'],
    ['{file}/../../outside/out', 'outside of the folders'],
    ['https://example.com/out', 'which is a URL'],
  ])('refuses to write %j', async (path, reason) => {
    const retarget = { motions: ['walk.glb'], character: 'hero.glb', force: true };
    expect(await failure('retarget', { ...retarget, output: `${path}.glb` })).toContain(reason);
    expect(await failure('map', { file: 'hero.glb', output: `${path}.json`, force: true })).toContain(reason);
    expect(await failure('preview', { files: ['hero.glb'], output: `${path}.png`, force: true })).toContain(reason);
    expect(await failure('compare', { source: 'walk.glb', result: 'walk.glb', output: `${path}.html` })).toContain(
      reason,
    );
    expect(readdirSync(at('outside'))).toEqual(['secret.glb']);
    expect(readdirSync(at('root/.hidden'))).toEqual(['walk.glb']);
  });

  it('refuses a link that the name of a motion leads through', async () => {
    symlinkSync(at('outside'), at('root/walk'));
    const args = { motions: ['walk.glb'], character: 'hero.glb', output: '{file}/x.glb', force: true };
    expect(await failure('retarget', args)).toContain('once links are resolved');
    expect(readdirSync(at('outside'))).toEqual(['secret.glb']);
  });

  it('replaces files only with force, and a link instead of what it leads to', async () => {
    const before = readFileSync(at('outside/secret.glb'));
    const args = { file: 'hero.glb', output: 'link.json' };
    symlinkSync(at('outside/secret.glb'), at('root/link.json'));
    expect(await failure('map', args)).toContain('use the option force to replace it');
    await call('map', { ...args, force: true });
    expect(readFileSync(at('outside/secret.glb')).equals(before)).toBe(true);
    expect(JSON.parse(readFileSync(at('root/link.json'), 'utf8'))).toHaveProperty('bones.hips');
  });

  it('answers mistakes with the sentences of the library and goes on', async () => {
    expect(await failure('inspect', { file: 'none.glb' })).toMatch(
      /^error FILE_NOT_FOUND: The file cannot be read.*none\.glb/,
    );
    expect(await failure('inspect', { file: 'broken.glb' })).toMatch(/^error FORMAT_UNKNOWN|^error GLB_/);
    expect(await failure('inspect', { files: 'walk.glb' })).toContain('did you mean file?');
    expect(await failure('inspect', {})).toContain('The argument file is missing');
    expect(await failure('inspect', { file: 3 })).toContain('file is 3; expected the path of a file');
    const retarget = { motions: ['walk.glb'], character: 'hero.glb', output: 'never.glb' };
    expect(await failure('retarget', { ...retarget, speed: -1 })).toContain('speed is -1; expected a number above 0');
    expect(await failure('retarget', { ...retarget, contacts: 'off', armSpace: 5 })).toContain(
      'no effect with contacts off',
    );
    expect(await failure('retarget', { ...retarget, clips: ['Nonesuch'] })).not.toContain('--');
    expect(await failure('retarget', { ...retarget, output: 'never.exe' })).toContain('cannot write .exe');
    expect(await failure('preview', { files: ['walk.glb'], frames: 2.5 })).toContain(
      'expected a whole number from 1 to 60',
    );
    expect(await failure('map', { file: 'hero.glb', output: 'package.js' })).toContain('expected .json');
    await expect(call('define', {})).rejects.toThrow(/There is no tool "define"/);
    expect((await call('validate', { file: 'walk.glb' })).structuredContent).toMatchObject({ ok: true });
    expect(existsSync(at('root/never.glb'))).toBe(false);
  });

  it('reports progress where the client asks for it', async () => {
    const steps: (string | undefined)[] = [];
    const onprogress = ({ message }: { message?: string | undefined }): number => steps.push(message);
    await client.callTool({ name: 'preview', arguments: { files: ['walk.glb'] } }, undefined, { onprogress });
    expect(steps.some((step) => step?.startsWith('reading '))).toBe(true);
  });

  it('refuses to serve what is no folder', async () => {
    const { exit, stdout, stderr } = await runHere(['mcp', at('root/walk.glb')]);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain('cannot be served: it is not a folder; expected a folder');
  });
});
