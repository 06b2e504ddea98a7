/** The server of `anyrig mcp`: answers requests of the Model Context Protocol over stdin and stdout. */
import { Writable } from 'node:stream';
import { formatLocation } from '../../core/report/format-error.ts';
import { packageVersion } from '../../files/package-version.ts';
import { InputError, UsageError } from '../errors/cli-errors.ts';
import { failureOf } from '../errors/failure.ts';
import { type Io, oneLine } from '../io.ts';
import { findServedFolders, type ServedFolder } from './confine-path.ts';
import { argumentSchema } from './tool-arguments.ts';
import { TOOLS, type Tool, type ToolAnswer, type ToolContext } from './tools.ts';

async function importSdk(): Promise<
  typeof import('@modelcontextprotocol/sdk/server/index.js') &
    typeof import('@modelcontextprotocol/sdk/server/stdio.js') &
    typeof import('@modelcontextprotocol/sdk/types.js')
> {
  try {
    const [server, stdio, types] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/index.js'),
      import('@modelcontextprotocol/sdk/server/stdio.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ]);
    return { ...server, ...stdio, ...types };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const advice = 'run "npm install @modelcontextprotocol/sdk" where anyrig is installed';
    throw new UsageError(`The server needs the package @modelcontextprotocol/sdk, which is not installed; ${advice}`);
  }
}

type Content = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string };

interface CallResult {
  [key: string]: unknown;
  readonly content: Content[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

/** Converts an answer. Of a result with structured content, many clients show a model nothing else: the report of a picture is text instead. */
function resultOf({ lines, report, png }: ToolAnswer): CallResult {
  const text: Content = { type: 'text', text: lines.map(oneLine).join('\n') };
  if (png === undefined) return { content: [text], structuredContent: { ...report } };
  const data = Buffer.from(png).toString('base64');
  return {
    content: [text, { type: 'text', text: JSON.stringify(report) }, { type: 'image', data, mimeType: 'image/png' }],
  };
}

/** Converts an error to a result that a model reads: the sentence of the library, without flags of the command line. */
function errorResult(error: unknown): CallResult {
  const { code, where, file, isBug } = failureOf(error);
  const message =
    error instanceof InputError ? error.reason.message : error instanceof Error ? error.message : String(error);
  const location = [file !== null && !message.includes(file) ? file : '', formatLocation(where)].filter(
    (part) => part !== '',
  );
  const about = location.length === 0 ? '' : ` (${location.join(', ')})`;
  const end = isBug ? ' This is a bug in anyrig; please report it' : '';
  return { content: [{ type: 'text', text: `error ${code}: ${message}${about}${end}` }], isError: true };
}

async function callTool(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  context: ToolContext,
): Promise<CallResult> {
  try {
    context.signal.throwIfAborted();
    return resultOf(await tool.call(given, context));
  } catch (error) {
    if (context.signal.aborted) return { content: [{ type: 'text', text: 'The call was canceled.' }], isError: true };
    return errorResult(error);
  }
}

/** Text for models that connect. */
function instructions(folders: readonly ServedFolder[]): string {
  return `anyrig puts humanoid motions on humanoid characters. Files are in ${folders.map(({ path }) => path).join(', ')}; relative paths start at the first. Inspect the files, retarget, then compare and look at a preview. When bones are wrong, write a map, edit it, and retarget with it.`;
}

/** Waits until the client closes the input, or the process is asked to end. */
function ending(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin
      .once('end', resolve)
      .once('close', resolve)
      .once('error', () => resolve());
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

/**
 * Serves the tools until the client closes the input. One call runs at a time, so that memory is that of one job. `paths`: folders that the tools
 * may read and write. Throws UsageError for a path that is no folder, and when the SDK of the protocol is not installed.
 */
export async function serveTools(paths: readonly string[], io: Io): Promise<void> {
  const folders = findServedFolders(paths);
  const { Server, StdioServerTransport, ListToolsRequestSchema, CallToolRequestSchema, McpError, ErrorCode } =
    await importSdk();
  // `McpServer` would take schemas of zod; those of the tools come from the table of options.
  const server = new Server(
    { name: 'anyrig', version: packageVersion() },
    { capabilities: { tools: {} }, instructions: instructions(folders) },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: TOOLS.map(({ name, description, args, isReadOnly }) => ({
      name,
      description,
      inputSchema: argumentSchema(args),
      annotations: { readOnlyHint: isReadOnly, openWorldHint: false },
    })),
  }));
  let last: Promise<unknown> = Promise.resolve();
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal, sendNotification, _meta }) => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    if (tool === undefined)
      throw new McpError(
        ErrorCode.InvalidParams,
        `There is no tool ${JSON.stringify(params.name)}; the tools are ${TOOLS.map(({ name }) => name).join(', ')}`,
      );
    const token = _meta?.progressToken;
    let progress = 0;
    const step = (message: string): void => {
      if (token === undefined) return;
      const notification = { progressToken: token, progress: progress++, message: oneLine(message) };
      void sendNotification({ method: 'notifications/progress', params: notification }).catch(() => {});
    };
    const result = last.then(() => callTool(tool, params.arguments ?? {}, { folders, signal, step }));
    last = result;
    return result;
  });
  // Only the protocol may be on stdout, whatever packages print.
  const output = new Writable({
    write: (chunk, _, done) => {
      io.stdout.write(String(chunk));
      done();
    },
  });
  const { write } = process.stdout;
  process.stdout.write = process.stderr.write.bind(process.stderr);
  try {
    const ended = ending();
    await server.connect(new StdioServerTransport(process.stdin, output));
    await ended;
    await last;
    // The answer of the last call is sent after its handler.
    await new Promise((resolve) => setImmediate(resolve));
    await server.close();
  } finally {
    process.stdout.write = write;
  }
}
