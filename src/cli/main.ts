#!/usr/bin/env node
/** Entry of the command line. A short job spends most of its time on compilation: Node 22.1 and later keep the compiled code. */
import module from 'node:module';

(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
const { run } = await import('./run.ts');
const { processIo } = await import('./io.ts');
process.exitCode = await run(process.argv.slice(2), processIo());
