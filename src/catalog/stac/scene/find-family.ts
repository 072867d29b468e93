import { unsupported } from '../../../errors.ts';
import type { Sensor } from '../../../sensors/index.ts';
import { sensorByDataset } from '../../../sensors/index.ts';
import type { StacItem } from '../../item/item.ts';
import type { AcceptedItems, ItemKind } from './collections.ts';
import { acceptedItems, refusedItems } from './collections.ts';

/** What kind of product an item is, and the sensors it can be of. */
export interface KnownItem {
  readonly kind: ItemKind;
  readonly sensors: readonly Sensor[];
}

/** Says which sensors an item can be of; `stac-collection` when it is none of ours. */
export function findSensors(item: StacItem): KnownItem {
  const refused = refusedItems.find(({ collection }) => collection.test(item.collection ?? ''));
  if (refused !== undefined) throw unsupported('stac-collection', refused.reason);
  const found =
    acceptedItems.find(({ collections }) => collections.includes(item.collection ?? '')) ??
    acceptedItems.find(({ telltale }) => isTold(item, telltale));
  if (found === undefined) {
    const collection = item.collection === null ? 'no collection' : `the collection ${item.collection}`;
    throw unsupported('stac-collection', `It is of ${collection}, which is no dataset here.`);
  }
  return { kind: found.kind, sensors: found.datasets.flatMap((dataset) => sensorByDataset(dataset) ?? []) };
}

function isTold({ id, properties }: StacItem, telltale: AcceptedItems['telltale']): boolean {
  if ('id' in telltale) return telltale.id.test(id);
  const value = properties[telltale.property];
  return typeof value === 'string' && (telltale.values?.includes(value) ?? true);
}
