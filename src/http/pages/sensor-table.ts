import type { HitField, Sensor } from '../../sensors/index.ts';
import { sensors } from '../../sensors/index.ts';
import { escapeHtml } from './escape-html.ts';

/** The sections of the page that list all sensors: how scenes of each are named, drawn and searched. */
export const toSensorTables = (): string =>
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
  sensor.hit.map(toField).join(', '),
];

const toField = ({ name, type }: HitField): string =>
  type === 'string' ? code(name) : `${code(name)} ${type}`;
