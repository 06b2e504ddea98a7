import { openFile } from '../src/files/node.ts';
import { findHumanoid } from '../src/files/humanoid/find-humanoid.ts';
import { adapterOf } from '../src/files/adapters/adapters.ts';
import { collectSkinPoints } from '../src/core/asset/collect-skin-points.ts';
import { mainNode, countPoints } from '../src/core/contacts/surface/skin-points.ts';
import { describeBodySurface } from '../src/core/contacts/surface/body-surface.ts';
import { BONES } from '../src/core/humanoid/bones.ts';
for (const p of process.argv.slice(2)) {
const file = await openFile(p);
const { humanoid, index } = findHumanoid(file, 'target', {}).found!;
const g = adapterOf(file).readVertices?.(file);
console.log(p, 'instances', g?.instances.length, 'skins', g?.skins.length, g?.instances.map(i=>i.skin).join(','));
const pts = g ? collectSkinPoints(g, file.asset.skeletons[index]) : null;
if (pts) { const m = new Map<string, number>(); for (let i=0;i<countPoints(pts);i++){const n=humanoid.skeleton.names[mainNode(pts,i)]; m.set(n,(m.get(n)??0)+1);} console.log([...m].map(([a,b])=>a+':'+b).join(' ')); }
console.log(BONES.flatMap((b,i)=>humanoid.map.nodes[i]>=0?[b+'='+humanoid.skeleton.names[humanoid.map.nodes[i]]]:[]).join(' '));
const s = describeBodySurface(humanoid, pts); const c: Record<string,number>={}; for (const b of s.bones) c[BONES[b]]=(c[BONES[b]]??0)+1; console.log(s.from, s.floor, c);
}
