import { readFileSync } from 'node:fs';
import { parseGltf, readGeometry, readGltf } from 'anyrig/gltf';
const glb = new Uint8Array(readFileSync('/tmp/chief/usual.glb'));
const t = [0,0,0];
const run = () => { const a = process.cpuUsage().user; const d = parseGltf(glb); const b = process.cpuUsage().user; readGltf(d); const c = process.cpuUsage().user; readGeometry(d); const e = process.cpuUsage().user; t[0]+=b-a; t[1]+=c-b; t[2]+=e-c; };
for (let i = 0; i < 300; i++) run();
t.fill(0);
for (let i = 0; i < 600; i++) run();
console.log(t.map((x) => x / 600 / 1000));
