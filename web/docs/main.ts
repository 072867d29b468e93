/** Makes the forms of /docs work: fills in examples of this catalog, sends requests, shows what came back. */
import type { ViewerSensor } from '../scenes/sensor.ts';
import { parseSensors } from '../scenes/sensor.ts';
import { makeKeyStore } from '../state/key-store.ts';
import { toExamples } from './catalog-examples.ts';
import { toCurl, toFormRequest } from './request-of.ts';
import { showAnswer } from './show-answer.ts';

/** The root of the service: the page lies right below it, with or without a slash behind its name. */
const root = new URL(location.pathname.endsWith('/') ? '../' : './', location.href).href;
const keys = makeKeyStore({
  href: location.href,
  setHref: (href) => history.replaceState(null, '', href),
  ofTab: () => sessionStorage,
  ofBrowser: () => localStorage,
});

const keyForm = document.querySelector<HTMLFormElement>('#key-form');
const keyField = document.querySelector<HTMLInputElement>('#key');
const catalog = document.querySelector('#catalog');
const forms = [...document.querySelectorAll<HTMLFormElement>('form.try')];

const headersOf = (body: string | null): Headers => {
  const headers = new Headers();
  const key = keys.readKey();
  if (key !== null) headers.set('x-api-key', key);
  if (body !== null) headers.set('content-type', 'application/json');
  return headers;
};

const readRequest = (form: HTMLFormElement) => {
  const fields = [...form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-in]')];
  const valuesIn = (location: string): Map<string, string> =>
    new Map(fields.filter(({ dataset }) => dataset.in === location).map(({ name, value }) => [name, value]));
  return toFormRequest({
    method: form.dataset.method ?? 'GET',
    template: form.dataset.path ?? '/',
    inPath: valuesIn('path'),
    inQuery: valuesIn('query'),
    body: form.querySelector('textarea')?.value ?? null,
  });
};

const send = async (form: HTMLFormElement): Promise<void> => {
  const request = readRequest(form);
  const button = form.querySelector('button');
  const curl = form.querySelector<HTMLElement>('.curl');
  const answer = form.querySelector<HTMLElement>('.answer');
  if (button === null || curl === null || answer === null) return;
  curl.textContent = toCurl(request, root, keys.readKey());
  curl.hidden = false;
  button.disabled = true;
  const startedMs = performance.now();
  try {
    const { method, path, body } = request;
    const response = await fetch(root + path, { method, headers: headersOf(body), body });
    await showAnswer(answer, response, () => performance.now() - startedMs);
  } catch {
    answer.textContent = 'The service did not answer.';
  } finally {
    button.disabled = false;
  }
};

const readSensors = async (): Promise<readonly ViewerSensor[]> =>
  parseSensors(await (await fetch(`${root}api/sensors`)).json());

/** Looks for a scene with colours and clouds first, then for any. */
const findScene = async (sensors: readonly ViewerSensor[]) => {
  for (const satellites of [['sentinel2l2a'], sensors.map(({ dataset }) => dataset)]) {
    const body = JSON.stringify({ search: { satellites }, limit: 1 });
    const response = await fetch(`${root}api/lms/search/v2`, {
      method: 'POST',
      headers: headersOf(body),
      body,
    });
    if (!response.ok) return ((await response.json()) as { error: string }).error;
    const [hit] = ((await response.json()) as { results: Parameters<typeof toExamples>[0][] }).results;
    if (hit !== undefined) return hit;
  }
  return 'The catalog is empty: the examples name scenes of the demo world.';
};

/** Replaces examples of pictures and values by those of a scene that is in the catalog. */
const fillExamples = async (): Promise<void> => {
  if (catalog === null || keys.readKey() === null) return;
  const sensors = await readSensors().catch(() => []);
  const found = await findScene(sensors).catch(() => 'The service did not answer.');
  if (typeof found === 'string') {
    catalog.textContent = found;
    return;
  }
  const examples = toExamples(found, sensors);
  for (const form of forms) {
    if (!/\{(view_id|scene_id)\}/.test(form.dataset.path ?? '')) continue;
    for (const field of form.querySelectorAll<HTMLInputElement>('[data-in="path"]')) {
      const example = examples.get(field.name);
      // An index works for most sensors, and says more about points and legends than a composition.
      if (example === undefined || (field.name === 'bands' && !field.value.includes(','))) continue;
      field.value = field.value.endsWith('.png') ? `${example}.png` : example;
    }
  }
  catalog.textContent = `Examples are of ${found.view_id}.`;
};

for (const form of forms) {
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
}
if (keyForm !== null && keyField !== null) {
  keyForm.hidden = false;
  keyField.value = keys.readKey() ?? '';
  keyForm.addEventListener('submit', (event) => event.preventDefault());
  keyField.addEventListener('change', () => {
    if (keyField.value === '') keys.forgetKey();
    else keys.setKey(keyField.value, false);
    void fillExamples();
  });
}
const openNamed = (): void => {
  const named = document.getElementById(location.hash.slice(1));
  if (named instanceof HTMLDetailsElement) named.open = true;
};
addEventListener('hashchange', openNamed);
openNamed();
void fillExamples();
