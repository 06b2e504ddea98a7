import { describe, expect, it } from 'vitest';
import { insertFiles } from '../../src/studio-server/start-server.ts';

describe('insertFiles', () => {
  it('replaces the comment by the files as JSON, which no name can leave', () => {
    const name = '</script><script>alert(1)</script><!--$&.glb';
    const files = [{ name, url: '/files/0/x', resources: [] }];
    const html = insertFiles('<head><!-- anyrig-files --></head>', files);
    const json = /^<head><script type="application\/json" id="anyrig-files">([^<]*)<\/script><\/head>$/.exec(html)?.[1];
    expect(JSON.parse(json as string)).toEqual(files);
  });

  it('throws for a page without the comment', () => {
    expect(() => insertFiles('<head></head>', [])).toThrow('npm run build');
  });
});
