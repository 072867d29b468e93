import { unsupported } from '../../../errors.ts';
import type { Sensor } from '../../../sensors/index.ts';
import { sensors } from '../../../sensors/index.ts';
import { families } from '../../families/all-families.ts';
import type { AcceptedItems, ItemRules, RefusedItems } from '../../families/family.ts';
import type { StacItem } from '../../item/item.ts';

/** How an item is read, and the sensors it can be of. */
export interface KnownItem {
  readonly rules: ItemRules;
  readonly sensors: readonly [Sensor, ...Sensor[]];
}

/** Items of public catalogs that are of no family at all. */
const REFUSED: readonly RefusedItems[] = [
  {
    collection: /^(?:cop-dem-|nasadem|alos-dem|3dep)/,
    reason: 'It is an elevation model and no scene; terrain has its own settings.',
  },
];

const refusals = [...REFUSED, ...families.flatMap(({ items }) => items?.refused ?? [])];

interface Acceptance {
  readonly accepted: AcceptedItems;
  readonly known: KnownItem;
}

const acceptances: readonly Acceptance[] = families.flatMap(({ name, items }) =>
  items === null
    ? []
    : items.accepted.flatMap((accepted): Acceptance[] => {
        const [first, ...others] = sensors.filter(
          ({ dataset, family }) => family === name && (accepted.datasets?.includes(dataset) ?? true),
        );
        return first === undefined
          ? []
          : [{ accepted, known: { rules: items, sensors: [first, ...others] } }];
      }),
);

/** Says which family an item is of, and which sensors it can be of; `stac-collection` when it is of no family. */
export function findFamily(item: StacItem): KnownItem {
  const refused = refusals.find(({ collection }) => collection.test(item.collection ?? ''));
  if (refused !== undefined) throw unsupported('stac-collection', refused.reason);
  const found =
    acceptances.find(({ accepted }) => accepted.collections.includes(item.collection ?? '')) ??
    acceptances.find(({ accepted }) => isTold(item, accepted.telltale));
  if (found !== undefined) return found.known;
  const collection = item.collection === null ? 'no collection' : `the collection ${item.collection}`;
  throw unsupported('stac-collection', `It is of ${collection}, which is no dataset here.`);
}

function isTold({ id, properties }: StacItem, telltale: AcceptedItems['telltale']): boolean {
  if ('id' in telltale) return telltale.id.test(id);
  const value = properties[telltale.property];
  return typeof value === 'string' && (telltale.values?.includes(value) ?? true);
}
