/** What a catalog must be like: presets are tested by it, and catalogs of the settings are refused by it. */
import type { Sensor } from '../sensors/index.ts';
import { sensorByDataset } from '../sensors/index.ts';
import type { LiveCatalog, LiveCollection, LiveTerrain } from './live-catalog.ts';

type SceneForm = Sensor['sceneName']['forms'][number];

/** Parts of a scene's name in `LiveCollection.locate`. */
const PART = /\{(\w+)(?::\d)?\}/g;

/** What is wrong with a catalog, as sentences that name the word; empty if it is well-formed. */
export function findCatalogProblems({ name, url, collections, terrain }: LiveCatalog): readonly string[] {
  return [
    ...(/^[a-z0-9][a-z0-9.-]{0,62}$/.test(name)
      ? []
      : [`its name "${name.slice(0, 80)}" must be of lower-case letters, digits, "." and "-"`]),
    ...(isRoot(url)
      ? []
      : ['its url must be an http or https address without query, credentials or "/" at the end']),
    ...(collections.length === 0 ? ['it has no collections'] : []),
    ...(terrain === null ? [] : findTerrainProblems(terrain)),
    ...collections.flatMap((one) =>
      findCollectionProblems(one).map((problem) => `its collection ${one.collection}: ${problem}`),
    ),
  ];
}

function findTerrainProblems({ name, files }: LiveTerrain): readonly string[] {
  const isAddress = files === null || (/^(?:https?|s3):\/\//.test(files) && files.includes('{cell}'));
  return [
    ...(/^[a-z0-9][a-z0-9._-]{0,62}$/.test(name)
      ? []
      : [
          `the name "${name.slice(0, 80)}" of its terrain must be of lower-case letters, digits, ".", "_" and "-"`,
        ]),
    ...(isAddress
      ? []
      : ['the files of its terrain must be an http, https or s3 address with "{cell}" in it']),
  ];
}

function isRoot(url: string): boolean {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || url.endsWith('/')) return false;
  return `${parsed.search}${parsed.hash}${parsed.username}${parsed.password}` === '';
}

function findCollectionProblems({ dataset, properties, locate, since }: LiveCollection): readonly string[] {
  const sensor = sensorByDataset(dataset);
  if (sensor === null) return [`there is no dataset "${dataset.slice(0, 80)}"`];
  const fields = new Set(sensor.hit.flatMap(({ name, filter }) => (filter === 'none' ? [] : [name])));
  const unknown = Object.keys(properties).filter((field) => !fields.has(field));
  const parts = Object.values(locate).flatMap((template) =>
    [...template.matchAll(PART)].map(([, part]) => part!),
  );
  const missing = parts.filter(
    (part) => !sensor.sceneName.forms.every((form) => listParts(form).includes(part)),
  );
  const stray = Object.values(locate).find((template) => /[{}]/.test(template.replaceAll(PART, '')));
  return [
    ...(parts.length === 0
      ? ['locate names no part of a view id, so no scene could be found by its name']
      : []),
    ...unknown.map((field) => `hits of ${dataset} have no field "${field}" that can be filtered`),
    ...[...new Set(missing)].map((part) => `not every view id of ${dataset} has a part {${part}}`),
    ...(stray === undefined ? [] : [`"${stray}" has a brace that is not part of {name} or {name:2}`]),
    ...(isDay(since) ? [] : [`since must be a day such as 2015-06-27`]),
  ];
}

/** Parts that every name of a form has; product ids of Landsat join path and row, which `readName` splits. */
const listParts = ({ fields }: SceneForm): readonly string[] =>
  fields
    .filter(({ optional }) => optional === undefined)
    .flatMap(({ name }) => (name === 'pathRow' ? [name, 'path', 'row'] : [name]));

const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;
