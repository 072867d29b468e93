import { escapeHtml } from './escape-html.ts';
import type { OpenApi, Operation } from './openapi.ts';
import { toSensorTables } from './sensor-table.ts';
import { toTryForm } from './try-form.ts';

/** What the page needs in addition to the document. */
interface PageOptions {
  /** The way from the page to the root: a proxy may serve us under a path that we do not know of. */
  readonly home: './' | '../';
  /** The script that sends requests, from the root on; null for a page that is only read. */
  readonly script: string | null;
}

/**
 * A page of the OpenAPI document that can be read without its script, under the strictest policy; the script adds forms
 * that send requests.
 */
export function toDocsPage(api: OpenApi, { home, script }: PageOptions): string {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))];
  const sections = tags.map((tag) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(tag));
    return `<section><h2 id="${escapeHtml(tag)}">${escapeHtml(tag)}</h2>${own.map(toArticle).join('')}</section>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Swath API</title>
<link rel="stylesheet" href="${home}docs/style.css">
${script === null ? '' : `<script type="module" src="${home}${escapeHtml(script)}"></script>`}
</head>
<body>
<header>
<h1>Swath API <small>${escapeHtml(api.info.version)}</small></h1>
<p>${escapeHtml(api.info.description)} Send your key as <code>?api_key=…</code> or in the header <code>x-api-key</code>.
Errors are <code>{"status": false, "error", "code", "request_id"}</code>.
All of it in words: <a href="${home}docs/interface">the interface</a>.
Machine-readable: <a href="${home}openapi.json">openapi.json</a>. <a href="${home}">Back to the map</a>.</p>
<form id="key-form" hidden><label><span>Your key</span><input id="key" type="password" autocomplete="off" placeholder="stored in this tab only"></label><p id="catalog" role="status"></p></form>
<nav>${tags.map((tag) => `<a href="#${escapeHtml(tag)}">${escapeHtml(tag)}</a>`).join(' ')} <a href="#Sensors">Sensors</a> <a href="#Fields">Fields</a></nav>
</header>
<main>${sections.join('')}${toSensorTables()}</main>
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
  return `<details class="operation" id="${operation.operationId}">
<summary><h3><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path)}</code> <small>${escapeHtml(operation.summary)}</small> ${lock}</h3></summary>
<p>${escapeHtml(toSentence(operation.summary))} ${escapeHtml(operation.description ?? '')}</p>
${toTryForm(path, method, operation)}
${toParameterTable(operation)}
${body === undefined ? '' : `<h4>Body</h4><pre>${escapeHtml(JSON.stringify(body.example ?? body.schema, null, 2))}</pre>`}
<h4>Answers</h4><ul>${Object.entries(operation.responses)
    .map(
      ([status, answer]) =>
        `<li><strong>${escapeHtml(status)}</strong> ${escapeHtml(answer.description)}</li>`,
    )
    .join('')}</ul>
</details>`;
}

const toSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

function toParameterTable({ parameters }: Operation): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: location, required, description, example }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${location}${required ? ', required' : ''}</td><td>${escapeHtml(description)}${
        example === undefined ? '' : ` <em>e.g. ${escapeHtml(String(example))}</em>`
      }</td></tr>`,
  );
  return `<table><thead><tr><th>Parameter</th><th>In</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}
