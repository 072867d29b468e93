import { createHash } from 'node:crypto';
import { makeScene } from '../../../catalog/testing/make-scene.ts';
import { SwathError } from '../../../errors.ts';
import type { ProductReport } from '../../../ingest/index.ts';
import { makeMemoryDatasetTexts } from '../../../library/testing/memory-library.ts';
import { makeTestApp, readerRecord } from '../../testing/make-test-app.ts';
import type { ItemWriter } from '../transactions.ts';
import { makeMadeCatalog } from './made-catalog.ts';

/** A key that may change the catalog. */
export const CURATOR_KEY = 'a-key-that-may-change-the-catalog';
/** Its record. */
export const curator = [
  createHash('sha256').update(CURATOR_KEY).digest('hex'),
  { ...readerRecord[1], id: 'c1', role: 'ingest' },
] as const;

/** Where items of a collection are. */
export const ITEMS = '/stac/collections/sentinel2/items';

/** The application, and a writer that takes `{"day": 5}` for the item of that day. */
export function makeCurated() {
  const catalog = makeMadeCatalog(makeScene(1));
  const datasetTexts = makeMemoryDatasetTexts();
  const orders: { readonly text: string; readonly isDry: boolean }[] = [];
  const ingest: ItemWriter['ingest'] = async (order): Promise<ProductReport> => {
    orders.push(order);
    const { day, refused } = JSON.parse(order.text) as { day: number; refused?: string };
    if (refused === 'text') throw new SwathError('source-broken', 'stac-no-item', 'This is not a STAC item.');
    if (refused !== undefined)
      return { product: 'x', outcome: 'skipped', code: 'source-not-allowed', reason: 'Not from there.' };
    const scene = makeScene(day);
    const change = (await catalog.scenes.findByViewId(scene.viewId)) === null ? 'added' : 'replaced';
    if (!order.isDry)
      catalog.add({ ...scene, cloudPercent: 77, fields: { ...scene.fields, cloudCoverage: 77 } });
    return { product: 'x', outcome: 'ingested', change, viewId: scene.viewId };
  };
  const app = makeTestApp({
    scenes: catalog.scenes,
    records: [readerRecord, curator],
    itemWriter: { ingest },
    datasetTexts,
  });
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    key: string | undefined = CURATOR_KEY,
  ) => {
    const response = await app.call(path, {
      method,
      key,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    return { status: response.status, headers: response.headers, json };
  };
  return { ...app, send, orders, catalog, datasetTexts };
}
