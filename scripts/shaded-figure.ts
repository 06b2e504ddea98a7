/** Renders meshes as a few flat shades, traced from a small rendering to outlines that fit into an SVG. */

/** Triangles on the screen, with depth and light. */
export interface ScreenTriangles {
  /** x (right), y (down) and depth (greater is nearer) of every corner, 9 numbers per triangle. */
  readonly corners: Float64Array;
  /** Light of each triangle, 0 to 1. */
  readonly light: Float64Array;
}

/** A shade: the color of all pixels at least as light as `least`. */
export interface Shade {
  readonly least: number;
  readonly color: string;
}

/** Supersampling: pixels of the rendering per pixel of the picture. */
const FINE = 3;
/** Blur radius of the light, in pixels of the rendering; flat triangles give too many edges. */
const SOFT = 2;
/** Greatest deviation of an outline, and area of the smallest spot that is kept, in pixels of the rendering. */
const STRAY = 0.95;
const LEAST_SPOT = 18;

interface Raster {
  readonly width: number;
  readonly height: number;
  /** Light per pixel; −1 where the picture is empty. */
  readonly light: Float64Array;
}

function render({ corners, light }: ScreenTriangles, width: number, height: number): Raster {
  const out = new Float64Array(width * height).fill(-1);
  const near = new Float64Array(width * height).fill(Number.NEGATIVE_INFINITY);
  for (let t = 0; t < light.length; t++) {
    const [ax, ay, az, bx, by, bz, cx, cy, cz] = corners.subarray(9 * t, 9 * t + 9);
    const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
    if (area === 0) continue;
    const bottom = Math.min(height - 1, Math.ceil(Math.max(ay, by, cy)));
    const right = Math.min(width - 1, Math.ceil(Math.max(ax, bx, cx)));
    for (let y = Math.max(0, Math.floor(Math.min(ay, by, cy))); y <= bottom; y++) {
      for (let x = Math.max(0, Math.floor(Math.min(ax, bx, cx))); x <= right; x++) {
        const b = ((x + 0.5 - ax) * (cy - ay) - (cx - ax) * (y + 0.5 - ay)) / area;
        const c = ((bx - ax) * (y + 0.5 - ay) - (x + 0.5 - ax) * (by - ay)) / area;
        if (b < 0 || c < 0 || b + c > 1) continue;
        const depth = az + b * (bz - az) + c * (cz - az);
        const pixel = y * width + x;
        if (depth <= near[pixel]) continue;
        near[pixel] = depth;
        out[pixel] = light[t];
      }
    }
  }
  return { width, height, light: out };
}

/** Blurs the light over the neighboring pixels. */
function soften({ width, height, light }: Raster): Raster {
  const out = light.map((own, pixel) => {
    if (own < 0) return own;
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    let sum = 0;
    let count = 0;
    for (let v = Math.max(0, y - SOFT); v <= Math.min(height - 1, y + SOFT); v++) {
      for (let u = Math.max(0, x - SOFT); u <= Math.min(width - 1, x + SOFT); u++) {
        const value = light[v * width + u];
        if (value < 0) continue;
        sum += value;
        count++;
      }
    }
    return sum / count;
  });
  return { width, height, light: out };
}

type Loop = [x: number, y: number][];

/** Traces the borders of all pixels at least as light as `least`, along pixel edges, with the region on the right. */
function borders({ width, height, light }: Raster, least: number): Loop[] {
  const isIn = (x: number, y: number): boolean =>
    x >= 0 && y >= 0 && x < width && y < height && light[y * width + x] >= least;
  const next = new Map<number, number[]>();
  const step = (x: number, y: number, u: number, v: number): void => {
    const from = y * (width + 1) + x;
    next.set(from, [...(next.get(from) ?? []), v * (width + 1) + u]);
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!isIn(x, y)) continue;
      if (!isIn(x, y - 1)) step(x, y, x + 1, y);
      if (!isIn(x + 1, y)) step(x + 1, y, x + 1, y + 1);
      if (!isIn(x, y + 1)) step(x + 1, y + 1, x, y + 1);
      if (!isIn(x - 1, y)) step(x, y + 1, x, y);
    }
  }
  const loops: Loop[] = [];
  for (const start of next.keys()) {
    while ((next.get(start)?.length ?? 0) > 0) {
      const loop: Loop = [];
      for (let at = start, to = next.get(at)?.pop(); to !== undefined; to = next.get(at)?.pop()) {
        loop.push([at % (width + 1), Math.floor(at / (width + 1))]);
        at = to;
      }
      loops.push(loop);
    }
  }
  return loops;
}

function areaOf(loop: Loop): number {
  return loop.reduce((sum, [x, y], i) => {
    const [u, v] = loop[(i + 1) % loop.length];
    return sum + (x * v - u * y) / 2;
  }, 0);
}

/** Simplifies a line (Douglas and Peucker). */
function simplify(line: Loop): Loop {
  const [[ax, ay], [bx, by]] = [line[0], line[line.length - 1]];
  const length = Math.hypot(bx - ax, by - ay);
  let farthest = 0;
  let stray = STRAY;
  for (const [i, [x, y]] of line.entries()) {
    const off =
      length === 0 ? Math.hypot(x - ax, y - ay) : Math.abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length;
    if (off > stray) [farthest, stray] = [i, off];
  }
  if (farthest === 0) return [line[0], line[line.length - 1]];
  return [...simplify(line.slice(0, farthest + 1)).slice(0, -1), ...simplify(line.slice(farthest))];
}

/** Writes a closed path in whole pixels of the rendering. */
function pathOf(loop: Loop): string {
  const points = simplify([...loop, loop[0]]).slice(0, -1);
  if (points.length < 3) return '';
  const steps = points.slice(1).map(([x, y], i) => `${x - points[i][0]} ${y - points[i][1]}`);
  return `M${points[0].join(' ')}l${steps.join(' ').replaceAll(' -', '-')}z`;
}

/** Draws triangles as an SVG group of `width` × `height` at (x, y): one path per shade, darkest first. */
export function shadedFigure(
  triangles: ScreenTriangles,
  box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  shades: readonly Shade[],
): string {
  const corners = triangles.corners.map((value, c) => (c % 3 === 2 ? value : value * FINE));
  const raster = soften(render({ ...triangles, corners }, Math.ceil(box.width * FINE), Math.ceil(box.height * FINE)));
  const paths = shades.map(({ least, color }) => {
    const loops = borders(raster, least).filter((loop) => Math.abs(areaOf(loop)) >= LEAST_SPOT);
    return `<path fill="${color}" d="${loops.map(pathOf).join('')}"/>`;
  });
  const transform = `translate(${Math.round(box.x)} ${Math.round(box.y)}) scale(${(1 / FINE).toFixed(4)})`;
  return `<g transform="${transform}" fill-rule="evenodd">${paths.join('')}</g>`;
}
