import type { JsonSchema } from '../kit/json-schema.ts';
import { escapeHtml } from './escape-html.ts';
import type { Operation } from './openapi.ts';

type Parameter = Operation['parameters'][number];

/** The form that sends an operation; without its script it does nothing, and the page hides it. */
export function toTryForm(path: string, method: string, operation: Operation): string {
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
