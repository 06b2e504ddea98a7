import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../src/studio-server/check-request.ts';

const PORT = 4747;

function statusOf(headers: IncomingHttpHeaders, { path = '/files/0/hero.glb', method = 'GET', port = PORT } = {}) {
  return refusalOf({ method, path, headers: { host: `127.0.0.1:${port}`, ...headers } }, port, '/k3/')?.status ?? null;
}

describe('refusalOf', () => {
  it.each(['127.0.0.1:4747', 'localhost:4747', 'LocalHost:4747'])('accepts the Host header %s', (host) => {
    expect(statusOf({ host })).toBeNull();
  });

  it.each([
    'evil.example',
    'evil.example:4747',
    '127.0.0.1',
    '127.0.0.1:4748',
    'localhost.evil.example:4747',
    '127.0.0.1:4747.evil.example',
    '0.0.0.0:4747',
    '[::1]:4747',
    '',
  ])('refuses the Host header "%s"', (host) => {
    expect(statusOf({ host })).toBe(403);
  });

  it('refuses a request without a Host header, and accepts one without a port on port 80 only', () => {
    expect(refusalOf({ method: 'GET', path: '/', headers: {} }, PORT, '/k3/')?.status).toBe(403);
    expect(statusOf({ host: 'localhost' }, { port: 80 })).toBeNull();
  });

  it('accepts the Origin of the page, and refuses any other', () => {
    expect(statusOf({ origin: 'http://127.0.0.1:4747' })).toBeNull();
    for (const origin of ['null', 'https://127.0.0.1:4747', 'http://localhost:3000', 'https://evil.example', '']) {
      expect(statusOf({ origin })).toBe(403);
    }
  });

  it('lets another site only link to the page', () => {
    const link = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'sec-fetch-site': site };
      expect(statusOf({ ...headers, ...link }, { path: '/k3/' })).toBeNull();
      expect(statusOf({ ...headers, ...link })).toBe(403);
      expect(statusOf({ ...headers, ...link }, { path: '/' })).toBe(403);
      expect(statusOf({ ...headers, ...link, 'sec-fetch-dest': 'iframe' }, { path: '/k3/' })).toBe(403);
      expect(statusOf({ ...headers, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' })).toBe(403);
    }
    for (const site of ['same-origin', 'none']) expect(statusOf({ 'sec-fetch-site': site })).toBeNull();
  });

  it('refuses methods that change something', () => {
    expect(statusOf({}, { method: 'HEAD' })).toBeNull();
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) expect(statusOf({}, { method })).toBe(405);
  });
});
