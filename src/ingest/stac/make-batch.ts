import type { Asset, NewScene } from '../../catalog/index.ts';
import { isSwathError, SwathError } from '../../errors.ts';
import { toShownAddress } from '../../net/index.ts';
import { cancelled, sourceBroken } from '../errors.ts';
import type { ProductStore } from '../folder/put-products.ts';
import { putProducts } from '../folder/put-products.ts';
import type { ProductReport } from '../folder/report.ts';
import { withAssetFile } from '../read-files.ts';
import { listSceneFiles, withStamps } from '../scene-files.ts';
import type { AddressRules, DocumentLocation } from './addresses.ts';
import type { CompletedItem, FileDoors } from './complete-item.ts';
import { completeItem } from './complete-item.ts';
import { isOwnItem } from './export.ts';
import type { StacItem } from './item.ts';
import type { ItemContext } from './plan-item.ts';
import { planItem } from './plan-item.ts';

/** An item and the location of its document. */
interface BatchItem {
  readonly item: StacItem;
  /** The JSON of the item. */
  readonly value: unknown;
  readonly location: DocumentLocation;
}

interface BatchDeps extends AddressRules {
  readonly store: ProductStore;
  /** Null when no files are read. */
  readonly doors: FileDoors | null;
  readonly now?: (() => Date) | undefined;
  /** Receives the report line of each item. */
  readonly onLine: (line: ProductReport) => void;
  /** Receives unexpected errors for the log; the item counts as broken. */
  readonly onBug?: ((error: unknown, product: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Only reports what would be ingested: reads no file and puts nothing. */
  readonly isDry?: boolean | undefined;
}

/** Records that are put together: after a crash at most so many items are read again. */
const BATCH = 50;

/** An item that will become a scene, and what is compared with the stored record. */
interface Candidate {
  readonly product: string;
  readonly scene: Pick<NewScene, 'viewId' | 'sceneId' | 'acquiredAt' | 'fields' | 'origin'>;
  readonly complete: () => Promise<CompletedItem>;
  /** Whether Swath exported it: then its record is put as it is. */
  readonly isOwn: boolean;
}

/** Collects items, reads their files concurrently, and puts their records together. */
export function makeBatch(deps: BatchDeps): {
  add(item: BatchItem): Promise<void>;
  flush(): Promise<void>;
} {
  const { store, onLine, now = () => new Date() } = deps;
  const pending = new Map<string, Candidate>();
  /** What a dry run would have put. */
  const planned = new Map<string, Candidate['scene']>();
  const findScene = async (viewId: string) =>
    pending.get(viewId)?.scene ?? planned.get(viewId) ?? (await store.findByViewId(viewId));

  const flush = async () => {
    const candidates = [...pending.values()];
    pending.clear();
    const results = await Promise.all(candidates.map((candidate) => tryComplete(candidate, deps)));
    const [own, made] = [true, false].map((isOwn) =>
      results.flatMap((result) => ('scene' in result && result.isOwn === isOwn ? [result] : [])),
    ) as [Whole[], Whole[]];
    const outcomes = await putProducts(store, made.map(toRecord), now);
    const ownOutcomes = own.length === 0 ? [] : await store.putMany(own.map(toRecord));
    const whole = [...made, ...own];
    for (const result of results) {
      if ('line' in result) onLine(result.line);
    }
    for (const [i, { product, scene, notes }] of whole.entries()) {
      const change = [...outcomes, ...ownOutcomes][i];
      onLine({
        product,
        ...(change === 'added' || change === 'replaced'
          ? { outcome: 'ingested', change }
          : { outcome: 'unchanged' }),
        viewId: scene.viewId,
        notes: notes.length === 0 ? undefined : notes,
      });
    }
  };

  return {
    flush,
    async add(given) {
      const product = toName(given.item);
      let candidate: Candidate;
      try {
        candidate = await toCandidate(given, { ...deps, product, findScene });
      } catch (error) {
        onLine(toLine(product, error, deps));
        return;
      }
      const { viewId, origin } = candidate.scene;
      // Of two items of one scene the second is compared with the record of the first.
      if (pending.has(viewId)) await flush();
      const stored = await store.findByViewId(viewId);
      const before = planned.get(viewId) ?? stored;
      const known = before?.origin;
      const isSameItem = origin !== undefined && known?.fingerprint === origin.fingerprint;
      if (stored !== null && isSameItem && !(await hasChangedFile(stored, deps.doors))) {
        onLine({ product, outcome: 'unchanged', viewId });
      } else if ((known?.processed ?? '') > (origin?.processed ?? '')) {
        onLine({ product, outcome: 'skipped', viewId, code: 'superseded', reason: SUPERSEDED });
      } else if (deps.isDry === true) {
        planned.set(viewId, candidate.scene);
        onLine({ product, outcome: 'ingested', change: before === null ? 'added' : 'replaced', viewId });
      } else pending.set(viewId, candidate);
      if (pending.size >= BATCH) await flush();
    },
  };
}

/**
 * Whether a local file has changed since the record was made. Remote files would cost a request each; their changes show
 * in the item, or when a picture reads them.
 */
async function hasChangedFile(scene: NewScene, doors: FileDoors | null): Promise<boolean> {
  if (doors === null) return false;
  const files = listSceneFiles(scene).filter(({ href, stamp }) => stamp !== null && !/^\w+:\/\//.test(href));
  const changed = files.map(({ href, stamp }) =>
    doors.gate.run(async () => {
      try {
        const source = await doors.open(href);
        await source.close();
        return source.version !== stamp;
      } catch (error) {
        // Missing or unreadable: reading it again gives the error.
        if (isSwathError(error) && error.tag === 'source-broken') return true;
        throw error;
      }
    }),
  );
  return (await Promise.all(changed)).includes(true);
}

const SUPERSEDED = 'A newer version of the same scene is in the catalog.';

const toName = ({ id, collection }: StacItem): string => (collection === null ? id : `${collection}/${id}`);

interface Tools extends BatchDeps {
  readonly product: string;
  readonly findScene: ItemContext['findScene'];
}

async function toCandidate({ item, value, location }: BatchItem, tools: Tools): Promise<Candidate> {
  const { doors, product, findScene, isAllowedHref, toHref } = tools;
  const rules = { isAllowedHref, toHref };
  if (isOwnItem(value)) {
    // Loaded on demand: the schema would add 80 ms to the start of every thread that imports the catalog.
    const { fromOwnItem } = await import('./own-item.ts');
    // Paths refer to files of the machine that exported the item; from another machine they are meaningless.
    const isLocal = location.kind === 'folder';
    const scene = fromOwnItem(value, {
      isAllowedHref: (href) => isAllowedHref(href) && (isLocal || /^\w+:/.test(href)),
      toHref: isLocal ? toHref : undefined,
    });
    const complete = async () => ({
      scene: doors === null ? scene : await checkFiles(scene, doors),
      notes: [],
    });
    return { product, scene, complete, isOwn: true };
  }
  const context: ItemContext = { location, rules, findScene, probe: doors !== null };
  const planned = await planItem(item, context);
  const { viewId, sceneId, acquiredAt, fields, processed } = planned.facts;
  return {
    product,
    scene: { viewId, sceneId, acquiredAt, fields, origin: { fingerprint: planned.fingerprint, processed } },
    complete: () => completeItem(planned, { doors, context }),
    isOwn: false,
  };
}

type Whole = Pick<Candidate, 'product' | 'isOwn'> & CompletedItem;
type Completed = Whole | { readonly line: ProductReport };

const toRecord = ({ scene }: Whole): NewScene => scene;

async function tryComplete({ product, isOwn, complete }: Candidate, deps: BatchDeps): Promise<Completed> {
  try {
    return { product, isOwn, ...(await complete()) };
  } catch (error) {
    return { line: toLine(product, error, deps) };
  }
}

/** Unsupported and forbidden items are skipped; any other failure makes an item broken. */
function toLine(product: string, error: unknown, { onBug, signal }: BatchDeps): ProductReport {
  if (isSwathError(error) && error.tag === 'cancelled') throw error;
  // After a stop, reading fails in many ways, and none is a fault of the item.
  if (signal?.aborted) throw cancelled('cancelled', 'The ingest was stopped.', { cause: error });
  if (!isSwathError(error) || error.tag === 'internal') {
    onBug?.(error, product);
    const reason = 'An unexpected error occurred while it was read.';
    return { product, outcome: 'broken', code: 'internal', reason };
  }
  const isOurs = error.tag !== 'unsupported' && error.tag !== 'not-allowed';
  return { product, outcome: isOurs ? 'broken' : 'skipped', code: error.code, reason: error.message };
}

/**
 * Opens each file of a scene that was exported by Swath, once. The export may be old, or come from another machine: a
 * scene whose files are missing or different must not enter the catalog. Returns the record with the current states of
 * its files.
 */
async function checkFiles(scene: NewScene, given: FileDoors): Promise<NewScene> {
  const { assets, cloudMask } = scene;
  const seen = new Map<string, string>();
  const doors: FileDoors = {
    ...given,
    async open(href, signal) {
      const source = await given.open(href, signal);
      seen.set(href, source.version);
      return source;
    },
  };
  const flags = cloudMask?.kind === 'flags' ? [cloudMask.asset] : [];
  const images = new Map([...Object.values(assets), ...flags].map((asset) => [asset.href, asset]));
  const checks = [...images.values()].map((asset) => naming(asset.href, () => checkImage(asset, doors)));
  if (cloudMask?.kind === 'polygons') {
    const { href } = cloudMask;
    checks.push(naming(href, () => doors.gate.run(async () => (await doors.open(href)).close())));
  }
  await Promise.all(checks);
  return { ...scene, ...withStamps(scene, (href) => seen.get(href) ?? null) };
}

function checkImage(asset: Asset, doors: FileDoors): Promise<void> {
  return doors.gate.run(() =>
    withAssetFile({ ...doors, toHref: (same) => same }, asset, async ({ levels: [{ width, height }] }) => {
      if (width === asset.width && height === asset.height) return;
      throw sourceBroken(
        'other-image',
        `The image has ${width} × ${height} pixels, but the item says ${asset.width} × ${asset.height}.`,
      );
    }),
  );
}

async function naming(href: string, check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!isSwathError(error) || error.tag === 'cancelled' || error.tag === 'internal') throw error;
    throw new SwathError('source-broken', error.code, `${toShownAddress(href)}: ${error.message}`, {
      cause: error,
    });
  }
}
