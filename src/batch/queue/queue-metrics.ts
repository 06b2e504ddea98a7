/** Metrics of a worker in the format of Prometheus. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OptionError } from '../../files/option-error.ts';
import { importOptional } from '../import-optional.ts';

export interface QueueMetrics {
  readonly port: number;
  readonly started: () => void;
  readonly ended: (state: 'made' | 'failed', seconds: number) => void;
  /** Counts a job whose worker was lost. */
  readonly stalled: () => void;
  readonly close: () => void;
}

/** Upper bounds of the histogram of durations, seconds. */
const BUCKETS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300];

/**
 * Starts the server. Throws OptionError (`queue`) when prom-client is not installed; OptionError (`metricsPort`) for a port in use and an address
 * that this machine does not have.
 */
export async function createQueueMetrics(wanted: number, host: string): Promise<QueueMetrics> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await importOptional(
    'queue',
    'prom-client',
    () => import('prom-client'),
  );
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const jobs = new Counter({
    name: 'anyrig_jobs_total',
    help: 'Jobs that have ended',
    labelNames: ['state'],
    registers,
  });
  const active = new Gauge({ name: 'anyrig_jobs_active', help: 'Jobs that run', registers });
  const lost = new Counter({ name: 'anyrig_jobs_stalled_total', help: 'Jobs whose worker was lost', registers });
  const duration = new Histogram({ name: 'anyrig_job_seconds', help: 'Duration of jobs', buckets: BUCKETS, registers });
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end('The metrics are at /metrics.\n');
      return;
    }
    void registry.metrics().then((text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ message }) => {
      const found = `The metrics cannot be served on ${host}, port ${wanted}: ${message}`;
      reject(new OptionError('metricsPort', `${found}; choose a free port of this machine`));
    });
    server.listen(wanted, host, resolve);
  });
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    started: () => active.inc(),
    ended: (state, seconds) => {
      active.dec();
      jobs.inc({ state });
      duration.observe(seconds);
    },
    stalled: () => lost.inc(),
    close: () => void server.close(),
  };
}
