"""The style sheet of the page: light and dark, large type, narrow screens, print."""

STYLE = """\
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1a1a1a; --soft: #f3f4f6; --line: #b6bac2; --link: #0b57d0;
  --good: #12652b; --bad: #a81111; --fast: #0b57d0; --slow: #8a4b00;
  --mark: #fff3d6; --grid: #8a8f98;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14161a; --ink: #ececec; --soft: #22262d; --line: #565c66; --link: #9cc2ff;
    --good: #7fd99a; --bad: #ff9a94; --fast: #9cc2ff; --slow: #ffc37a;
    --mark: #3a3120; --grid: #7d848f;
  }
}
* { box-sizing: border-box; }
html { font-size: clamp(1rem, 0.85rem + 0.6vw, 1.5rem); }
body {
  margin: 0 auto; padding: 1rem; max-width: 72rem; background: var(--paper); color: var(--ink);
  font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif; line-height: 1.5;
  overflow-wrap: break-word;
}
h1 { font-size: 1.6rem; line-height: 1.2; }
h2 {
  font-size: 1.3rem; line-height: 1.25; border-bottom: 2px solid var(--line);
  margin-top: 2.5rem;
}
.slug { font-size: 0.8rem; font-weight: normal; font-family: ui-monospace, monospace; }
a { color: var(--link); }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--paper); padding: 0.25rem 0.5rem; }
nav ul, .legend {
  list-style: none; padding: 0; display: flex;
  flex-wrap: wrap; gap: 0.25rem 1.25rem;
}
.question {
  background: var(--mark); border-left: 0.35rem solid var(--slow);
  padding: 0.6rem 0.8rem;
}
.formula { padding-left: 1.5rem; }
code, pre, td, th { font-variant-numeric: tabular-nums; }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 0.95em; }
pre { overflow-x: auto; background: var(--soft); padding: 0.5rem; }
.scroll { position: relative; overflow-x: auto; margin: 1rem 0; max-width: 100%; }
.scroll:focus-visible { outline: 3px solid var(--link); }
table { border-collapse: collapse; }
caption {
  text-align: left; padding-bottom: 0.4rem; font-weight: 600; min-width: min(26rem, 85vw);
}
th, td {
  border: 1px solid var(--line); padding: 0.25rem 0.6rem; text-align: left;
  vertical-align: top;
}
thead th, thead td, tbody th { background: var(--soft); }
.right { text-align: right; }
td.right { white-space: nowrap; }
.checks td:nth-child(2) { min-width: 14rem; }
.good { color: var(--good); font-weight: 600; }
.bad { color: var(--bad); font-weight: 700; text-decoration: underline; }
.cue { white-space: nowrap; font-family: ui-monospace, "DejaVu Sans Mono", monospace; }
.fast { color: var(--fast); } .slow { color: var(--slow); } .equal { font-weight: 700; }
.unseen {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap;
}
figure { margin: 0; } figure svg { min-width: 33rem; height: auto; display: block; }
figcaption { padding-bottom: 0.4rem; font-weight: 600; position: sticky; left: 0; }
footer { border-top: 2px solid var(--line); margin-top: 2rem; }
@media (max-width: 40rem) {
  table { font-size: 0.9rem; } th, td { padding: 0.2rem 0.4rem; }
}
@page { margin: 12mm; }
@media print {
  :root {
    --paper: #ffffff; --ink: #000000; --soft: #f0f0f0; --line: #666666; --link: #000000;
    --good: #000000; --bad: #000000; --fast: #000000; --slow: #000000; --mark: #ffffff;
  }
  html { font-size: 9.5pt; line-height: 1.35; }
  h2 { margin: 0.9rem 0 0.3rem; } p { margin: 0.3rem 0; }
  body { max-width: none; padding: 0; }
  nav, .skip { display: none; }
  section { break-inside: auto; } h2, caption, thead { break-after: avoid; }
  tr, figure { break-inside: avoid; }
  .scroll { overflow: visible; margin: 0.4rem 0; }
  figure svg { min-width: 0; max-width: 32rem !important; }
  table { font-size: 8.5pt; } caption { min-width: 22rem; }
  th, td { padding: 0.15rem 0.4rem; } .checks td:nth-child(2) { min-width: 0; }
  pre { white-space: pre-wrap; overflow: visible; }
}
"""
