/** The headers that confine the page: it runs its own scripts only, and is not shown inside other pages. */

/**
 * Content Security Policy, level 3. WebAssembly is allowed for the kernels and decoders; `blob:` and `data:` are images, buffers and videos that
 * the page makes itself or that are inside opened files. Style changes by scripts need no permission.
 */
const DIRECTIVES = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  'media-src blob:',
  "worker-src 'self'",
  // Files are read from addresses that the user pastes, or that a link names.
  "connect-src 'self' blob: data: https: http://127.0.0.1:* http://localhost:*",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
] as const;

/** The policy as the content of a meta element, for hosts that send no headers. */
export const META_POLICY: string = DIRECTIVES.join('; ');

/** Headers of every response of the server. Browsers ignore `frame-ancestors` in a meta element. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': `${META_POLICY}; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};
