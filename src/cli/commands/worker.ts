/** `anyrig worker`. */
import { defineCommand } from 'citty';
import { readQueueUrl } from '../batch/batch-flags.ts';
import { LIMIT_FLAGS, readCount, readLimits } from '../batch/limit-flags.ts';
import type { CommandData, CommandModule } from '../command.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { oneLine, writeLines } from '../io.ts';

/** Definition of the command. */
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
    metrics: { type: 'string', valueHint: 'PORT', description: 'Serve Prometheus metrics at /metrics of this port' },
    verbose: { type: 'boolean', description: 'Print every job' },
  },
  run: async ({ args, data }) => {
    const { io } = data as CommandData;
    const { startQueueWorker } = await import('../../batch/batch-bundle.ts');
    const worker = await startQueueWorker({
      url: readQueueUrl(args.queue),
      ...readLimits(args),
      ...(args.lock === undefined ? {} : { lockSeconds: readCount('lock', args.lock, 86_400) }),
      ...(args.metrics === undefined ? {} : { metricsPort: readCount('metrics', args.metrics, 65_535) }),
      onJob: (id, outcome) => {
        if ('failure' in outcome)
          writeLines(io.stderr, [`failed  ${oneLine(id)}: ${oneLine(outcome.failure.message)}`]);
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
    return EXIT.done;
  },
});

/** Command lines for the help. */
export const examples: CommandModule['examples'] = [
  ['anyrig worker --queue redis://queue:6379', 'run jobs on all processors'],
  ['anyrig worker --queue redis://queue:6379 --jobs 4 --metrics 9464', 'four threads, with metrics'],
];

/** Flags that may occur several times. */
export const repeatable: CommandModule['repeatable'] = [];
