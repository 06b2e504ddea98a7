/** Starts the watchdog of the fuzzer: tsx does not reach into threads of Node 20 by itself. */
import { register } from 'tsx/esm/api';

register();
await import('./watchdog.ts');
