import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { BlobStore } from '../../../objects/index.ts';
import { openBlobs } from '../../../objects/index.ts';
import { makeTestApp } from '../../testing/make-test-app.ts';
import type { StoredResult } from '../result.ts';
import { makeResultLinks } from '../result.ts';

export const scratch = mkdtempSync(join(tmpdir(), 'swath-results-'));
after(() => rmSync(scratch, { recursive: true }));

export const ID = '0b6f0f6e-6f8e-4a2e-9d6a-0c6f1f6f0001';
const NAME = 'S2 поле (NDVI).tif';
export const KEY = `${ID}.1`;
/** More than the buffers of a connection hold. */
export const BYTES = randomBytes(20_000_000);
const links = makeResultLinks({ secret: 'a-secret-for-tests' });
export const makeLink = (more: Partial<{ id: string; fileName: string; leftMs: number }> = {}): string => {
  const { id = ID, fileName = NAME, leftMs = 86_400_000 } = more;
  return links.sign({ id, fileName }, Date.now() + leftMs);
};

export interface ResultOptions {
  readonly blobs?: BlobStore;
  readonly bytes?: Buffer;
  readonly redirects?: boolean;
  readonly isActiveKey?: (id: string) => Promise<boolean>;
}

/** The whole table of routes over one published result. */
export async function makeResults({ bytes = BYTES, redirects = false, ...options }: ResultOptions = {}) {
  const dataDir = mkdtempSync(join(scratch, 'data-'));
  const blobs = options.blobs ?? openBlobs({ dataDir, bucketHref: null });
  const staged = await blobs.stage(KEY);
  await writeFile(staged.path, bytes);
  const { etag } = await staged.publish({ contentType: 'image/tiff' });
  const stored: StoredResult = {
    owner: 'a1',
    blobKey: KEY,
    fileName: NAME,
    contentType: 'image/tiff',
    bytes: bytes.length,
    etag,
  };
  const asked: string[] = [];
  const findResult = async (id: string) => {
    asked.push(id);
    return id === ID ? stored : null;
  };
  const testApp = makeTestApp({
    results: {
      findResult,
      isActiveKey: options.isActiveKey ?? (async () => true),
      blobs,
      readLinks: async () => links,
      redirects,
    },
  });
  const get = (link = makeLink(), headers: Record<string, string> = {}, method = 'GET') =>
    testApp.call(link, { key: null, headers, method });
  return { ...testApp, get, blobs, stored, asked, dataDir };
}

export const readBytes = async (response: Response): Promise<Buffer> =>
  Buffer.from(await response.arrayBuffer());
