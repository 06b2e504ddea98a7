import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineCommand } from 'citty';
import { systemReason } from '../../files/reports/system-reason.ts';
import type { StudioServer } from '../../studio-server/start-server.ts';
import { type OpenedUserFile, prepareUserFiles, type UserFiles } from '../../studio-server/user-files.ts';
import type { CommandData, CommandModule } from '../command.ts';
import { UsageError } from '../errors/cli-errors.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { ASSET_FLAGS, INPUT_FORMATS } from '../flags/input-flags.ts';
import { SEVERAL } from '../flags/labels.ts';
import { readInputOptions } from '../flags/read-options.ts';
import { expandInputs } from '../inputs/expand-inputs.ts';
import { type Io, oneLine, stylesFor, writeLines } from '../io.ts';
import { blame, type InputOptions } from '../open-input.ts';
import { startProgress } from '../progress.ts';
import { STUDIO_PAGE } from '../studio-page.ts';

/** The port where the page is usually served: the browser keeps its sessions by address. */
const USUAL_PORT = 4747;

export interface StudioJob {
  readonly page: string;
  /** Arguments for files: paths, patterns, folders, lists. */
  readonly args: readonly string[];
  readonly input: InputOptions;
  /** Port; 0 takes a free one; null takes the usual one, or a free one if that is in use. */
  readonly port: number | null;
  readonly opens: boolean;
  readonly isJson: boolean;
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 0xffff) return port;
  throw new UsageError(
    `--port is ${JSON.stringify(text)}; expected a whole number from 0 to 65535; 0 takes a free port`,
  );
}

async function prepareFiles({ args, input }: StudioJob, io: Io): Promise<UserFiles> {
  const { files } = await expandInputs(args, { output: '', except: [] });
  const progress = startProgress(io);
  try {
    let path = '';
    const onFile = (file: string): void => {
      path = file;
      progress.step(`reading ${file}`);
    };
    const prepared = prepareUserFiles(files, { ...input, onFile });
    return await prepared.catch((error) => blame(path, () => Promise.reject(error)));
  } finally {
    progress.end();
  }
}

async function startOn(page: string, files: UserFiles, port: number | null): Promise<StudioServer> {
  // Apart from the code of the other commands, which would wait for the HTTP modules of Node.js.
  const { startServer } = await import('../../studio-server/server-bundle.ts');
  try {
    return await startServer(page, files, port ?? USUAL_PORT);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== 'listen') throw error;
    if (port === null) return startServer(page, files, 0);
    throw new UsageError(`The port ${port} cannot be used: ${systemReason(error)}. Choose another with --port, or 0`);
  }
}

function fileLine({ name, resources }: OpenedUserFile): string {
  const count = resources.length;
  return oneLine(count === 0 ? name : `${name}, with ${count} ${count === 1 ? 'file' : 'files'} that it references`);
}

/** Waits for Ctrl+C, or for the request of another program to end. */
function interruption(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

/** Serves the page until the process is interrupted. Throws InputError for a file that cannot be read; UsageError for a port that cannot be used. */
export async function runStudio(job: StudioJob, io: Io): Promise<ExitCode> {
  if (!existsSync(join(job.page, 'index.html'))) {
    throw new UsageError(`The page of the studio is not in ${job.page}. Run "npm run build" in the folder of anyrig`);
  }
  const files = await prepareFiles(job, io);
  const server = await startOn(job.page, files, job.port);
  const interrupted = interruption();
  if (job.isJson) writeLines(io.stdout, [JSON.stringify({ ok: true, url: server.url, files: files.list })]);
  else {
    const style = await stylesFor(io.stdout, io);
    const lines = files.list.map((file) => `  ${fileLine(file)}`);
    writeLines(io.stdout, [`Studio: ${style('cyan', server.url)}`, ...lines, 'Ctrl+C ends it.']);
  }
  if (job.opens) {
    const { openBrowser } = await import('../../studio-server/server-bundle.ts');
    openBrowser(server.onceUrl);
  }
  await interrupted;
  await server.close();
  return EXIT.done;
}

export const command: CommandModule['command'] = defineCommand({
  meta: {
    name: 'anyrig studio',
    description:
      'Open the studio: a page in the browser, served on this machine only, that shows motions on characters',
  },
  args: {
    files: {
      type: 'positional',
      required: false,
      valueHint: SEVERAL,
      description: `Motions and characters to open: ${INPUT_FORMATS}. Also patterns in quotes, folders, and @list.txt`,
    },
    port: {
      type: 'string',
      valueHint: 'N',
      description: `Port on 127.0.0.1; 0 takes a free one. Default: ${USUAL_PORT}, or a free one if that is in use`,
    },
    open: {
      type: 'boolean',
      default: true,
      description: 'Open the page in the default browser',
      negativeDescription: 'Only print the address',
    },
    ...ASSET_FLAGS,
    json: { type: 'boolean', description: 'Print the address and the served files as one line of JSON' },
  },
  run: ({ args, data }) => {
    const { io } = data as CommandData;
    const job: StudioJob = {
      page: STUDIO_PAGE,
      args: args._,
      input: readInputOptions(args['asset-root']),
      port: args.port === undefined ? null : readPort(args.port),
      opens: args.open !== false,
      isJson: args.json === true,
    };
    return runStudio(job, io);
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig studio hero.glb walk.fbx', 'the studio with a character and a motion'],
  ['anyrig studio "clips/*.fbx" hero.vrm --no-open --port 8080', 'many motions, at a certain address'],
];

export const repeatable: CommandModule['repeatable'] = [];
