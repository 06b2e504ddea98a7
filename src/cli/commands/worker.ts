import { defineCommand } from 'citty';
import { readQueueUrl } from '../batch/batch-flags.ts';
import { LIMIT_FLAGS, readCount, readLimits } from '../batch/limit-flags.ts';
import type { CommandData, CommandModule } from '../command.ts';
import { UsageError } from '../errors/cli-errors.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { withFlags } from '../errors/flag-names.ts';
import { oneLine, writeLines } from '../io.ts';

/** Parses `--metrics`. Throws UsageError for anything else. */
export function readMetrics(text: string): { readonly metricsPort: number; readonly metricsHost?: string } {
  const [, host, port] = /^(?:\[?([^[\]]+)\]?:)?(\d+)$/.exec(text) ?? [];
  if (port === undefined)
    throw new UsageError(
      `--metrics is ${JSON.stringify(text)}; expected a port, or an address and a port such as 0.0.0.0:9464`,
    );
  const metricsPort = readCount('metrics', port, 65_535);
  return host === undefined ? { metricsPort } : { metricsPort, metricsHost: host };
}

export const command: CommandModule['command'] = defineCommand({
  meta: {
    name: 'anyrig worker',
    description:
      'Run jobs of "anyrig batch --queue" until it is stopped. SIGTERM and Ctrl+C finish the jobs that run. Files are in a shared folder, or in S3-compatible storage: set AWS_ENDPOINT_URL, AWS_REGION and credentials',
  },
  args: {
    queue: { type: 'string', required: true, valueHint: 'URL', description: 'redis:// URL of the queue' },
    ...LIMIT_FLAGS,
    lock: {
      type: 'string',
      valueHint: 'SECONDS',
      description:
        'After this time, jobs of a worker that is cut off go to another one; 30 by default, the same for all',
    },
    root: {
      type: 'string',
      valueHint: 'FOLDER',
      description:
        'Folder, or s3://bucket/folder, that jobs may read and write; several are possible. By default the working folder, and s3:// for all that the credentials allow',
    },
    metrics: {
      type: 'string',
      valueHint: '[HOST:]PORT',
      description:
        'Serve Prometheus metrics at /metrics of this port, of 127.0.0.1 unless an address is named, such as 0.0.0.0:9464',
    },
    verbose: { type: 'boolean', description: 'Print every job' },
  },
  run: async ({ args, data }) => {
    const { io, values } = data as CommandData;
    const { startQueueWorker } = await import('../../batch/batch-bundle.ts');
    const worker = await startQueueWorker({
      url: readQueueUrl(args.queue),
      ...readLimits(args),
      ...(args.lock === undefined ? {} : { lockSeconds: readCount('lock', args.lock, 86_400) }),
      ...(values.has('root') ? { roots: values.get('root') ?? [] } : {}),
      ...(args.metrics === undefined ? {} : readMetrics(args.metrics)),
      onJob: (id, outcome) => {
        if ('failure' in outcome)
          writeLines(io.stderr, [`failed  ${oneLine(id)}: ${oneLine(withFlags(outcome.failure.message))}`]);
        else if (args.verbose) writeLines(io.stdout, [`made    ${oneLine(id)}`]);
      },
      onError: (error) =>
        writeLines(io.stderr, [`The connection to the queue has an error: ${oneLine(error.message)}`]),
    });
    writeLines(io.stdout, ['The worker waits for jobs.']);
    await new Promise<void>((resolve) => {
      process.once('SIGTERM', () => resolve());
      process.once('SIGINT', () => resolve());
    });
    await worker.close();
    // A connection to a server that is away can stay open.
    setTimeout(() => process.exit(EXIT.done), 500).unref();
    return EXIT.done;
  },
});

export const examples: CommandModule['examples'] = [
  ['anyrig worker --queue redis://queue:6379', 'run jobs on all processors'],
  ['anyrig worker --queue redis://queue:6379 --root /library --root /out', 'only for jobs on files in two folders'],
  [
    'anyrig worker --queue redis://queue:6379 --jobs 4 --metrics 0.0.0.0:9464',
    'four threads, with metrics for other machines',
  ],
];

export const repeatable: CommandModule['repeatable'] = ['root'];
