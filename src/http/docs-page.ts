import type { OpenApi, Operation } from './openapi.ts';

/** Text made safe inside HTML. */
const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A readable page of the OpenAPI document: no script, so it works everywhere and under the strictest policy. */
export function toDocsPage(api: OpenApi): string {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))];
  const sections = tags.map((tag) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(tag));
    return `<section><h2>${escapeHtml(tag)}</h2>${own.map(toArticle).join('')}</section>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Swath API</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<header>
<h1>Swath API <small>${escapeHtml(api.info.version)}</small></h1>
<p>${escapeHtml(api.info.description)} Send your key as <code>?api_key=…</code> or in the header <code>x-api-key</code>.
Errors are <code>{"status": false, "error", "code", "request_id"}</code>.
Machine-readable: <a href="/openapi.json">openapi.json</a>. <a href="/">Back to the map</a>.</p>
</header>
<main>${sections.join('')}</main>
</body>
</html>
`;
}

function toArticle({
  path,
  method,
  operation,
}: {
  path: string;
  method: string;
  operation: Operation;
}): string {
  const lock = operation.security?.length ? '' : '<span class="open">no key needed</span>';
  const body = operation.requestBody?.content['application/json'];
  return `<article>
<h3><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path)}</code> ${lock}</h3>
<p>${escapeHtml(toSentence(operation.summary))} ${escapeHtml(operation.description ?? '')}</p>
${toParameterTable(operation)}
${body === undefined ? '' : `<h4>Body</h4><pre>${escapeHtml(JSON.stringify(body.example ?? body.schema, null, 2))}</pre>`}
<h4>Answers</h4><ul>${Object.entries(operation.responses)
    .map(
      ([status, answer]) =>
        `<li><strong>${escapeHtml(status)}</strong> ${escapeHtml(answer.description)}</li>`,
    )
    .join('')}</ul>
</article>`;
}

const toSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

function toParameterTable({ parameters }: Operation): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required, description, example }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}${required ? ', required' : ''}</td><td>${escapeHtml(description)}${
        example === undefined ? '' : ` <em>e.g. ${escapeHtml(example)}</em>`
      }</td></tr>`,
  );
  return `<table><thead><tr><th>Parameter</th><th>In</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

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
`;
