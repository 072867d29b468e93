/** The pages of `/docs`: the interface as a page with forms, as text and as an OpenAPI document. */

import { readFileSync } from 'node:fs';
import type { HitField, Sensor } from '../../sensors/index.ts';
import { sensors } from '../../sensors/index.ts';
import { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import type { OpenApi, Operation } from './openapi.ts';
import type { ViewerFiles } from './viewer.ts';

/** Bodies cached for each document: one for every address that users reach us at, which clients choose by their Host. */
const MAX_CACHED = 8;

/** What Swath promises to clients, in words. */
const INTERFACE_TEXT = new URL('../../../docs/use/interface.md', import.meta.url);

/** The ways to read about the interface. */
interface ApiDocs {
  readonly json: Endpoint;
  readonly page: Endpoint;
  readonly style: Endpoint;
  readonly text: Endpoint;
}

/** Builds the documents of the interface, each on first use, when the route table is complete. */
export function apiDocs(build: () => OpenApi, viewer: ViewerFiles): ApiDocs {
  const script = [...viewer.keys()].find((name) => /^assets\/docs-\w+\.js$/.test(name)) ?? null;
  let built: OpenApi | undefined;
  const document = (): OpenApi => {
    built ??= build();
    return built;
  };
  return {
    json: toEndpoint('This interface as OpenAPI 3.1', 'application/json', {
      variantOf: ({ publicUrl }) => publicUrl,
      write: (publicUrl) => JSON.stringify({ ...document(), servers: [{ url: publicUrl }] }, null, 1),
    }),
    page: toEndpoint('This interface as a page', 'text/html', {
      variantOf: ({ rawPath }) => (rawPath.endsWith('/') ? '../' : './'),
      write: (home) => toDocsPage(document(), { home, script }),
    }),
    style: toEndpoint('Style of the page', 'text/css', {
      variantOf: () => 'only',
      write: () => docsStyle,
    }),
    text: toEndpoint('This interface in words', 'text/plain', {
      variantOf: () => 'only',
      write: () => readFileSync(INTERFACE_TEXT, 'utf8'),
    }),
  };
}

/** A document of which there are a few variants. */
interface Document<Variant extends string> {
  readonly variantOf: (request: ApiRequest) => Variant;
  readonly write: (variant: Variant) => string;
}

/** All answers of a variant are the same bytes in memory, however many clients are slow to read them. */
function toEndpoint<Variant extends string>(
  summary: string,
  type: string,
  { variantOf, write }: Document<Variant>,
): Endpoint {
  const cached = new Map<Variant, Uint8Array<ArrayBuffer>>();
  const read = (variant: Variant): Uint8Array<ArrayBuffer> => {
    const known = cached.get(variant);
    if (known !== undefined) return known;
    const bytes = new TextEncoder().encode(write(variant));
    if (cached.size >= MAX_CACHED) cached.clear();
    cached.set(variant, bytes);
    return bytes;
  };
  return {
    summary,
    tag: 'Service',
    answers: { 200: { description: 'The document.', content: { [type]: null } } },
    handle: async (request) =>
      new Answer(read(variantOf(request)), { headers: { 'content-type': `${type}; charset=utf-8` } }),
  };
}

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
function toDocsPage(api: OpenApi, { home, script }: PageOptions): string {
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

type Parameter = Operation['parameters'][number];

/** The form that sends an operation; without its script it does nothing, and the page hides it. */
function toTryForm(path: string, method: string, operation: Operation): string {
  const required = operation.parameters.filter((parameter) => parameter.required);
  const optional = operation.parameters.filter((parameter) => !parameter.required);
  const more =
    optional.length === 0
      ? ''
      : `<details class="more"><summary>${optional.length} optional parameters</summary><div class="fields">${optional.map(toField).join('')}</div></details>`;
  return `<form class="try" data-path="${escapeHtml(path)}" data-method="${method}" hidden>
${required.length === 0 ? '' : `<div class="fields">${required.map(toField).join('')}</div>`}${more}${toBodyField(operation)}
<p><button type="submit">Send</button></p>
<pre class="curl" aria-label="The request as a curl line" hidden></pre><div class="answer" aria-live="polite"></div>
</form>`;
}

/** Path and required parameters are filled in with their example; others show it. */
function toField({ name, in: location, required, example, schema }: Parameter): string {
  const value = example === undefined ? '' : String(example);
  const shared = `name="${escapeHtml(name)}" data-in="${location}"`;
  const choices = choicesOf(schema);
  const control =
    choices === null
      ? `<input ${shared} ${required ? `value="${escapeHtml(value)}" required` : `placeholder="${escapeHtml(value)}"`} autocomplete="off" spellcheck="false">`
      : `<select ${shared}>${required ? '' : '<option value=""></option>'}${choices
          .map(
            (choice) =>
              `<option${required && choice === value ? ' selected' : ''}>${escapeHtml(choice)}</option>`,
          )
          .join('')}</select>`;
  return `<label><span>${escapeHtml(name)}</span>${control}</label>`;
}

const choicesOf = ({ enum: choices }: JsonSchema): readonly string[] | null =>
  Array.isArray(choices) ? choices.map(String) : null;

function toBodyField({ requestBody }: Operation): string {
  const body = requestBody?.content['application/json'];
  if (body === undefined) return '';
  const text = JSON.stringify(body.example ?? {}, null, 2);
  return `<label class="body"><span>Body</span><textarea name="body" rows="${Math.min(18, text.split('\n').length)}" spellcheck="false">${escapeHtml(text)}</textarea></label>`;
}

/** The sections of the page that list all sensors: how scenes of each are named, drawn and searched. */
const toSensorTables = (): string =>
  toSection('Sensors', '', ['Sensor', 'Dataset', 'View id, for example', 'Bands'], sensors.map(toSensorRow)) +
  toSection(
    'Fields',
    'Fields of search hits, with their types; a field without a type is a string. Search filters and sorts by all of them except view_id, tms and geometries.',
    ['Dataset', 'Fields'],
    sensors.map(toFieldRow),
  );

const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;

function toSection(
  title: string,
  text: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const toRow = (tag: 'th' | 'td', cells: readonly string[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<section><h2 id="${title}">${title}</h2>${text === '' ? '' : `<p>${escapeHtml(text)}</p>`}<table><thead>${toRow('th', head)}</thead><tbody>${rows.map((cells) => toRow('td', cells)).join('')}</tbody></table></section>`;
}

const toDatasets = ({ dataset, datasetGroups }: Sensor): string =>
  [dataset, ...datasetGroups].map(code).join(', ');

const toSensorRow = (sensor: Sensor): readonly string[] => [
  escapeHtml(sensor.title),
  toDatasets(sensor),
  code(`${sensor.abbreviation}/${sensor.sceneName.example}`),
  code(sensor.bands.map(({ name }) => name).join(' ')),
];

const toFieldRow = (sensor: Sensor): readonly string[] => [
  toDatasets(sensor),
  sensor.hit.map(toHitField).join(', '),
];

const toHitField = ({ name, type }: HitField): string =>
  type === 'string' ? code(name) : `${code(name)} ${type}`;

/** Text made safe inside HTML. */
const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The page's style; a file of its own, because the page's policy allows no inline style. */
const docsStyle = `
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
