/** What words are looked for in: the texts of a collection. */
import { sensorByDataset } from '../../sensors/index.ts';

/** The description of a dataset's collection. */
export const describeCollection = (title: string): string =>
  `Scenes of ${title} in the catalog of this service.`;

/** All texts of a dataset's collection, one a line. */
export function toCollectionText(dataset: string): string {
  const sensor = sensorByDataset(dataset);
  if (sensor === null) return dataset;
  const { title, facts } = sensor;
  return [dataset, title, describeCollection(title), ...facts.keywords].join('\n');
}
