/** The files of scenes as they are stored: signed addresses of them, and the endpoint that serves them in ranges. */
import { hash } from 'node:crypto';
import { extname } from 'node:path';
import type { SceneStore } from '../../catalog/index.ts';
import { makeLinkSigner } from '../../keys/index.ts';
import type { ByteSource, OpenSource } from '../../sources/index.ts';
import { notFound } from '../errors.ts';
import { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { beginFileAnswer, breakOffOnFailure } from '../kit/file-answer.ts';
import { json } from '../kit/json-schema.ts';
import { decodeSegments } from '../kit/paths.ts';

/** What the addresses of files begin with. */
const FILES_ROOT = '/stac/files/';

/** How long an address works; addresses of one hour are equal, so that items can be cached. */
const VALID_H = 24;
const HOUR_MS = 3_600_000;

/** A scene, and the key that has asked for the addresses of its files. */
interface LinkedScene {
  /** The id of the key, which grants nothing: the address ends with it. */
  readonly keyId: string;
  readonly viewId: string;
}

/** Whether an address is ours and still valid. */
type LinkState =
  | ({ readonly state: 'valid'; readonly leftS: number; readonly asset: string } & LinkedScene)
  | { readonly state: 'expired' }
  | { readonly state: 'wrong' };

/** Makes addresses of files that work without a key until they expire, and checks them. */
export interface FileLinks {
  /** The path that the addresses of a scene's files begin with; `toFileName` gives their ends. */
  sign(scene: LinkedScene): string;
  /** Until when an address works that is signed now, in seconds since 1970. */
  readExpiry(): number;
  /** Reads the path of an address. */
  check(rawPath: string): LinkState;
}

/** Builds the links. The permission is part of the path, so that programs may add a query of their own. */
export function makeFileLinks(secret: string, wallClockMs: () => number = Date.now): FileLinks {
  const signer = makeLinkSigner(secret);
  const toParts = ({ keyId, viewId }: LinkedScene, expires: string) => ['files', keyId, viewId, expires];
  const readExpiry = (): number => (Math.ceil(wallClockMs() / HOUR_MS) + VALID_H) * (HOUR_MS / 1_000);
  return {
    readExpiry,
    sign(scene) {
      const expires = String(readExpiry());
      const permission = `${encodeURIComponent(scene.keyId)}.${expires}.${signer.sign(toParts(scene, expires))}`;
      return `${FILES_ROOT}${permission}/${scene.viewId}/`;
    },
    check(rawPath) {
      const [permission = '', ...rest] = decodeSegments(rawPath.slice(FILES_ROOT.length));
      const [, keyId, expires, signature] =
        /^([\w-]{1,40})\.(\d{1,12})\.([\w-]{1,100})$/.exec(permission) ?? [];
      const asset = rest.pop()?.replace(/\.(?:tiff?|jp2)$/i, '');
      if (keyId === undefined || expires === undefined || signature === undefined || asset === undefined)
        return { state: 'wrong' };
      const scene = { keyId, viewId: rest.join('/') };
      if (!signer.isValid(toParts(scene, expires), signature)) return { state: 'wrong' };
      const leftS = Number(expires) - wallClockMs() / 1_000;
      return leftS > 0 ? { state: 'valid', leftS, asset, ...scene } : { state: 'expired' };
    },
  };
}

/** The end of an asset's address: its name, and the extension of its file. */
export const toFileName = (asset: string, extension: '.jp2' | '.tif'): string =>
  `${encodeURIComponent(asset)}${extension}`;

/** The extension of a file, by which programs recognise its format. */
export function toExtension(href: string): '.jp2' | '.tif' {
  // Most files; taking the address apart would take a page of items a millisecond.
  if (href.endsWith('.tif')) return '.tif';
  const extension = extname(href.split(/[?#]/)[0] ?? '').toLowerCase();
  return extension === '.jp2' ? '.jp2' : '.tif';
}

/** What files are served with. */
export interface SceneFileDeps {
  readonly scenes: Pick<SceneStore, 'findByViewId'>;
  readonly openFile: OpenSource;
  readonly readFileLinks: () => Promise<FileLinks>;
  /** Whether a key still works: the addresses that it was given end with it. */
  readonly isActiveKey: (id: string) => Promise<boolean>;
}

/** `GET /stac/files/{permission}/{view_id}/{asset}`: a file of a scene, as it is stored. */
export const sceneFile = (deps: SceneFileDeps): Endpoint => ({
  summary: 'A file of a scene as it is stored, without a key',
  description:
    'The address is that of an asset of an item: it works without a key for a day. Single ranges and conditional requests are supported, so GDAL reads it in place (`/vsicurl/`).',
  tag: 'STAC',
  params: {
    permission: { description: 'As the item has it.', schema: json.string() },
    view_id: { description: 'The view id; holds slashes.', schema: json.string() },
    asset: { description: 'The name of the asset, with an extension.', schema: json.string() },
  },
  answers: {
    200: {
      description: 'The whole file.',
      content: { 'image/tiff; application=geotiff': null, 'image/jp2': null },
    },
    206: { description: 'The range of it.' },
    304: { description: 'The client has it already.' },
    404: { description: 'The address is not one of this service, or the scene has no such file any more.' },
    410: {
      description:
        'The address has expired (link-expired), or its key has ended (link-revoked): read the item again.',
    },
    412: { description: 'If-Match names another state of the file.' },
    416: { description: 'The range begins beyond the end of the file.' },
    502: { description: 'The file cannot be read.' },
  },
  handle: (request) => answerFile(request, deps),
});

async function answerFile(request: ApiRequest, deps: SceneFileDeps): Promise<Answer> {
  const link = (await deps.readFileLinks()).check(request.rawPath);
  if (link.state === 'wrong') throw unknownFile();
  if (link.state === 'expired')
    throw notFound('link-expired', 'This address has expired; read the item again for a new one.');
  if (!(await deps.isActiveKey(link.keyId)))
    throw notFound('link-revoked', 'The key that was given this address was revoked or has expired.');
  const scene = await deps.scenes.findByViewId(link.viewId);
  const asset = scene !== null && Object.hasOwn(scene.assets, link.asset) ? scene.assets[link.asset] : null;
  if (asset == null) throw unknownFile();
  const source = await deps.openFile(asset.href, request.ticket.signal);
  let isStreamed = false;
  try {
    const { size: bytes, version } = source;
    const etag = `"${hash('sha256', `${asset.href} ${version}`, 'base64url').slice(0, 27)}"`;
    const extension = toExtension(asset.href);
    const head = beginFileAnswer(request, {
      bytes,
      etag,
      fileName: `${scene?.sceneId}_${link.asset}${extension}`,
      contentType: extension === '.jp2' ? 'image/jp2' : 'image/tiff; application=geotiff',
      maxAgeS: Math.min(MAX_AGE_S, link.leftS),
    });
    if (head instanceof Answer) return head;
    const { status, headers, range } = head;
    if (request.method === 'HEAD') return new Answer(null, { status, headers });
    isStreamed = true;
    const stream = toStream(source, range);
    return new Answer(breakOffOnFailure(stream, request), { status, headers });
  } finally {
    if (!isStreamed) await source.close();
  }
}

/** How long clients may use a file without asking whether it has changed. */
const MAX_AGE_S = 3_600;

/** Bytes that are read at a time. */
const CHUNK_BYTES = 256 * 1_024;

/** The bytes of a range as a stream, which closes the file at its end. */
function toStream(
  source: ByteSource,
  { start, end }: { readonly start: number; readonly end: number },
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = start;
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          if (at < end) {
            const length = Math.min(CHUNK_BYTES, end - at);
            const bytes = await (source.readOnce ?? source.read).call(source, at, length);
            at += length;
            controller.enqueue(bytes as Uint8Array<ArrayBuffer>);
          }
          if (at < end) return;
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        await source.close();
      },
      cancel: () => source.close(),
    },
    { highWaterMark: 0 },
  );
}

const unknownFile = () =>
  notFound('unknown-file', 'There is no such file; addresses of files come from items.');
