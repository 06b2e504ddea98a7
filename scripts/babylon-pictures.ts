/**
 * Draws the picture of contacts in docs/babylon.md: a walk that Babylon.js plays on a built-in character, without contacts and with them.
 *
 *     npx tsx --conditions=@anyrig/source scripts/babylon-pictures.ts
 *
 * Needs Chromium.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { builtIn } from '../site/built-in.ts';
import { CHROMIUM, runInChromium } from '../test/external/browser/chromium.ts';

if (CHROMIUM === null) throw new Error('Chromium is missing. Install it, or set ANYRIG_CHROMIUM to its path.');
const page = fileURLToPath(new URL('babylon-pictures-page.ts', import.meta.url));
const files = { 'walk.glb': builtIn('walk.glb').bytes(), 'character.glb': builtIn('robot.glb').bytes() };
const picture = Buffer.from((await runInChromium(page, files)) as string, 'base64');
writeFileSync(new URL('../docs/images/babylon-contacts.jpg', import.meta.url), picture);
console.log('babylon-contacts.jpg', Math.round(picture.length / 1000), 'kB');
