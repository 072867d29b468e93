/** Tries a catalog from end to end, for `swath doctor`: its API, each collection, and a file of each. */
import type { StacItem } from '../ingest/index.ts';
import { chooseAddress, makeIsAllowedHref, parseItem } from '../ingest/index.ts';
import { isObject } from '../json.ts';
import type { GuardedFetch, GuardedRequest } from '../net/index.ts';
import { toShownAddress } from '../net/index.ts';
import { parseS3Endpoint, parseS3Href } from '../net/s3.ts';
import type { TryFile } from '../sources/index.ts';
import { makeCatalogClient } from './catalog-client.ts';
import { notAllowed } from './errors.ts';
import type { AskedServer } from './explain-failure.ts';
import { explainAnswer, explainError } from './explain-failure.ts';
import type { LiveCatalog } from './live-catalog.ts';

/** One line of the report. */
export interface CatalogFinding {
  readonly name: string;
  readonly value: string;
  readonly ok: boolean;
}

/** How a catalog is reached. */
export interface ExamineDoors {
  /** To its API. */
  readonly fetch: GuardedFetch;
  readonly tryFile: TryFile;
  readonly nowMs: () => number;
}

/** Each request may take so long: a slow answer says more than none. */
const TIMEOUT_MS = 20_000;
/** One item has some hundred kilobytes at most. */
const MAX_BYTES = 8 * 2 ** 20;

/** Examines a catalog; without its API nothing else is tried. */
export async function examineCatalog(
  catalog: LiveCatalog,
  doors: ExamineDoors,
): Promise<readonly CatalogFinding[]> {
  const api = await examineApi(catalog, doors);
  if (!api.ok) return [api];
  const findings = [api];
  const collections = await listCollections(catalog, doors);
  if (typeof collections === 'string') return [api, bad('collections', collections)];
  for (const collection of new Set(collections)) {
    findings.push(...(await examineCollection(collection, catalog, doors)));
  }
  return findings;
}

/** The collections that the catalog is asked for, or what is wrong with its list of them. */
async function listCollections(
  catalog: LiveCatalog,
  { fetch }: ExamineDoors,
): Promise<readonly string[] | string> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const has = await makeCatalogClient(catalog, fetch).readCollections(signal);
    return has.length > 0
      ? has.map(({ collection }) => collection)
      : 'The catalog lists no collection that Swath knows by its id. Name its collections in a file (docs/use/earth.md, "Your own STAC API").';
  } catch (error) {
    return explainError(error, { url: catalog.url });
  }
}

async function examineApi(catalog: LiveCatalog, doors: ExamineDoors): Promise<CatalogFinding> {
  const name = 'API';
  const { problem, json, ms } = await ask({ url: catalog.url }, catalog, doors);
  if (problem !== null) return bad(name, problem);
  if (!isObject(json) || !Array.isArray(json.links)) {
    return bad(
      name,
      `${toShownAddress(catalog.url)} answers, but is not the root of a STAC API. Check its address in SWATH_CATALOGS.`,
    );
  }
  const version = typeof json.stac_version === 'string' ? `STAC ${json.stac_version.slice(0, 20)}, ` : '';
  return { name, value: `${toShownAddress(catalog.url)}: ${version}${ms} ms`, ok: true };
}

/** One search for one item, and the first bytes of one of its files. */
async function examineCollection(
  collection: string,
  catalog: LiveCatalog,
  doors: ExamineDoors,
): Promise<readonly CatalogFinding[]> {
  const request = {
    url: `${catalog.url}/search`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ collections: [collection], limit: 1 }),
  } as const;
  const { problem, json, ms } = await ask(request, catalog, doors);
  if (problem !== null) return [bad(collection, problem)];
  const features = isObject(json) && Array.isArray(json.features) ? json.features : null;
  if (features === null) return [bad(collection, 'The answer to a search is not a list of items.')];
  if (features.length === 0) {
    return [
      bad(collection, `The catalog has no items in ${collection}. Check the collection in SWATH_CATALOGS.`),
    ];
  }
  const { deadlineMs } = catalog.limits;
  const search =
    ms > deadlineMs
      ? bad(
          collection,
          `A search takes ${ms} ms, above deadlineMs (${deadlineMs}): searches are answered without this catalog. Raise deadlineMs in SWATH_CATALOGS.`,
        )
      : { name: collection, value: `found an item in ${ms} ms`, ok: true };
  return [search, await examineFile(`${collection} files`, features[0], catalog, doors)];
}

async function examineFile(
  name: string,
  feature: unknown,
  catalog: LiveCatalog,
  { tryFile, nowMs }: ExamineDoors,
): Promise<CatalogFinding> {
  const chosen = chooseFile(feature, catalog);
  if ('problem' in chosen) return bad(name, chosen.problem);
  const { href } = chosen;
  const startedMs = nowMs();
  const tried = await tryFile(href, AbortSignal.timeout(TIMEOUT_MS));
  const ms = Math.round(nowMs() - startedMs);
  const server = toServer(href, catalog);
  if (tried.kind === 'failed') {
    if (tried.step === 'file') return bad(name, explainError(tried.error, server));
    const [service] = catalog.sources.tokens ?? [];
    const why = explainToken(tried.error, service?.endpoint ?? href);
    return bad(name, `The token service gives no token: ${why}`);
  }
  const problem = explainAnswer(tried.answer, server);
  if (problem !== null) return bad(name, problem);
  if (tried.answer.status !== 206) {
    return bad(
      name,
      `${toShownAddress(href)} answers without ranges (${tried.answer.status}), which Swath needs.`,
    );
  }
  const how = tried.isSigned ? ', with a key or token' : '';
  return { name, value: `${toShownAddress(href)}: first bytes in ${ms} ms${how}`, ok: true };
}

/** A refusal of the service has its status in the cause; anything else is a failure of the connection. */
function explainToken(error: unknown, endpoint: string): string {
  const { cause } = error as Error;
  const [, status] = /^status (\d{3}) /.exec(cause instanceof Error ? cause.message : '') ?? [];
  return status === undefined
    ? explainError(error, { url: endpoint })
    : `${toShownAddress(endpoint)} answers with status ${status}.`;
}

/** Media types and endings of images. */
const IMAGE = /^image\/(?:tiff|jp2|vnd\.stac\.geotiff)\b/;
const IMAGE_ENDING = /\.(?:tiff?|jp2)(?:$|\?)/i;

/** A file of an item that Swath would read. */
function chooseFile(
  feature: unknown,
  catalog: LiveCatalog,
): { readonly href: string } | { readonly problem: string } {
  let item: StacItem;
  try {
    item = parseItem(feature);
  } catch (error) {
    return { problem: `The item of the catalog is wrong: ${(error as Error).message}` };
  }
  const isAllowedHref = makeIsAllowedHref({ dataDir: '', folders: [], network: catalog.sources });
  const rules = {
    isAllowedHref: (href: string) => /^(?:https?|s3):/.test(href) && isAllowedHref(href),
    toHref(): never {
      throw notAllowed('local-file', 'Items of a live catalog may not refer to files of this machine.');
    },
  };
  const location = { kind: 'url', url: catalog.url } as const;
  const images = item.assets.filter(
    ({ type, hrefs }) => IMAGE.test(type) || hrefs.some((href) => IMAGE_ENDING.test(href)),
  );
  const refused: string[] = [];
  for (const asset of images) {
    const chosen = chooseAddress(asset, { item, location, rules });
    if (chosen.href !== null) return { href: chosen.href };
    refused.push(...chosen.sources);
  }
  if (refused.length === 0) return { problem: `The item ${item.id} has no image that Swath reads.` };
  const places = [...new Set(refused)].slice(0, 5).join(', ');
  return {
    problem: `Files of ${item.id} are at ${places}, which the sources of the catalog do not name. Add them in SWATH_CATALOGS.`,
  };
}

/** Whom a file is asked of. */
function toServer(href: string, { sources }: LiveCatalog): AskedServer {
  if (!/^s3:/.test(href)) return { url: href };
  const { bucket: name } = parseS3Href(href);
  const store = (sources.s3 ?? []).find(({ buckets }) => buckets.includes(name));
  if (store === undefined) return { url: href };
  const { region, credentials, requesterPays = false } = store;
  return {
    url: parseS3Endpoint(store).href,
    bucket: { region, hasKey: credentials !== undefined, requesterPays },
  };
}

interface Asked {
  readonly problem: string | null;
  readonly json: unknown;
  readonly ms: number;
}

async function ask(
  request: Omit<GuardedRequest, 'limitBody'>,
  catalog: LiveCatalog,
  { fetch, nowMs }: ExamineDoors,
): Promise<Asked> {
  const startedMs = nowMs();
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch({ ...request, signal, limitBody: () => MAX_BYTES });
    const ms = Math.round(nowMs() - startedMs);
    const problem = explainAnswer(answer, { url: catalog.url });
    return { problem, json: problem === null ? parseJson(answer.body) : null, ms };
  } catch (error) {
    return { problem: explainError(error, { url: catalog.url }), json: null, ms: 0 };
  }
}

/** Undefined for a text that is not JSON. */
function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

const bad = (name: string, value: string): CatalogFinding => ({ name, value, ok: false });
