/** Script of the report page: filters, sorting, and contact sheets that are drawn when their row is shown. */
export const PAGE_SCRIPT = `
const { rows, strip, thresholds } = JSON.parse(document.getElementById('data').textContent);
const PAGE = 100;
const at = (id) => document.getElementById(id);
const fixed = (value, digits) => (value === undefined || value === null ? '\\u2013' : value.toFixed(digits));
const words = { good: 'good', look: 'look at it', wrong: 'wrong' };
const levelOf = (value, { look, wrong }) => (value < look ? '' : value < wrong ? 'look' : 'wrong');
const columns = [
  ['task', (row) => row.id],
  ['contact sheet', null],
  ['verdict', (row) => row.w, (row) => (row.e === null ? (words[row.g?.level] ?? '\\u2013') : 'failed'), (row) => (row.e === null ? row.g?.level : 'wrong')],
  ['what was found', (row) => row.r + (row.e === null ? 0 : 3)],
  ['score', (row) => row.w, (row) => (row.e === null ? fixed(row.w, 2) : fixed())],
  ['error, mean \\u00b0', (row) => row.g?.errorMean, (row) => fixed(row.g?.errorMean, 2)],
  ['error, largest \\u00b0', (row) => row.g?.errorMax, (row) => fixed(row.g?.errorMax, 1)],
  ['changed on purpose, mean \\u00b0', (row) => row.g?.changedMean, (row) => fixed(row.g?.changedMean, 1)],
  ['moved on purpose, most %', (row) => row.g?.movedMost, (row) => fixed(row.g?.movedMost, 1)],
  ['slide %/s (motion)', (row) => row.g && row.g.slide - row.g.slideOfSource, (row) => (row.g ? fixed(row.g.slide, 2) + ' (' + fixed(row.g.slideOfSource, 2) + ')' : fixed()), (row) => row.g && levelOf(row.g.slide - row.g.slideOfSource, thresholds.slide)],
  ['below ground %', (row) => row.g?.below, (row) => fixed(row.g?.below, 2), (row) => row.g && levelOf(row.g.below, thresholds.below)],
  ['above ground %', (row) => row.g?.above, (row) => fixed(row.g?.above, 2), (row) => row.g && levelOf(row.g.above, thresholds.above)],
  ['seconds', (row) => row.d, (row) => row.n === 0 ? fixed() : fixed(row.d, 2)],
];
let order = { column: 2, down: true };
let shown = [];
let drawn = 0;

function element(name, text, className) {
  const node = document.createElement(name);
  if (text !== undefined) node.textContent = text;
  if (className) node.className = className;
  return node;
}

function decode(text) {
  const bytes = Int8Array.from(atob(text), (c) => c.charCodeAt(0) << 24 >> 24);
  const count = strip.parents.length;
  const head = Math.ceil(count / 8);
  const has = strip.parents.map((_, k) => (bytes[k >> 3] >> (k & 7)) & 1);
  const parents = strip.parents.map((parent) => {
    while (parent > 0 && !has[parent]) parent = strip.parents[parent];
    return parent;
  });
  return { bytes: bytes.subarray(head), has, parents, count };
}

function pathOf({ bytes, has, parents, count }, frame, width, height) {
  const point = (k) => {
    const o = 2 * (frame * count + k);
    const x = ((frame % strip.frames) + 0.5) * width + bytes[o];
    return x + ' ' + (height * (Math.floor(frame / strip.frames) + 1) - (bytes[o + 1] + strip.offset) - 6);
  };
  return parents.map((parent, k) => (parent >= 0 && has[k] && has[parent] ? 'M' + point(parent) + 'L' + point(k) : '')).join('');
}

function sheet(source, target) {
  const width = strip.scale;
  const line = strip.scale * 1.55;
  const height = line * strip.views;
  const svgName = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(svgName, 'svg');
  const all = width * strip.frames;
  svg.setAttribute('viewBox', '0 0 ' + all + ' ' + height);
  svg.setAttribute('width', String(0.85 * all));
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', 'Figures of the motion and the result from start to end');
  for (let view = 0; view < strip.views; view++) {
    const ground = document.createElementNS(svgName, 'line');
    const y = line * (view + 1) - 6;
    for (const [name, value] of [['x1', 0], ['x2', all], ['y1', y], ['y2', y]]) ground.setAttribute(name, String(value));
    svg.append(ground);
  }
  for (const [text, className] of [[source, 'motion'], [target, 'result']]) {
    const figures = decode(text);
    const path = document.createElementNS(svgName, 'path');
    path.setAttribute('class', className);
    path.setAttribute('d', Array.from({ length: strip.frames * strip.views }, (_, k) => pathOf(figures, k, width, line)).join(''));
    svg.append(path);
  }
  return svg;
}

function firstCell(row) {
  const cell = element('td');
  cell.append(element('strong', row.m), element('small', (row.c === '' ? '' : 'on ' + row.c) + (row.n > 1 ? ', ' + row.n + ' clips' : '')));
  for (const file of row.f) {
    const link = element('a', file);
    link.href = file.split('/').map(encodeURIComponent).join('/');
    cell.append(link);
  }
  return cell;
}

/** Beside the verdict: the figures may be outside of a narrow window, the reasons may not. */
function reasonsCell(row) {
  const cell = element('td', undefined, 'reasons');
  const list = element('ul');
  if (row.e !== null) list.append(element('li', row.e, 'error'));
  for (const text of row.g?.findings ?? []) list.append(element('li', text));
  for (const text of row.i) list.append(element('li', text, text.startsWith('error') ? 'error' : 'warning'));
  if (list.childElementCount > 0) cell.append(list);
  return cell;
}

function picturesCell(row) {
  const cell = element('td');
  if (row.s.length === 0) return cell;
  const show = (k) => {
    cell.querySelector('svg')?.remove();
    cell.append(sheet(row.s[k][1], row.s[k][2]));
  };
  if (row.s.length > 1) {
    const select = element('select');
    select.setAttribute('aria-label', 'Clip');
    row.s.forEach(([clip], k) => {
      const option = element('option', clip);
      option.value = String(k);
      select.append(option);
    });
    select.addEventListener('change', () => show(Number(select.value)));
    cell.append(select);
  }
  show(0);
  return cell;
}

function rowElement(row) {
  const tr = element('tr');
  tr.append(firstCell(row));
  tr.append(picturesCell(row));
  for (const [title, , text, level] of columns.slice(2)) {
    if (text === undefined) {
      tr.append(reasonsCell(row));
      continue;
    }
    const cell = element('td', text(row), level?.(row) || '');
    cell.dataset.title = title;
    tr.append(cell);
  }
  return tr;
}

function drawMore() {
  for (const row of shown.slice(drawn, drawn + PAGE)) at('rows').append(rowElement(row));
  drawn = Math.min(shown.length, drawn + PAGE);
  at('more').textContent = drawn < shown.length ? (shown.length - drawn) + ' more below' : '';
}

const states = {
  failed: (row) => row.e !== null,
  errors: (row) => row.e !== null || row.r === 2,
  issues: (row) => row.e !== null || row.r > 0,
  look: (row) => row.e !== null || (row.g && row.g.level !== 'good'),
  wrong: (row) => row.e !== null || row.g?.level === 'wrong',
};

function update() {
  const words = at('search').value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
  const character = at('character').value;
  const isWanted = states[at('state').value] ?? (() => true);
  const textOf = (row) => [row.id, row.m, row.c, row.e ?? '', ...row.i].join(' ').toLowerCase();
  shown = rows.filter((row) => isWanted(row) && (character === '' || row.c === character) && words.every((word) => textOf(row).includes(word)));
  const value = columns[order.column][1];
  const sign = order.down ? -1 : 1;
  shown.sort((a, b) => {
    const [x, y] = [value(a) ?? -1, value(b) ?? -1];
    return x === y ? 0 : x < y ? -sign : sign;
  });
  at('rows').replaceChildren();
  drawn = 0;
  at('count').textContent = shown.length + ' of ' + rows.length;
  drawHead();
  drawMore();
}

function drawHead() {
  at('head').replaceChildren(...columns.map(([title, value], k) => {
    const th = element('th');
    if (k < 2 || title === 'what was found') th.className = 'text';
    if (value === null) { th.textContent = title; return th; }
    const button = element('button', title);
    button.type = 'button';
    button.addEventListener('click', () => {
      order = { column: k, down: order.column === k ? !order.down : k !== 0 };
      update();
    });
    if (order.column === k) th.setAttribute('aria-sort', order.down ? 'descending' : 'ascending');
    th.append(button);
    return th;
  }));
}

for (const name of [...new Set(rows.map((row) => row.c))].sort()) if (name !== '') at('character').append(element('option', name));
at('filters').addEventListener('input', update);
at('filters').addEventListener('submit', (event) => event.preventDefault());
new IntersectionObserver((all) => { if (all.some((one) => one.isIntersecting) && drawn < shown.length) drawMore(); }, { rootMargin: '600px' }).observe(at('more'));
update();
`;
