import { badInput } from '../../../errors.ts';
import { parseDemName, toDemName } from '../../dems/dem-name.ts';
import { lastPart, parseCopernicusName } from './copernicus.ts';
import type { DemSource, FoundItem } from './dem-source.ts';

/** The tile that an item is by its name; null for any other. */
export const toTile = (item: FoundItem): ReturnType<typeof parseCopernicusName> =>
  item.kind === 'image' ? parseCopernicusName(lastPart(item.address)) : null;

/** The name of the model: the operator's, that of the product if all files are its tiles, or that of the source. */
export function nameModel({ items, label }: DemSource, given: string | null): string {
  if (given !== null) return parseDemName(given);
  const products = new Set(items.map((item) => toTile(item)?.product ?? null));
  const [product] = products;
  if (products.size === 1 && product !== null && product !== undefined) return `copernicus-glo-${product}`;
  const name = toDemName(label);
  if (name !== null) return name;
  throw badInput('usage', 'The model needs a name: --name NAME.');
}
