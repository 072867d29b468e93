import type { NewScene } from '../../../catalog/index.ts';
import { sensorByDataset } from '../../../sensors/index.ts';
import { toBbox } from './to-bbox.ts';

/** The file name of a dataset's collection; items refer to it. */
export const toCollectionName = (dataset: string): string => `${dataset}.collection.json`;

/** West, south, east and north. */
type Box = readonly [number, number, number, number];

/** What the scenes of a dataset cover together. */
interface Extent {
  readonly box: Box;
  /** The first and the last time, ISO 8601 in UTC, which compare as texts. */
  readonly from: string;
  readonly to: string;
}

/** Gathers the extents of scenes, to describe the collections that they belong to. */
export interface CollectionExtents {
  add(scene: Pick<NewScene, 'dataset' | 'footprint' | 'acquiredAt'>): void;
  /** The collection of each dataset that had a scene, as JSON. */
  list(): readonly { readonly name: string; readonly collection: Readonly<Record<string, unknown>> }[];
}

/** Builds it. */
export function makeCollectionExtents(): CollectionExtents {
  const extents = new Map<string, Extent>();
  return {
    add({ dataset, footprint, acquiredAt }) {
      const [box, known] = [toPlainBox(toBbox(footprint)), extents.get(dataset)];
      extents.set(dataset, {
        box: known === undefined ? box : joinBoxes(known.box, box),
        from: known === undefined || acquiredAt < known.from ? acquiredAt : known.from,
        to: known === undefined || acquiredAt > known.to ? acquiredAt : known.to,
      });
    },
    list: () =>
      [...extents].map(([dataset, extent]) => ({
        name: toCollectionName(dataset),
        collection: toStacCollection(dataset, extent),
      })),
  };
}

function toStacCollection(dataset: string, { box, from, to }: Extent): Readonly<Record<string, unknown>> {
  const title = sensorByDataset(dataset)?.title ?? dataset;
  return {
    type: 'Collection',
    stac_version: '1.1.0',
    id: dataset,
    title,
    description: `Scenes of ${title} in the catalog of a Swath service.`,
    // Each provider has its own terms.
    license: 'other',
    extent: { spatial: { bbox: [box] }, temporal: { interval: [[from, to]] } },
    links: [{ rel: 'root', href: `./${toCollectionName(dataset)}`, type: 'application/json', title }],
  };
}

/** A box over the antimeridian, whose west is larger than its east, becomes one around the world. */
const toPlainBox = ([west, south, east, north]: Box): Box =>
  west > east ? [-180, south, 180, north] : [west, south, east, north];

const joinBoxes = (a: Box, b: Box): Box => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
];
