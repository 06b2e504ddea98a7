/** A worker of a page that plays parts of groups. */
import { serveThread, type ThreadMessage } from 'anyrig/kernels';

addEventListener('message', ({ data }: MessageEvent<ThreadMessage>) => serveThread(data), { once: true });
