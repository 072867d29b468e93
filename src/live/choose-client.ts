/** Which of several catalogs is asked for a dataset: the first in the settings that has it. */
import { isSwathError } from '../errors.ts';
import type { CatalogClient } from './catalog-client.ts';

/** The client of the catalog that answers for a dataset; null if none may have it. */
export type FindClient = (dataset: string, signal: AbortSignal) => Promise<CatalogClient | null>;

/** Builds the choice among catalogs, in the order of the settings. */
export function makeFindClient(clients: readonly CatalogClient[]): FindClient {
  /** By dataset: those that may have it, up to the first that is known to have it. */
  const candidates = new Map<string, CatalogClient[]>();
  for (const client of clients) {
    for (const dataset of new Set(client.catalog.collections.map((one) => one.dataset))) {
      const before = candidates.get(dataset) ?? [];
      if (before.at(-1)?.catalog.isGuessed !== false) candidates.set(dataset, [...before, client]);
    }
  }
  return async (dataset, signal) => {
    const all = candidates.get(dataset) ?? [];
    for (const client of all.slice(0, -1)) if (await mayHave(client, dataset, signal)) return client;
    return all.at(-1) ?? null;
  };
}

/**
 * The datasets that each catalog is asked for, by its name. A catalog of which only the address is known lists its
 * collections first; one that does not is taken to have all that it may have, as `makeFindClient` takes it.
 */
export async function listDatasets(
  clients: readonly CatalogClient[],
  signal: AbortSignal,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const taken = new Set<string>();
  const lists = await Promise.all(
    clients.map(async (client) => {
      const known = [...new Set(client.catalog.collections.map(({ dataset }) => dataset))];
      const has = await Promise.all(known.map((dataset) => mayHave(client, dataset, signal)));
      return [client.catalog.name, known.filter((_, i) => has[i])] as const;
    }),
  );
  return Object.fromEntries(
    lists.map(([name, datasets]) => {
      const own = datasets.filter((dataset) => !taken.has(dataset));
      for (const dataset of own) taken.add(dataset);
      return [name, own];
    }),
  );
}

/** A catalog that does not say is asked: its answer then says what is wrong. */
async function mayHave(client: CatalogClient, dataset: string, signal: AbortSignal): Promise<boolean> {
  const late = AbortSignal.timeout(client.catalog.limits.deadlineMs);
  try {
    const collections = await client.readCollections(AbortSignal.any([signal, late]));
    return collections.some((one) => one.dataset === dataset);
  } catch (error) {
    if (!isSwathError(error) || error.tag === 'internal' || signal.aborted) throw error;
    return true;
  }
}
