/**
 * `anyrig/files` in browsers: opens bytes with `openBytes`. The functions on disk of Node's entry exist here too, so that one declaration serves both
 * and a bundler finds every name; called in a browser, they throw.
 */
export * from './index.ts';

function onlyInNode(name: string, instead: string): (...args: never[]) => never {
  return () => {
    throw new TypeError(`${name} needs a file system, which only Node has. In browsers ${instead}.`);
  };
}

export const openFile = onlyInNode(
  'openFile',
  'use openBytes: await openBytes(new Uint8Array(await (await fetch(url)).arrayBuffer()), { name: url })',
);
export const writeFiles = onlyInNode(
  'writeFiles',
  'offer the bytes of each output as a download: URL.createObjectURL(new Blob([...output.parts]))',
);
export const svgToPng = onlyInNode('svgToPng', 'draw the SVG on a canvas: an Image whose src is a data URL');
