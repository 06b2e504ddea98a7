export const PAGE_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#dfe3e8, #343a43); --soft: light-dark(#5b6470, #9aa4b2); --back: light-dark(#ffffff, #16191d);
  --text: light-dark(#1b1f24, #e6e9ee); --result: light-dark(#1c63c4, #6aa7f0); --motion: light-dark(#9aa1ab, #6d7682); --bad: light-dark(#c2270a, #ff8a70); --warn: light-dark(#8a5a00, #e0b060); --good: light-dark(#16703a, #7fd19a); }
* { box-sizing: border-box; }
html, html > * { margin: 0; background: var(--back); color: var(--text); font: 14px/1.45 system-ui, sans-serif; }
header { position: sticky; top: 0; z-index: 1; background: var(--back); border-bottom: 1px solid var(--line); padding: 12px 20px; }
h1 { margin: 0; font-size: 20px; }
header p { margin: 2px 0 10px; color: var(--soft); }
form { display: flex; flex-wrap: wrap; gap: 14px; align-items: center; }
input[type=search] { flex: 1 1 260px; max-width: 420px; }
input, select { font: inherit; padding: 4px 8px; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: 6px; }
output { color: var(--soft); }
main { padding: 0 20px 60px; } .scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: 6px 8px; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; vertical-align: middle; font-variant-numeric: tabular-nums; }
th { font-weight: 600; white-space: normal; min-width: 64px; } th button { all: unset; cursor: pointer; } th button:focus-visible { outline: 2px solid var(--result); }
th[aria-sort] button { color: var(--result); }
th.text, td:first-child, td.reasons { text-align: left; }
td:first-child { min-width: 170px; max-width: 260px; white-space: normal; overflow-wrap: anywhere; }
td:first-child small, td:first-child a { display: block; color: var(--soft); } td:first-child strong { display: block; }
td.reasons { white-space: normal; min-width: 280px; font-size: 12.5px; overflow-wrap: anywhere; }
td.over { color: var(--bad); font-weight: 600; }
.error { color: var(--bad); } .warning { color: var(--warn); } td ul { margin: 0; padding: 0; list-style: none; } td li { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; margin-bottom: 4px; } td li:hover { -webkit-line-clamp: none; }
svg { display: block; } svg path { fill: none; stroke-width: 2.2; stroke-linecap: round; stroke-linejoin: round; }
svg .motion { stroke: var(--motion); } svg .result { stroke: var(--result); } svg line { stroke: var(--line); }
#more { color: var(--soft); }
td.good { color: var(--good); } td.look { color: var(--warn); font-weight: 600; } td.wrong { color: var(--bad); font-weight: 600; }
td select { display: block; max-width: 240px; margin-bottom: 4px; }
@media (max-width: 760px) { header { position: static; } main, header { padding-left: 12px; padding-right: 12px; } thead { display: none; }
  table, tbody, tr, td { display: block; } tr { border-bottom: 2px solid var(--line); padding: 10px 0; } td { border: 0; padding: 2px 0; text-align: left; white-space: normal; }
  td:first-child, td.reasons { max-width: none; min-width: 0; } td[data-title]::before { content: attr(data-title) ': '; color: var(--soft); font-weight: 400; } td:empty { display: none; } svg { max-width: 100%; height: auto; } }
@media print { header { position: static; } form { display: none; } }
`;
