import { z } from 'zod';
import type { SceneStore } from '../../catalog/index.ts';
import { notFound } from '../../errors.ts';
import { sensorByDataset } from '../../sensors/index.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { pixelFailures } from '../endpoint/shared-docs.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { belowRenderRoot, decodeSegments } from '../request/render-path.ts';
import type { ThumbnailDeps } from './draw-thumbnail.ts';
import { answerThumbnail } from './draw-thumbnail.ts';
import type { ThumbnailLinks } from './thumbnail-links.ts';
import { parseSignedThumbnail } from './thumbnail-links.ts';

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
    'Under the address that `thumbnail` of a hit gives: it works without a key, in pages of other origins too, and does not expire. Requests of one client address are limited.',
  tag: 'Render',
  params: {
    signature: { description: 'As the hit has it.', schema: z.string() },
    view_id: { description: 'The view id; `.png` follows.', schema: z.string() },
  },
  answers: {
    200: { description: 'The whole scene, 256 pixels on the longer side.', content: { 'image/png': null } },
    304: { description: 'The picture you have (If-None-Match) is still right.' },
    404: { description: 'The address is not ours, or the scene is no longer in the catalog.' },
    429: { description: 'Too many requests from this address; come back after Retry-After seconds.' },
    ...pixelFailures,
  },
  handle: (request) => answer(request, deps),
});

async function answer(request: ApiRequest, deps: SignedThumbnailDeps): Promise<Response> {
  const startedAt = performance.now();
  const signed = parseSignedThumbnail(decodeSegments(belowRenderRoot(request.rawPath)).join('/'));
  if (signed === null) throw unknownThumbnail();
  const { signature, viewId } = signed;
  const links = await deps.readThumbnailLinks();
  // Only a caller with an address of ours makes us look: the answer tells nothing about which scenes there are.
  if (!links.isValid(viewId, signature)) throw unknownThumbnail();
  const scene = await deps.scenes.findByViewId(viewId);
  const sensor = sensorByDataset(scene?.dataset ?? '');
  if (scene === null || sensor === null) throw unknownThumbnail();
  const path = { sensor, viewId, sceneName: viewId.slice(viewId.indexOf('/') + 1) };
  // Proxies may cache it too: the address is the permission.
  const cacheHeaders = { 'cache-control': `public, max-age=${deps.maxAgeS}` };
  // The address is ours, and hits of many dates stand next to each other.
  const stretch = { isNatural: true };
  const wanted = { scene, path, stretch, isLenient: true, cacheHeaders, startedAt };
  return answerThumbnail(request, wanted, deps);
}

const unknownThumbnail = () =>
  notFound('unknown-thumbnail', 'There is no such thumbnail; addresses of thumbnails come from a search.');
