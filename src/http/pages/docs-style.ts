/** The page's style; a file of its own, because the page's policy allows no inline style. */
export const docsStyle = `
:root { color-scheme: light dark; --ink: #1b2a33; --soft: #5b6b75; --line: #d9e0e4; --paper: #fbfcfc; --accent: #0b6e6e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4eaed; --soft: #9fb0b9; --line: #2c3a42; --paper: #11191e; --accent: #4fc1b8; } }
body { margin: 0 auto; max-width: 54rem; padding: 2rem 1.25rem 5rem; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
h1 small { font-weight: 400; color: var(--soft); font-size: .5em; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem; }
h3 { font-size: 1rem; margin: 2rem 0 .2rem; overflow-wrap: anywhere; }
h4 { margin: 1rem 0 .2rem; color: var(--soft); font-size: .85rem; text-transform: uppercase; letter-spacing: .04em; }
a { color: var(--accent); }
code, pre { font: .9em ui-monospace, monospace; }
pre { border: 1px solid var(--line); border-radius: 6px; padding: .8rem; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
.method { display: inline-block; min-width: 3.2rem; font-weight: 700; color: var(--accent); }
.open { font-weight: 400; font-size: .8rem; color: var(--soft); }
.operation { border-bottom: 1px solid var(--line); }
.operation > summary { cursor: pointer; padding: .5rem 0; }
.operation > summary h3 { display: inline; }
.operation > summary small { font-weight: 400; color: var(--soft); margin-left: .4rem; }
.operation[open] { padding-bottom: 1.2rem; }
nav { display: flex; flex-wrap: wrap; gap: .4rem 1rem; }
form { margin: 1rem 0; }
form.try, #key-form { border: 1px solid var(--line); border-radius: 8px; padding: .9rem; }
.fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .6rem; margin: .4rem 0; }
label span { display: block; font-size: .8rem; color: var(--soft); }
input, select, textarea { width: 100%; box-sizing: border-box; padding: .45rem .5rem; font: .9rem ui-monospace, monospace; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 6px; }
select { background: var(--paper); }
input:focus-visible, select:focus-visible, textarea:focus-visible, button:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.more > summary { cursor: pointer; color: var(--accent); font-size: .9rem; }
button { padding: .55rem 1.4rem; font: inherit; font-weight: 600; color: var(--paper); background: var(--accent); border: 0; border-radius: 6px; cursor: pointer; }
button:disabled { opacity: .5; cursor: default; }
.answer img { display: block; max-width: 100%; margin-top: .5rem; border: 1px solid var(--line); border-radius: 6px; }
.answer pre { max-height: 24rem; overflow: auto; }
.curl { white-space: pre-wrap; overflow-wrap: anywhere; }
.status { font-weight: 600; margin: .6rem 0 .2rem; }
#catalog { margin: .4rem 0 0; font-size: .85rem; color: var(--soft); }
[hidden] { display: none; }
table { display: block; overflow-x: auto; }
`;
