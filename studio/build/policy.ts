import type { Plugin } from 'vite';
import { META_POLICY } from '../../src/studio-server/security-policy.ts';

/** Vite plugin: puts the content security policy into the built page, for hosts that do not send it. */
export function policy(): Plugin {
  const attrs = { 'http-equiv': 'Content-Security-Policy', content: META_POLICY };
  return {
    name: 'anyrig-policy',
    apply: 'build',
    transformIndexHtml: () => [{ tag: 'meta', attrs, injectTo: 'head-prepend' }],
  };
}
