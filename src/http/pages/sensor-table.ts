import type { Sensor } from '../../sensors/index.ts';
import { sensors } from '../../sensors/index.ts';
import { escapeHtml } from './escape-html.ts';

/** The section of the page that lists all sensors: how scenes of each are named, searched and drawn. */
export const toSensorTable = (): string =>
  `<section><h2 id="Sensors">Sensors</h2><table><thead><tr><th>Sensor</th><th>Dataset</th><th>View id, for example</th><th>Bands</th></tr></thead><tbody>${sensors.map(toRow).join('')}</tbody></table></section>`;

function toRow({ title, abbreviation, dataset, datasetGroups, sceneName, bands }: Sensor): string {
  const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;
  const cells = [
    escapeHtml(title),
    [dataset, ...datasetGroups].map(code).join(', '),
    code(`${abbreviation}/${sceneName.example}`),
    code(bands.map(({ name }) => name).join(' ')),
  ];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}
