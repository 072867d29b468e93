import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { escapeXml } from '../../xml/index.ts';
import type { FakeCall, FakeObject, FakeS3 } from './fake-s3.ts';

/** An answer of the fake. */
export interface FakeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly content: Buffer | string;
}

/** The request of an operation. */
interface Asked {
  readonly fake: FakeS3;
  readonly request: IncomingMessage;
  readonly call: FakeCall;
  readonly query: URLSearchParams;
  readonly body: Buffer;
  readonly nowMs: number;
}

/** Entries per page: few, so that tests need several pages. */
const PAGE = 2;

const toAnswer = (
  status: number,
  headers: FakeAnswer['headers'] = {},
  content: FakeAnswer['content'] = '',
): FakeAnswer => ({ status, headers, content });

/** An error in the XML form of S3. */
export const refuse = (status: number, code: string): FakeAnswer =>
  toAnswer(status, { 'content-type': 'application/xml' }, `<Error><Code>${code}</Code></Error>`);

const md5Of = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
const toTime = (ms: number): string => new Date(ms).toISOString();
const toXml = (name: string, content: string): FakeAnswer =>
  toAnswer(
    200,
    {},
    `<?xml version="1.0"?><${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</${name}>`,
  );

const findUpload = ({ fake, query }: Asked) => fake.uploads.get(query.get('uploadId') ?? '');

/** The S3 operations that Swath uses, on objects in memory. */
export const operations: Readonly<Record<FakeCall['operation'], (asked: Asked) => FakeAnswer>> = {
  put({ fake, request, call, body, nowMs }) {
    const refusal = fake.ignoresConditions ? null : findUnmet(fake.objects.get(call.key), request);
    if (refusal !== null) return refusal;
    const etag = md5Of(body);
    const contentType = request.headers['content-type'] ?? '';
    fake.objects.set(call.key, { bytes: body, etag, contentType, modifiedAtMs: nowMs });
    return toAnswer(200, { etag: `"${etag}"` });
  },
  delete({ fake, call }) {
    fake.objects.delete(call.key);
    return toAnswer(204);
  },
  head: readObject,
  get: readObject,
  list({ fake, query }) {
    const prefix = query.get('prefix') ?? '';
    const found = [...fake.objects.keys()].filter((key) => key.startsWith(prefix)).sort();
    // Keys with a slash after the prefix are listed once, up to the slash.
    const toShown = (key: string): string => {
      const end = query.get('delimiter') === '/' ? key.indexOf('/', prefix.length) : -1;
      return end < 0 ? key : key.slice(0, end + 1);
    };
    const keys = [...new Set(found.map(toShown))];
    const from = Number(query.get('continuation-token') ?? 0);
    const isCut = from + PAGE < keys.length;
    const entries = keys.slice(from, from + PAGE).map((key) => {
      if (!fake.objects.has(key))
        return `<CommonPrefixes><Prefix>${encodeURIComponent(key)}</Prefix></CommonPrefixes>`;
      const { etag, bytes, modifiedAtMs } = fake.objects.get(key) as FakeObject;
      return `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>${toTime(modifiedAtMs)}</LastModified>
        <ETag>&quot;${etag}&quot;</ETag><Size>${bytes.length}</Size></Contents>`;
    });
    const next = isCut ? `<NextContinuationToken>${from + PAGE}</NextContinuationToken>` : '';
    return toXml(
      'ListBucketResult',
      `<EncodingType>url</EncodingType><IsTruncated>${isCut}</IsTruncated>${next}${entries.join('')}`,
    );
  },
  'start-upload'({ fake, request, call, nowMs }) {
    const id = `${randomUUID()}+/=`;
    const contentType = request.headers['content-type'] ?? '';
    fake.uploads.set(id, { key: call.key, contentType, startedAtMs: nowMs, parts: new Map() });
    return toXml('InitiateMultipartUploadResult', `<UploadId>${escapeXml(id)}</UploadId>`);
  },
  'put-part'(asked) {
    const upload = findUpload(asked);
    if (upload === undefined) return refuse(404, 'NoSuchUpload');
    const etag = md5Of(asked.body);
    upload.parts.set(asked.call.part ?? 0, { bytes: asked.body, etag, storedAtMs: asked.nowMs });
    return toAnswer(200, { etag: `"${etag}"` });
  },
  'complete-upload'(asked) {
    const upload = findUpload(asked);
    if (upload === undefined) return refuse(404, 'NoSuchUpload');
    const listed = asked.body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>&quot;(\w+)&quot;/g);
    const parts = [...listed].flatMap(([, number, etag]) => {
      const part = upload.parts.get(Number(number));
      return part !== undefined && part.etag === etag ? [part] : [];
    });
    if (parts.length !== upload.parts.size) return refuse(400, 'InvalidPart');
    const bytes = Buffer.concat(parts.map((part) => part.bytes));
    const md5s = Buffer.concat(parts.map((part) => Buffer.from(part.etag, 'hex')));
    const etag = `${md5Of(md5s)}-${parts.length}`;
    const { key, contentType } = upload;
    asked.fake.objects.set(key, { bytes, etag, contentType, modifiedAtMs: asked.nowMs });
    asked.fake.uploads.delete(asked.query.get('uploadId') ?? '');
    return toXml('CompleteMultipartUploadResult', `<ETag>&quot;${etag}&quot;</ETag>`);
  },
  'abort-upload'({ fake, query }) {
    return fake.uploads.delete(query.get('uploadId') ?? '') ? toAnswer(204) : refuse(404, 'NoSuchUpload');
  },
  'list-uploads'({ fake, query }) {
    const all = [...fake.uploads].filter(([, { key }]) => key.startsWith(query.get('prefix') ?? ''));
    const from = all.findIndex(([id]) => id === query.get('upload-id-marker')) + 1;
    const shown = all.slice(from, from + PAGE);
    const isCut = from + PAGE < all.length;
    const entries = shown.map(
      ([id, { key, startedAtMs }]) =>
        `<Upload><Key>${escapeXml(key)}</Key><UploadId>${escapeXml(id)}</UploadId><Initiated>${toTime(startedAtMs)}</Initiated></Upload>`,
    );
    const [id = '', last] = shown.at(-1) ?? [];
    const next = `<NextKeyMarker>${escapeXml(last?.key ?? '')}</NextKeyMarker><NextUploadIdMarker>${escapeXml(id)}</NextUploadIdMarker>`;
    return toXml(
      'ListMultipartUploadsResult',
      `<IsTruncated>${isCut}</IsTruncated>${isCut ? next : ''}${entries.join('')}`,
    );
  },
  'list-parts'(asked) {
    const upload = findUpload(asked);
    if (upload === undefined) return refuse(404, 'NoSuchUpload');
    const after = Number(asked.query.get('part-number-marker') ?? 0);
    const left = [...upload.parts].filter(([number]) => number > after).sort(([a], [b]) => a - b);
    const shown = left.slice(0, PAGE);
    const isCut = left.length > PAGE;
    const entries = shown.map(
      ([number, { storedAtMs }]) =>
        `<Part><PartNumber>${number}</PartNumber><LastModified>${toTime(storedAtMs)}</LastModified></Part>`,
    );
    const next = `<NextPartNumberMarker>${shown.at(-1)?.[0]}</NextPartNumberMarker>`;
    return toXml(
      'ListPartsResult',
      `<IsTruncated>${isCut}</IsTruncated>${isCut ? next : ''}${entries.join('')}`,
    );
  },
};

/** The answer to a write if its condition is not met; null otherwise. */
function findUnmet(object: FakeObject | undefined, { headers }: IncomingMessage): FakeAnswer | null {
  if (headers['if-none-match'] === '*' && object !== undefined) return refuse(412, 'PreconditionFailed');
  const ifMatch = headers['if-match'];
  if (ifMatch === undefined) return null;
  if (object === undefined) return refuse(404, 'NoSuchKey');
  return ifMatch === `"${object.etag}"` ? null : refuse(412, 'PreconditionFailed');
}

function readObject({ fake, request, call, query }: Asked): FakeAnswer {
  const object = fake.objects.get(call.key);
  if (object === undefined) return refuse(404, 'NoSuchKey');
  const { bytes, etag, modifiedAtMs } = object;
  const ifMatch = request.headers['if-match'];
  if (ifMatch !== undefined && ifMatch !== `"${etag}"`) return refuse(412, 'PreconditionFailed');
  if (request.headers['if-none-match'] === `"${etag}"`) return toAnswer(304, { etag: `"${etag}"` });
  const disposition = query.get('response-content-disposition');
  const headers = {
    etag: `"${etag}"`,
    'content-type': query.get('response-content-type') ?? object.contentType,
    'last-modified': new Date(modifiedAtMs).toUTCString(),
    ...(disposition === null ? {} : { 'content-disposition': disposition }),
  };
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (first === undefined) return toAnswer(200, { ...headers, 'content-length': bytes.length }, bytes);
  const [start, end] = [Number(first), Math.min(Number(last) + 1, bytes.length)];
  if (start >= bytes.length) return refuse(416, 'InvalidRange');
  const range = {
    'content-range': `bytes ${start}-${end - 1}/${bytes.length}`,
    'content-length': end - start,
  };
  return toAnswer(206, { ...headers, ...range }, bytes.subarray(start, end));
}
