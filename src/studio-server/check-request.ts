/** Decides which requests the server answers: those of its own page, and of people who open its address. */
import type { IncomingHttpHeaders } from 'node:http';

interface CheckedRequest {
  readonly method: string | undefined;
  readonly path: string;
  /** Headers with names in lower case. */
  readonly headers: IncomingHttpHeaders;
}

const DEFAULT_PORT = 80;

function hostsOf(port: number): string[] {
  const names = ['127.0.0.1', 'localhost'];
  return [...names.map((name) => `${name}:${port}`), ...(port === DEFAULT_PORT ? names : [])];
}

/** Whether another site may cause a request: only by a link to the page. */
function isLinkToPage({ path, headers }: CheckedRequest, page: string): boolean {
  return path === page && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

/**
 * Checks a request. The `Host` header shows whether the browser was led here by a foreign domain name (DNS rebinding); `Origin` and
 * `Sec-Fetch-Site` show whether another site asks. A page of another port of this machine is another site.
 */
export function refusalOf(
  request: CheckedRequest,
  port: number,
  page: string,
): { readonly status: 403 | 405; readonly message: string } | null {
  const { method, headers } = request;
  const hosts = hostsOf(port);
  if (!hosts.includes(headers.host?.toLowerCase() ?? '')) {
    return { status: 403, message: `The Host header is not that of this server; expected ${hosts.join(' or ')}.` };
  }
  if (headers.origin !== undefined && !hosts.some((host) => headers.origin === `http://${host}`)) {
    return { status: 403, message: 'The request is from a page of another origin; expected the page of this server.' };
  }
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined || site === 'same-origin' || site === 'none';
  if (!isOwn && !isLinkToPage(request, page)) {
    return { status: 403, message: 'Another site asks for this file; expected the page of this server.' };
  }
  if (method !== 'GET' && method !== 'HEAD') {
    return { status: 405, message: 'The server only answers GET and HEAD.' };
  }
  return null;
}
