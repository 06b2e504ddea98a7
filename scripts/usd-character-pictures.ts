/** The picture of docs/formats/usd.md: real characters converted to USD, with a retargeted motion. */

import { sampleClip } from '../src/core/animation/sample.ts';
import type { Geometry } from '../src/core/asset/geometry.ts';
import { toTriangles } from '../src/core/asset/triangles.ts';
import * as vec3 from '../src/core/math/vec3.ts';
import { restPose } from '../src/core/skeleton/pose.ts';
import { geometryOf } from '../src/files/geometry.ts';
import { convertFile } from '../src/files/jobs/convert-file.ts';
import { retargetMotions } from '../src/files/jobs/retarget-motions.ts';
import { openFile } from '../src/files/node.ts';
import { type OpenFile, openBytes } from '../src/files/open.ts';
import type { OutputFile } from '../src/files/outputs/output-file.ts';
import { concatParts } from '../src/formats/gltf/document/glb.ts';
import { type Cell, type CellTransform, cellOf, drawFigure, projector, type View } from '../src/preview/cell.ts';
import { type DrawnSkeleton, drawnPositions, drawnSkeletons } from '../src/preview/drawn-skeleton.ts';
import { FONT, text } from '../src/preview/svg.ts';
import { type DeformedPart, deformedFile } from '../test/external/oracle/deformed-vertices.ts';
import { asset } from '../test/support/assets.ts';
import { type ScreenTriangles, type Shade, shadedFigure } from './shaded-figure.ts';

const INK = '#1f2937';
const QUIET = '#6b7280';
const SHADES: readonly Shade[] = [
  { least: 0, color: '#33415c' },
  { least: 0.42, color: '#5f7ba8' },
  { least: 0.68, color: '#93b1da' },
  { least: 0.88, color: '#c7dbf4' },
];
const CELL = { width: 130, height: 126 };
const LABELS = 176;
const TOP = 54;
/** Pixels from the ground of a cell to its lower edge. */
const FOOT = 14;
/** Height of the bounding box of a character in its rest pose, pixels. */
const FIGURE = 86;
/** Times of the motion, seconds. */
const TIMES = [0.5, 0.75, 1, 1.25];

const [COS, SIN] = [Math.cos(0.45), Math.sin(0.45)];
/** The camera looks from slightly to the right. */
const VIEW: View = { name: '', across: (x, z) => x * COS + z * SIN, near: (x, z) => z * COS - x * SIN };
const LIGHT = [0.35, 0.6, 0.72];

const MOTION = 'assets/bvh/AD_cmu1_jumping_jacks.bvh';
const CHARACTERS: readonly (readonly [path: string, about: string])[] = [
  ['assets/glb/RobotExpressive.glb', 'glTF; rigid parts on joints'],
  ['assets/glb/KayKit_Knight.glb', 'glTF; no neck, no shoulders'],
  ['assets/glb/m2m_human-female.glb', 'glTF'],
  ['assets/glb/pc_lumberjack.glb', 'glTF; bound in another pose'],
  ['assets/vrm/Godette_vrm_v4.vrm', 'VRM 0.x; faces −Z'],
  ['assets/fbx/ufbx_maya_kenney_character_7700_binary.fbx', 'FBX; centimeters'],
];

async function reopened(outputs: readonly OutputFile[]): Promise<OpenFile> {
  const { path, parts } = outputs[outputs.length - 1];
  return openBytes(concatParts(parts), { name: path });
}

/** Projects and lights the triangles of a deformed character. */
function trianglesOnScreen(
  { meshes, instances }: Geometry,
  parts: readonly DeformedPart[],
  { frame, metersPerUnit }: DrawnSkeleton,
  screen: (point: [number, number, number]) => [number, number],
): ScreenTriangles {
  const primitives = instances.flatMap(({ mesh }) => meshes[mesh].primitives);
  const corners: number[] = [];
  const light: number[] = [];
  for (const [p, { positions }] of parts.entries()) {
    const rotated = new Float64Array(positions.length);
    for (let v = 0; v < rotated.length; v += 3) {
      vec3.rotate(rotated, v, frame, 0, positions, v);
      vec3.scale(rotated, v, rotated, v, metersPerUnit);
    }
    const vertices = toTriangles(primitives[p]) ?? [];
    const point = (t: number): [number, number, number] => {
      const v = 3 * vertices[t];
      return [rotated[v], rotated[v + 1], rotated[v + 2]];
    };
    for (let t = 0; t < vertices.length; t += 3) {
      const [a, b, c] = [point(t), point(t + 1), point(t + 2)];
      const normal = new Float64Array(9);
      vec3.subtract(normal, 3, b, 0, a, 0);
      vec3.subtract(normal, 6, c, 0, a, 0);
      vec3.cross(normal, 0, normal, 3, normal, 6);
      vec3.normalize(normal, 0, normal, 0);
      const away = VIEW.near(normal[0], normal[2]) < 0 ? -1 : 1;
      const falls =
        away *
        (LIGHT[0] * VIEW.across(normal[0], normal[2]) +
          LIGHT[1] * normal[1] +
          LIGHT[2] * VIEW.near(normal[0], normal[2]));
      light.push(Math.min(1, Math.max(0, 0.15 + 0.85 * falls)));
      for (const one of [a, b, c]) corners.push(...screen(one), VIEW.near(one[0], one[2]));
    }
  }
  return { corners: Float64Array.from(corners), light: Float64Array.from(light) };
}

/** Creates the cell of a skeleton at a time of its first clip; a negative time gives the rest pose. */
function cellAt(file: OpenFile, drawn: DrawnSkeleton, time: number): Cell {
  const pose = restPose(drawn.skeleton);
  if (time >= 0) sampleClip(file.asset.clips[0].clips[drawn.index], time, pose);
  return cellOf(drawn, drawnPositions(drawn, pose));
}

function label(row: number, title: string, about: string): string[] {
  const y = TOP + CELL.height * row + 58;
  return [text(16, y, 13, INK, title), text(16, y + 18, 11, QUIET, about)];
}

function transformIn(row: number, column: number, figure: number): CellTransform {
  return { x: LABELS + CELL.width * (column + 0.5), y: TOP + CELL.height * (row + 1) - FOOT, figure };
}

async function characterRow(path: string, about: string, motion: OpenFile, row: number): Promise<string[]> {
  const name = path.replace(/^.*\/(?:ufbx_maya_)?|(?:_v4|_7700_binary)?\.\w+$/g, '');
  const usd = await reopened((await convertFile(await openFile(asset(path)), { output: `${name}.usdz` })).outputs);
  const moved = await reopened((await retargetMotions([motion], usd, { output: `${name}.usdz` })).outputs);
  const seen = await geometryOf(moved);
  if (seen === null) throw new Error(`${name} has no geometry.`);
  const shown = deformedFile(moved, seen.geometry, null);
  const [drawn] = drawnSkeletons(moved);
  const heights = shown.at(-1, 0).flatMap(({ positions }) => {
    return Array.from({ length: positions.length / 3 }, (_, v) => {
      const at = new Float64Array(3);
      vec3.rotate(at, 0, drawn.frame, 0, positions, 3 * v);
      return at[1] * drawn.metersPerUnit;
    });
  });
  const tall = heights.reduce((most, y) => Math.max(most, y), 0) - drawn.ground;
  const figure = (FIGURE * drawn.height) / tall;
  const figures = [-1, ...TIMES].map((time, column) => {
    const transform = transformIn(row, column, figure);
    const box = { x: transform.x - CELL.width / 2, y: transform.y - CELL.height + FOOT, ...CELL };
    const cell = cellAt(moved, drawn, time);
    const inBox = { x: CELL.width / 2, y: CELL.height - FOOT, figure };
    const parts = shown.at(time < 0 ? -1 : 0, Math.max(0, time));
    const triangles = trianglesOnScreen(seen.geometry, parts, drawn, projector(drawn, cell, VIEW, inBox));
    return shadedFigure(triangles, box, SHADES);
  });
  return [...label(row, name, about), ...figures];
}

function motionRow(motion: OpenFile): string[] {
  const [drawn] = drawnSkeletons(motion);
  const figures = TIMES.map((time, column) =>
    drawFigure(drawn, cellAt(motion, drawn, time), VIEW, transformIn(0, column + 1, FIGURE)),
  );
  return [...label(0, 'jumping_jacks', 'BVH; motion capture'), ...figures];
}

/** Draws real characters of three formats, converted to .usdz, at rest and with one motion. */
export async function usdCharacters(): Promise<string> {
  const motion = await openFile(asset(MOTION));
  const rows = [motionRow(motion)];
  for (const [row, [path, about]] of CHARACTERS.entries()) rows.push(await characterRow(path, about, motion, row + 1));
  const titles = ['at rest', ...TIMES.map((time) => `${time.toFixed(2)} s`)];
  const heads = titles.map((title, column) => {
    return text(transformIn(0, column, 0).x, 42, 11, QUIET, title, ' text-anchor="middle"');
  });
  const [width, height] = [LABELS + CELL.width * titles.length, TOP + CELL.height * rows.length];
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const paper = `<rect width="${width}" height="${height}" fill="#ffffff"/>`;
  const title = text(16, 24, 15, INK, 'One motion on characters converted to .usdz');
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${FONT}">\n${[paper, title, ...heads, ...rows.flat()].join('\n')}\n</svg>\n`;
}
