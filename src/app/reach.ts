import type { Scene, SceneStore } from '../catalog/index.ts';
import { isSwathError } from '../errors.ts';
import type { Log } from '../http/index.ts';
import type { OpenSource } from '../sources/index.ts';

/** A place that holds files of scenes, none of which this node can read. */
export interface Unreached {
  /** A host, a bucket, a folder, or the data directory. */
  readonly place: string;
  /** A scene in it. */
  readonly viewId: string;
  readonly reason: string;
}

interface ReachDeps {
  readonly scenes: Pick<SceneStore, 'countByDataset' | 'search'>;
  readonly open: OpenSource;
  readonly signal: AbortSignal;
}

/** How often a node tries to read each place. */
export const REACH_EVERY_MS = 5 * 60_000;

/** Sampled scenes of a dataset: as many of the first and of the last ones, whose files may be in different places. */
const SAMPLE = 3;

/** Paths with the same first names, this many, count as one folder. */
const FOLDER_NAMES = 3;

/**
 * Opens one file in each place that holds scenes of the catalog. Nodes share the catalog, so the address of a file must mean
 * the same on all of them. Without this check, a folder that is not mounted here, or a host that the settings do not name,
 * would be noticed only when somebody requests a picture.
 */
export async function findUnreached({ scenes, open, signal }: ReachDeps): Promise<readonly Unreached[]> {
  const places = new Map<string, { readonly viewId: string; readonly href: string }>();
  for (const dataset of (await scenes.countByDataset()).keys()) {
    for (const descending of [true, false]) {
      signal.throwIfAborted();
      const page = await scenes.search({
        datasets: [{ id: dataset, filters: [] }],
        sort: { field: 'date', descending },
        offset: 0,
        limit: SAMPLE,
      });
      for (const scene of page.scenes) {
        const [href] = listHrefs(scene);
        if (href !== undefined) places.set(toPlace(href), { viewId: scene.viewId, href });
      }
    }
  }
  const unreached: Unreached[] = [];
  for (const [place, { viewId, href }] of places) {
    try {
      const source = await open(href, signal);
      await source.close();
    } catch (error) {
      signal.throwIfAborted();
      if (!isSwathError(error)) throw error;
      unreached.push({ place, viewId, reason: error.message });
    }
  }
  return unreached;
}

/** Checks repeatedly which places this node cannot read. */
export interface ReachWatch {
  /** How many places cannot be read; null before the first check. */
  count(): number | null;
  /** Checks now, and logs each place whose state has changed. */
  look(): Promise<void>;
}

/** Builds the watch. If the store fails, the last result stays; the failure is logged where it is noticed. */
export function watchReach({ log, ...deps }: ReachDeps & { readonly log: Log }): ReachWatch {
  let known: ReadonlySet<string> | null = null;
  return {
    count: () => known?.size ?? null,
    async look() {
      const unreached = await findUnreached(deps).catch(() => null);
      if (unreached === null) return;
      for (const one of unreached)
        if (known?.has(one.place) !== true)
          log.warn({ place: one.place, view_id: one.viewId }, `this node cannot read ${toProblem(one)}`);
      const places = new Set(unreached.map(({ place }) => place));
      for (const place of known ?? [])
        if (!places.has(place)) log.info({ place }, `this node can read scenes in ${place} again`);
      known = places;
    },
  };
}

/** The message for operators about a place. */
export const toProblem = ({ place, viewId, reason }: Unreached): string =>
  `scenes in ${place}, such as ${viewId}: ${reason} All nodes need the same files under the same addresses, and SWATH_SOURCES must name them`;

const listHrefs = ({ assets }: Scene): readonly string[] => Object.values(assets).map(({ href }) => href);

/** The place of an address: its host or bucket, the beginning of its folder, or the data directory. */
function toPlace(href: string): string {
  const [remote] = /^\w+:\/\/[^/]+/.exec(href) ?? [];
  if (remote !== undefined) return remote;
  if (!href.startsWith('/')) return 'the data directory';
  return href
    .split('/')
    .slice(0, -1)
    .slice(0, FOLDER_NAMES + 1)
    .join('/');
}
