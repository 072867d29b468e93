import { isSwathError } from '../errors.ts';
import type { CatalogClient } from './catalog-client.ts';
import { unavailable } from './errors.ts';

interface AskOptions {
  readonly signal: AbortSignal;
  readonly startDeadline?: ((ms: number) => AbortSignal) | undefined;
}

/**
 * Asks a catalog for something, within its deadline. Failures of the catalog itself become one error, which passes; files
 * have errors of their own.
 */
export async function askCatalog<Result>(
  { catalog }: CatalogClient,
  ask: (signal: AbortSignal) => Promise<Result>,
  { signal, startDeadline = AbortSignal.timeout }: AskOptions,
): Promise<Result> {
  const late = startDeadline(catalog.limits.deadlineMs);
  try {
    return await ask(AbortSignal.any([signal, late]));
  } catch (error) {
    if (!isSwathError(error) || error.tag === 'internal' || signal.aborted) throw error;
    const why = late.aborted
      ? `It did not answer within ${catalog.limits.deadlineMs / 1_000} seconds.`
      : error.message;
    throw unavailable('catalog-unavailable', `The catalog ${catalog.title} is unavailable. ${why}`, {
      cause: error,
      details: { catalog: catalog.name, retryAfterS: error.details.retryAfterS ?? 10 },
    });
  }
}
