import type { HitField, Sensor } from '../../sensors/index.ts';
import { sensors } from '../../sensors/index.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import type { OpenApi, Operation } from './openapi.ts';

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
