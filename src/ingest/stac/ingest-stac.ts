import { makeGate } from '../../async/index.ts';
import { isSwathError } from '../../errors.ts';
import { makeJp2Decoder } from '../../formats/jp2/index.ts';
import type { GuardedFetch } from '../../net/index.ts';
import type { OpenSource } from '../../sources/index.ts';
import { unsupported } from '../errors.ts';
import type { ProductStore } from '../folder/put-products.ts';
import type { IngestReport, ProductReport } from '../folder/report.ts';
import { toReport } from '../folder/report.ts';
import type { AddressRules } from './addresses.ts';
import type { StacItem } from './item.ts';
import { parseItem } from './item.ts';
import { makeBatch } from './make-batch.ts';
import { makeFetchJson } from './source/fetch-json.ts';
import { readAddress, schemeOf, toNamedRefusal, wrongScheme } from './source/read-address.ts';
import { readLocal } from './source/read-local.ts';
import type { Found, SourceLimits, StacFilters } from './source/source.ts';
import { isWanted, SOURCE_LIMITS } from './source/source.ts';

/** Options of an ingest of items. */
export interface IngestStacOptions extends AddressRules {
  /** The address of an API, a catalog or an item; or a file or folder. */
  readonly from: string;
  readonly filters: StacFilters;
  readonly store: ProductStore;
  /** Opens the files of scenes, in the same way as the catalog later. */
  readonly open: OpenSource;
  /** Guarded access to remote catalogs; null if only local files may be read. */
  readonly fetch: GuardedFetch | null;
  /**
   * Whether the header of each file is read (the default): it is right about size, georeference and type, and has the
   * overviews, which items do not list. Otherwise records follow the items, and pictures of whole scenes are slow.
   */
  readonly probe?: boolean;
  readonly now?: () => Date;
  readonly onProgress?: (progress: StacProgress) => void;
  /** Receives unexpected errors for the log; the item counts as broken. */
  readonly onBug?: (error: unknown, product: string) => void;
  /** Stops after the current batch; records of earlier batches stay. */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<SourceLimits>;
  /** For tests: how to wait before a retry. */
  readonly sleep?: (durationMs: number) => Promise<void>;
}

/** Progress of an ingest. */
export interface StacProgress {
  readonly done: number;
  /** The count of the source, or the limit; null if unknown. */
  readonly total: number | null;
  /** Name of the last item. */
  readonly product: string;
}

/** Headers read concurrently: a hundred items of Sentinel-2 have 1,300 files. */
const HEADERS_AT_ONCE = 16;

/**
 * Takes STAC items into the catalog. Another run changes nothing and does not read the files of a known item, so it
 * continues where one was interrupted. A broken item is reported, and the others are still ingested.
 */
export async function ingestStac(options: IngestStacOptions): Promise<IngestReport> {
  const { filters, signal, onProgress } = options;
  const lines: ProductReport[] = [];
  let [wanted, filteredOut, done, stopped] = [0, 0, 0, false];
  let total: number | null = filters.limit;
  const batch = makeBatch({
    ...options,
    doors:
      options.probe === false
        ? null
        : {
            open: options.open,
            jp2Decoder: makeJp2Decoder(),
            gate: makeGate(HEADERS_AT_ONCE),
            signal,
          },
    onLine(line) {
      lines.push(line);
      done++;
      onProgress?.({ done, total, product: line.product });
    },
  });
  try {
    for await (const found of readSource(options)) {
      if (signal?.aborted) break;
      if (found.kind === 'total') total = Math.min(filters.limit ?? Infinity, found.total);
      else if (found.kind === 'fault') {
        lines.push(toFaultLine(found));
        stopped ||= found.ends === true;
      } else {
        const item = tryItem(found.value, lines);
        if (item === null) continue;
        if (!isWanted(item, filters)) {
          filteredOut++;
          continue;
        }
        await batch.add({ item, value: found.value, location: found.location });
        wanted++;
        if (wanted === filters.limit) break;
      }
    }
    if (!signal?.aborted) await batch.flush();
  } catch (error) {
    if (!isSwathError(error) || error.tag !== 'cancelled') throw toNamedRefusal(options.from, error);
  }
  const report = toReport(lines, stopped || signal?.aborted === true);
  return filteredOut === 0 ? report : { ...report, filteredOut };
}

function readSource(options: IngestStacOptions): AsyncGenerator<Found> {
  const { from, filters, fetch, signal, sleep } = options;
  const limits = { ...SOURCE_LIMITS, ...options.limits };
  const scheme = schemeOf(from);
  if (scheme === null) return readLocal(from, { limits, signal });
  if (scheme !== 'https' && scheme !== 'http') throw wrongScheme(from, scheme);
  if (fetch === null) throw unsupported('no-network', 'This process has no access to the network.');
  const fetchJson = makeFetchJson({
    fetch,
    maxBytes: limits.maxBytes,
    signal,
    sleep,
  });
  return readAddress(from, { fetchJson, limits, filters });
}

const toFaultLine = ({
  name,
  code,
  reason,
  isSkipped,
}: Extract<Found, { kind: 'fault' }>): ProductReport => ({
  product: name,
  outcome: isSkipped ? 'skipped' : 'broken',
  code,
  reason,
});

/** JSON that is not an item is reported by its number. */
function tryItem(value: unknown, lines: ProductReport[]): StacItem | null {
  try {
    return parseItem(value);
  } catch (error) {
    if (!isSwathError(error) || error.tag === 'internal') throw error;
    const product = `item ${lines.length + 1}`;
    lines.push({ product, outcome: 'broken', code: error.code, reason: error.message });
    return null;
  }
}
