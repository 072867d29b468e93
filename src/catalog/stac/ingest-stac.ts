import { isSwathError, unsupported } from '../../errors.ts';
import { makeJp2Decoder } from '../../formats/index.ts';
import type { GuardedFetch, OpenSource } from '../../storage/index.ts';
import type { ProductStore } from '../ingest/put-products.ts';
import type { IngestReport, ProductReport } from '../ingest/report.ts';
import { toReport } from '../ingest/report.ts';
import type { StacItem } from '../item/item.ts';
import { parseItem } from '../item/item.ts';
import type { StacFilters } from './filters.ts';
import { isWanted } from './filters.ts';
import { limitConcurrency } from './limit-concurrency.ts';
import { makeBatch } from './make-batch.ts';
import type { AddressRules } from './scene/addresses.ts';
import { makeFetchJson } from './source/fetch-json.ts';
import type { Found, SourceLimits } from './source/found.ts';
import { SOURCE_LIMITS } from './source/found.ts';
import { readAddress } from './source/read-address.ts';
import { readLocal } from './source/read-files.ts';
import { schemeOf, toNamedRefusal, wrongScheme } from './source/refuse-address.ts';

/** What taking items in needs. */
export interface IngestStacOptions extends AddressRules {
  /** An address of an API, a catalog or an item; or a file or folder. */
  readonly from: string;
  readonly filters: StacFilters;
  readonly store: ProductStore;
  /** Opens the files of scenes, as the catalog will later. */
  readonly open: OpenSource;
  /** The guarded door to the catalog that is read; null: only files are. */
  readonly fetch: GuardedFetch | null;
  /**
   * Whether the header of each file is read (the default): it tells the truth about size, georeference and type, and the smaller
   * copies, of which items say nothing. Without it records say what the items do, and pictures of whole scenes are slow.
   */
  readonly probe?: boolean;
  readonly now?: () => Date;
  readonly onProgress?: (progress: StacProgress) => void;
  /** Told of what should never happen, for the log; the item counts as broken. */
  readonly onBug?: (error: unknown, product: string) => void;
  /** Stops after the batch at hand; what was read until then stays. */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<SourceLimits>;
  /** For tests: how to wait before a question is asked again. */
  readonly sleep?: (durationMs: number) => Promise<void>;
}

/** How far an ingest has come. */
export interface StacProgress {
  readonly done: number;
  /** As the source says, or the limit; null when unknown. */
  readonly total: number | null;
  /** Of the item that was looked at last. */
  readonly product: string;
}

/** Headers that are read at a time: a hundred items of Sentinel-2 have 1,300 files. */
const HEADERS_AT_ONCE = 16;

/**
 * Takes STAC items into the catalog. Doing it again changes nothing and reads no file of a known item again, so that a
 * run that was cut off goes on where it was. An item that is broken is reported and keeps no other out.
 */
export async function ingestStac(options: IngestStacOptions): Promise<IngestReport> {
  const { filters, signal, onProgress } = options;
  const lines: ProductReport[] = [];
  let [wanted, done, stopped] = [0, 0, false];
  let total: number | null = filters.limit;
  const batch = makeBatch({
    ...options,
    doors:
      options.probe === false
        ? null
        : {
            open: options.open,
            jp2Decoder: makeJp2Decoder(),
            limit: limitConcurrency(HEADERS_AT_ONCE),
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
        if (item === null || !isWanted(item, filters)) continue;
        await batch.add({ item, value: found.value, origin: found.origin });
        wanted++;
        if (wanted === filters.limit) break;
      }
    }
    if (!signal?.aborted) await batch.flush();
  } catch (error) {
    if (!isSwathError(error) || error.tag !== 'cancelled') throw toNamedRefusal(options.from, error);
  }
  return toReport(lines, stopped || signal?.aborted === true);
}

function readSource(options: IngestStacOptions): AsyncGenerator<Found> {
  const { from, filters, fetch, signal, sleep } = options;
  const limits = { ...SOURCE_LIMITS, ...options.limits };
  const scheme = schemeOf(from);
  if (scheme === null) return readLocal(from, { limits, signal });
  if (scheme !== 'https' && scheme !== 'http') throw wrongScheme(from, scheme);
  if (fetch === null) throw unsupported('no-network', 'There is no way to the network here.');
  const fetchJson = makeFetchJson({
    fetch,
    maxBytes: limits.maxBytes,
    signal,
    ...(sleep ? { sleep } : {}),
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

/** What is no item is reported, by its position among those that were found. */
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
