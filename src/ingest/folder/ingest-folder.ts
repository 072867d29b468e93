import type { NewScene } from '../../catalog/index.ts';
import { isSwathError } from '../../errors.ts';
import type { FoundFile, SkippedEntry } from '../../files/index.ts';
import { walkFolder } from '../../files/index.ts';
import { makeJp2Decoder } from '../../formats/jp2/index.ts';
import { familyOf } from '../families/all-families.ts';
import type { SceneFacts } from '../families/family.ts';
import type { ProductDoors } from '../read-files.ts';
import { makeReadText, readBandCount } from '../read-files.ts';
import type { Product } from './find-products.ts';
import { findProducts } from './find-products.ts';
import type { ProductStore } from './put-products.ts';
import { putProducts, removeProvisional, toProvisionalId } from './put-products.ts';
import { readProduct, toFingerprint } from './read-product.ts';
import type { IngestReport, ProductReport } from './report.ts';
import { toReport, toSkippedLines } from './report.ts';

/** Options of an ingest. */
export interface IngestFolderOptions extends ProductDoors {
  /** The folder to scan. */
  readonly path: string;
  readonly store: ProductStore;
  /** Where the products come from; `demo` products have no thumbnail at their provider. */
  readonly provenance?: 'folder' | 'demo';
  readonly now?: () => Date;
  readonly onProgress?: (progress: IngestProgress) => void;
  /** Receives unexpected errors for the log; the product counts as broken. */
  readonly onBug?: (error: unknown, product: string) => void;
  /** Stops after the current product; products read until then are put. */
  readonly signal?: AbortSignal;
}

/** Progress of an ingest. */
export interface IngestProgress {
  readonly done: number;
  readonly total: number;
  /** Name of the last product. */
  readonly product: string;
}

/** Records that are put together: after a crash at most so many products are read again. */
const BATCH = 50;

/** A record waiting to be put, and its line of the report. */
interface Pending {
  readonly scene: NewScene;
  readonly line: ProductReport;
}

/**
 * Takes the products under a folder into the catalog. Another run changes nothing, or continues where one was
 * interrupted: each product is put whole or not at all. A broken product is reported, and the others are still ingested.
 */
export async function ingestFolder(options: IngestFolderOptions): Promise<IngestReport> {
  const { path, store, onProgress, signal, now = () => new Date() } = options;
  const walked = await walkFolder(path, signal ? { signal } : {}).catch((error: unknown) => {
    if (isSwathError(error) && error.tag === 'cancelled') return null;
    throw error;
  });
  if (walked === null) return toReport([], true);
  const { products, skipped } = findProducts(walked.files, walked.above);
  const lines: ProductReport[] = [];
  const pending = new Map<string, Pending>();
  const take = makeTake(options, pending);
  const flush = async () => {
    lines.push(...(await putAll(store, [...pending.values()], now)));
    pending.clear();
  };
  let done = 0;
  for (const product of products) {
    lines.push(...(await take(product)));
    if (signal?.aborted) break;
    if (pending.size >= BATCH) await flush();
    done++;
    onProgress?.({ done, total: products.length, product: product.name });
  }
  await flush();
  const sorted = lines.sort((a, b) => (a.product < b.product ? -1 : 1));
  // Permissions can be fixed; depth and links are intended.
  const isClosed = ({ code }: SkippedEntry) => code === 'folder-unreadable';
  const closed = walked.skipped.filter(isClosed).map(
    ({ name, code, reason }): ProductReport => ({
      product: name,
      outcome: 'broken',
      code,
      reason,
    }),
  );
  const others = walked.skipped.filter((one) => !isClosed(one));
  return toReport([...sorted, ...closed, ...toSkippedLines([...skipped, ...others])], done < products.length);
}

/** Reads one product: its record goes to `pending`, or its line of the report is returned. */
function makeTake(options: IngestFolderOptions, pending: Map<string, Pending>) {
  const { store, open, toHref, onBug, signal, provenance = 'folder' } = options;
  const findScene = async (viewId: string) =>
    pending.get(viewId)?.scene ?? (await store.findByViewId(viewId));
  const deps = { open, toHref, jp2Decoder: makeJp2Decoder(), provenance, signal };
  const tools = {
    readText: makeReadText({ open, toHref }, signal),
    findScene,
    toHref,
    countBands: (file: FoundFile) => readBandCount(deps, file.path),
  };
  /** The view id of the same product with metadata, if this copy has none and is named by its product id. */
  const findWithMetadata = async ({ sensor }: Product, { viewId, sceneId, productId }: SceneFacts) => {
    if (productId === null || sceneId !== productId) return null;
    const waiting = [...pending.values()].find(({ scene }) => scene.productId === productId)?.scene;
    const found = waiting ?? (await store.findByName?.(sensor.dataset, productId));
    return found == null || found.viewId === viewId ? null : found.viewId;
  };
  /** Scenes of this run. */
  const taken = new Set<string>();

  const take = async (product: Product): Promise<ProductReport[]> => {
    const { name } = product;
    const facts = await familyOf(product.sensor).describeProduct(product, tools);
    const { viewId } = facts;
    const fingerprint = toFingerprint(product, toHref);
    const known = (await findScene(viewId))?.origin;
    if (known !== undefined && known.processed > facts.processed) return [superseded(name, viewId)];
    const better = await findWithMetadata(product, facts);
    if (better !== null) return [withoutMetadata(name, better)];
    if (known?.processed === facts.processed && taken.has(viewId)) return [duplicate(name, viewId)];
    taken.add(viewId);
    if (known?.fingerprint === fingerprint) {
      // An interrupted run may have left it.
      await removeProvisional(store, facts);
      return [{ product: name, outcome: 'unchanged', viewId }];
    }
    const { scene, notes } = await readProduct(deps, { product, facts, fingerprint });
    const provisional = pending.get(toProvisionalId(facts) ?? '');
    if (provisional !== undefined) pending.delete(provisional.scene.viewId);
    const older = pending.get(viewId);
    const line: ProductReport = {
      product: name,
      outcome: 'ingested',
      viewId,
      notes: notes.length === 0 ? undefined : notes,
    };
    pending.set(viewId, { scene, line });
    return [
      ...(provisional === undefined ? [] : [withoutMetadata(provisional.line.product, viewId)]),
      ...(older === undefined ? [] : [superseded(older.line.product, viewId)]),
    ];
  };

  return (product: Product): Promise<ProductReport[]> =>
    take(product).catch((error: unknown) => {
      // After a stop, reading fails in many ways, and none is a fault of the product.
      if (signal?.aborted || (isSwathError(error) && error.tag === 'cancelled')) return [];
      if (isSwathError(error) && error.tag !== 'internal')
        return [broken(product, error.code, error.message)];
      onBug?.(error, product.name);
      return [broken(product, 'internal', 'An unexpected error occurred while it was read.')];
    });
}

const broken = ({ name }: Product, code: string, reason: string): ProductReport => ({
  product: name,
  outcome: 'broken',
  code,
  reason,
});

const superseded = (product: string, viewId: string): ProductReport => ({
  product,
  outcome: 'skipped',
  viewId,
  code: 'superseded',
  reason: 'A newer version of the same scene is in the catalog.',
});

const withoutMetadata = (product: string, viewId: string): ProductReport => ({
  product,
  outcome: 'skipped',
  viewId,
  code: 'superseded',
  reason: 'The catalog has the same product with its metadata, which this copy lacks.',
});

const duplicate = (product: string, viewId: string): ProductReport => ({
  product,
  outcome: 'skipped',
  viewId,
  code: 'duplicate',
  reason: 'The folder contains the same product twice; the other copy is in the catalog.',
});

async function putAll(
  store: IngestFolderOptions['store'],
  pending: readonly Pending[],
  now: () => Date,
): Promise<ProductReport[]> {
  if (pending.length === 0) return [];
  const outcomes = await putProducts(
    store,
    pending.map(({ scene }) => scene),
    now,
  );
  return pending.map(({ line }, i): ProductReport => {
    const change = outcomes[i];
    return change === 'added' || change === 'replaced'
      ? { ...line, change }
      : { ...line, outcome: 'unchanged' };
  });
}
