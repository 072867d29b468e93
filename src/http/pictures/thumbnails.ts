/** Thumbnails of scenes: how they are drawn and cached, their two addresses, with a key and with a signature, and the one that hits give. */

import type {
  FieldFilter,
  FieldValue,
  Scene,
  SceneName,
  SceneQuery,
  SceneStore,
} from '../../catalog/index.ts';
import { chooseLevel, findScene, toSearchFields } from '../../catalog/index.ts';
import { isSwathError } from '../../errors.ts';
import { makeLinkSigner } from '../../keys/index.ts';
import type { Lru } from '../../lru.ts';
import { makeLru } from '../../lru.ts';
import type { RenderOptions } from '../../render/index.ts';
import { toWholeGrid } from '../../render/index.ts';
import { chooseComposition, sensorByDataset } from '../../sensors/index.ts';
import { badInput, notFound } from '../errors.ts';
import { explainPicture } from '../explain/explain-pictures.ts';
import type { Answer, Drawn } from '../kit/answers.ts';
import { answerDrawn, nameScene, toCacheHeaders } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { EXAMPLE_SCENE, pixelFailures, sensorParameter } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import type { ExplainMode } from '../kit/parameters.ts';
import { readExplainMode } from '../kit/parameters.ts';
import { belowRenderRoot, decodeSegments, parseSceneVerbPath, RENDER_ROOT } from '../kit/paths.ts';
import type { AnswerPictureDeps } from './picture.ts';
import { parsePictureQuery, pictureAnswers } from './picture.ts';
import type { StretchOptions } from './styling.ts';
import { parseStretch, stretchParameters } from './styling.ts';

/** What the addresses of signed thumbnails begin with. */
const SIGNED_THUMBNAILS = `${RENDER_ROOT}thumbnails/`;

/** Makes addresses of thumbnails that work without a key, and checks them. */
export interface ThumbnailLinks {
  /** The path of the address, to be put behind that of the service. */
  sign(viewId: string): string;
  isValid(viewId: string, signature: string): boolean;
}

/**
 * Builds the links. The signature is part of the path, so that an address still works when a client appends or removes a query.
 * Addresses do not expire: clients store the answers to searches. A new secret ends all of them.
 */
export function makeThumbnailLinks(secret: string): ThumbnailLinks {
  const signer = makeLinkSigner(secret);
  const sign = (viewId: string): string =>
    `${SIGNED_THUMBNAILS}${signer.sign(['thumbnail', viewId])}/${viewId}.png`;
  // Every page of items is written with this one, to see whether addresses that were signed before are still right.
  const ofNone = sign('');
  return {
    sign: (viewId) => (viewId === '' ? ofNone : sign(viewId)),
    isValid: (viewId, signature) => signer.isValid(['thumbnail', viewId], signature),
  };
}

/** The signature and view id of a signed address below the root of rendering; null if it is another address. */
function parseSignedThumbnail(below: string): { readonly signature: string; readonly viewId: string } | null {
  const [, signature, viewId] = /^thumbnails\/([^/]*)\/(.+)\.png$/.exec(below) ?? [];
  return signature === undefined || viewId === undefined ? null : { signature, viewId };
}

/** Longer side of a thumbnail (docs/use/interface.md, Previews and thumbnails). */
const THUMBNAIL_SIDE_PX = 256;

/** Room for some hundred thumbnails: the same hits are listed repeatedly, and each thumbnail reads three bands. */
const CACHED_BYTES = 32 * 2 ** 20;

/** Recent thumbnails, by ETag. */
type ThumbnailCache = Lru<Drawn>;

/** Makes the cache. */
export const makeThumbnailCache = (): ThumbnailCache =>
  makeLru<Drawn>({ name: 'thumbnails', max: CACHED_BYTES });

/** What a thumbnail is drawn with. */
interface ThumbnailDeps extends Omit<AnswerPictureDeps, 'scenes'> {
  readonly thumbnailCache: ThumbnailCache;
}

/** Which thumbnail to draw, how it looks, and how clients may cache it. */
interface WantedThumbnail {
  readonly stretch: StretchOptions;
  /** Whether a scene without natural ranges is shown with its own contrast instead of refused. */
  readonly isLenient?: boolean;
  readonly scene: Scene;
  readonly path: SceneName;
  readonly cacheHeaders: Readonly<Record<string, string>>;
  readonly startedAt: number;
  /** Null by default: a signed address is open to anyone. */
  readonly explain?: ExplainMode | null;
}

/** Answers with the whole scene in its default composition. */
async function answerThumbnail(
  request: ApiRequest,
  { scene, path, stretch, isLenient = false, cacheHeaders, startedAt, explain = null }: WantedThumbnail,
  { renderer, explainer, metrics, thumbnailCache }: ThumbnailDeps,
): Promise<Answer> {
  const bands = chooseComposition(path.sensor, (name) => Object.hasOwn(scene.assets, name));
  if (bands === null) throw notFound('nothing-to-show', 'This scene has no band that could be shown.');
  const wanted = {
    ...path,
    bands: bands.join(),
    grid: toWholeGrid(scene.footprint, THUMBNAIL_SIDE_PX),
    options: { ...options, ...stretch },
  };
  const planned = await renderer.plan(wanted).catch((error: unknown) => {
    if (!isLenient || !isSwathError(error) || error.code !== 'no-natural-range') throw error;
    return renderer.plan({ ...wanted, options });
  });
  if (explain !== null)
    return explainPicture(request, planned, { renderer, explainer, metrics, startedAt, mode: explain });
  return answerDrawn(request, {
    etag: planned.etag,
    cacheHeaders,
    startedAt,
    observe: metrics.observeRender,
    async draw() {
      const cached = thumbnailCache.get(planned.etag);
      if (cached !== undefined) return cached;
      const { bytes, stagesMs, etag } = await renderer.render(planned, request.ticket);
      // Its bytes are sent several times: no answer may free them.
      const drawn = { bytes, mediaType: 'image/png', etag };
      thumbnailCache.set(etag, { ...drawn, stagesMs: {} }, bytes.length);
      return { ...drawn, stagesMs };
    },
  });
}

/** A picture as it is without any query, but always a PNG. */
const options: RenderOptions = {
  ...parsePictureQuery(new Map()).options,
  format: 'png',
  color: {},
  area: null,
  watermark: null,
};

type ThumbDeps = ThumbnailDeps & { readonly scenes: SceneStore };

/** `GET /api/render/{sensor}/thumb/{scene_id}`, with or without `.png` (clients build such addresses themselves). */
export const thumb = (deps: ThumbDeps): Endpoint => ({
  summary: 'A thumbnail of a scene',
  description: `The whole scene in its default composition, a PNG of ${THUMBNAIL_SIDE_PX} pixels on the longer side.`,
  tag: 'Render',
  params: {
    sensor: sensorParameter,
    scene_id: {
      description: 'The view id without its sensor; `.png` may follow.',
      schema: json.string(),
      example: `${EXAMPLE_SCENE.sceneId}.png`,
    },
  },
  query: stretchParameters,
  answers: pictureAnswers,
  handle: (request) => answerThumb(request, deps),
});

async function answerThumb(request: ApiRequest, deps: ThumbDeps): Promise<Answer> {
  const startedAt = performance.now();
  const rawPath = request.rawPath.replace(/\/$/, '').replace(/\.png$/i, '');
  const { rest, ...named } = parseSceneVerbPath(rawPath);
  if (rest.length > 0) throw badInput('bad-path', 'The address of a thumbnail ends in {scene_id}.');
  const path = await chooseLevel(deps.scenes, named);
  const scene = await findScene(deps.scenes, path);
  const cacheHeaders = toCacheHeaders(deps.maxAgeS);
  const stretch = parseStretch(request.query);
  const explain = readExplainMode(request.query);
  const wanted = { scene, path, stretch, cacheHeaders, startedAt, explain };
  return nameScene(await answerThumbnail(request, wanted, deps), path);
}

/** What signed thumbnails are served with. */
export interface SignedThumbnailDeps extends ThumbnailDeps {
  readonly scenes: Pick<SceneStore, 'findByViewId'>;
  /** The secret is read, or made, when it is first needed: a store that can only be read serves all else. */
  readonly readThumbnailLinks: () => Promise<ThumbnailLinks>;
}

/** `GET /api/render/thumbnails/{signature}/{view_id}.png`: the thumbnail of a hit, without a key. */
export const signedThumbnail = (deps: SignedThumbnailDeps): Endpoint => ({
  summary: 'The thumbnail of a hit, without a key',
  description:
    'The address is that of `thumbnail` in a hit: it works without a key, also in pages of other origins, and does not expire. Requests per client address are limited.',
  tag: 'Render',
  params: {
    signature: { description: 'As the hit has it.', schema: json.string() },
    view_id: { description: 'The view id; `.png` follows.', schema: json.string() },
  },
  answers: {
    200: { description: 'The whole scene, 256 pixels on the longer side.', content: { 'image/png': null } },
    304: { description: 'The picture you have (If-None-Match) is still current.' },
    404: { description: 'The address is not one of this service, or the scene is no longer in the catalog.' },
    429: {
      description: 'Too many requests from this address; retry after the number of seconds in Retry-After.',
    },
    ...pixelFailures,
  },
  handle: (request) => answerSigned(request, deps),
});

async function answerSigned(request: ApiRequest, deps: SignedThumbnailDeps): Promise<Answer> {
  const startedAt = performance.now();
  const signed = parseSignedThumbnail(decodeSegments(belowRenderRoot(request.rawPath)).join('/'));
  if (signed === null) throw unknownThumbnail();
  const { signature, viewId } = signed;
  const links = await deps.readThumbnailLinks();
  // The signature is checked first, so that an answer does not reveal which scenes exist.
  if (!links.isValid(viewId, signature)) throw unknownThumbnail();
  const scene = await deps.scenes.findByViewId(viewId);
  const sensor = sensorByDataset(scene?.dataset ?? '');
  if (scene === null || sensor === null) throw unknownThumbnail();
  const path = { sensor, viewId, sceneName: viewId.slice(viewId.indexOf('/') + 1) };
  // Proxies may cache it too: the address is the permission.
  const cacheHeaders = { 'cache-control': `public, max-age=${deps.maxAgeS}` };
  // Natural colour, because hits of many dates are shown side by side.
  const stretch = { isNatural: true };
  const wanted = { scene, path, stretch, isLenient: true, cacheHeaders, startedAt };
  return answerThumbnail(request, wanted, deps);
}

const unknownThumbnail = () =>
  notFound('unknown-thumbnail', 'There is no such thumbnail; addresses of thumbnails come from a search.');

/**
 * Which address hits give: `signed` is always ours, and works without a key; `provider` is the provider's where it has one,
 * and otherwise ours, signed; `off` is the provider's, or ours that needs a key.
 */
type ThumbnailChoice = 'signed' | 'provider' | 'off';

/** What addresses of thumbnails are made of. */
export interface ThumbnailAddressDeps {
  readonly thumbnails: ThumbnailChoice;
  readonly readThumbnailLinks: () => Promise<ThumbnailLinks>;
}

/** The address of a scene's thumbnail, from what the catalog stores. It never holds a key. */
export type ToThumbnailAddress = (scene: {
  readonly stored: string;
  readonly viewId: string;
  /** Whether the scene is one of a live catalog, whose files would have to be read for a picture of ours. */
  readonly isLive: boolean;
}) => string;

/** Builds it for the hits of a search. */
export async function makeToThumbnailAddress(
  { thumbnails, readThumbnailLinks }: ThumbnailAddressDeps,
  publicUrl: string,
): Promise<ToThumbnailAddress> {
  const links = thumbnails === 'off' ? null : await readThumbnailLinks().catch(withoutSecret);
  return ({ stored, viewId, isLive }) => {
    if ((thumbnails !== 'signed' || isLive) && isProviders(stored)) return stored;
    if (links !== null) return publicUrl + links.sign(viewId);
    return isProviders(stored) ? stored : `${publicUrl}${RENDER_ROOT}${stored}`;
  };
}

const isProviders = (stored: string): boolean => /^https?:/.test(stored);

/** A search also works without a secret: a read-only store may have none, and cannot get one. */
function withoutSecret(error: unknown): null {
  if (isSwathError(error)) return null;
  throw error;
}

/** A search by addresses as hits show them, as one by what the catalog stores. */
export async function toStoredThumbnails(
  query: SceneQuery,
  { publicUrl, scenes }: { readonly publicUrl: string; readonly scenes: Pick<SceneStore, 'findByViewId'> },
): Promise<SceneQuery> {
  const addresses = query.datasets
    .flatMap(({ filters }) => filters)
    .filter(({ field }) => field === 'thumbnail')
    .flatMap((filter): readonly unknown[] =>
      filter.kind === 'one-of' ? filter.values : [filter.from, filter.to],
    );
  if (addresses.length === 0) return query;
  const root = `${publicUrl}${RENDER_ROOT}`;
  const stored = new Map<unknown, FieldValue>();
  for (const address of new Set(addresses)) {
    if (typeof address !== 'string' || !address.startsWith(root)) continue;
    stored.set(address, await findStored(address.slice(root.length), scenes));
  }
  const toStored = <V extends FieldValue | undefined>(value: V) => (stored.get(value) ?? value) as V;
  const toStoredFilter = (filter: FieldFilter): FieldFilter => {
    if (filter.field !== 'thumbnail') return filter;
    if (filter.kind === 'one-of') return { ...filter, values: filter.values.map(toStored) };
    const { from, to, ...rest } = filter;
    return {
      ...rest,
      ...(from === undefined ? {} : { from: toStored(from) }),
      ...(to === undefined ? {} : { to: toStored(to) }),
    };
  };
  const datasets = query.datasets.map(({ id, filters }) => ({ id, filters: filters.map(toStoredFilter) }));
  return { ...query, datasets };
}

/** The stored thumbnail of the scene that a signed address names: the provider's address, or ours. */
async function findStored(below: string, scenes: Pick<SceneStore, 'findByViewId'>): Promise<FieldValue> {
  const signed = parseSignedThumbnail(below);
  const scene = signed === null ? null : await scenes.findByViewId(signed.viewId);
  return scene === null ? below : (toSearchFields(scene).thumbnail ?? below);
}
