import { unsupported } from '../../../errors.ts';
import type { Sensor } from '../../../sensors/index.ts';
import { sensors } from '../../../sensors/index.ts';
import { families } from '../../families/all-families.ts';
import type { AcceptedItems, ItemRules, RefusedItems } from '../../families/family.ts';
import type { StacItem } from '../../item/item.ts';

/** How an item is read, and its candidate sensors. */
export interface KnownItem {
  readonly rules: ItemRules;
  readonly sensors: readonly [Sensor, ...Sensor[]];
}

/** Collections of public catalogs that belong to no family. */
const REFUSED: readonly RefusedItems[] = [
  {
    collection: /^(?:cop-dem-|nasadem|alos-dem|3dep)/,
    reason: 'It is an elevation model, not a scene; terrain has its own settings.',
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

/** Finds the family of an item and its candidate sensors; throws `stac-collection` if there is none. */
export function findFamily(item: StacItem): KnownItem {
  const refused = refusals.find(({ collection }) => collection.test(item.collection ?? ''));
  if (refused !== undefined) throw unsupported('stac-collection', refused.reason);
  const found =
    acceptances.find(({ accepted }) => accepted.collections.includes(item.collection ?? '')) ??
    acceptances.find(({ accepted }) => isTold(item, accepted.telltale));
  if (found !== undefined) return found.known;
  const collection = item.collection === null ? 'no collection' : `the collection ${item.collection}`;
  throw unsupported('stac-collection', `Its collection ${collection} is not supported.`);
}

function isTold({ id, properties }: StacItem, telltale: AcceptedItems['telltale']): boolean {
  if ('id' in telltale) return telltale.id.test(id);
  const value = properties[telltale.property];
  return typeof value === 'string' && (telltale.values?.includes(value) ?? true);
}
