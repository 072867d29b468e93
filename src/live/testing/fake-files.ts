import type { IncomingMessage, ServerResponse } from 'node:http';
import { makeLru } from '../../lru.ts';
import { isSignedRightly } from '../../sources/testing/signed-rightly.ts';
import type { MakeFile } from './made-item.ts';
import { digits } from './made-item.ts';
import type { VirtualFile } from './virtual-file.ts';

/** What goes wrong with the answer for a file. */
export type FileFault =
  /** 403, 404, 429 with Retry-After, 500 … */
  | { readonly status: number; readonly retryAfter?: string }
  | { readonly redirectTo: string; readonly status?: 301 | 302 | 307 | 308 }
  /** Breaks the connection before an answer. */
  | { readonly cut: true }
  /** Sends only so many bytes of the body that it has announced, then breaks the connection. */
  | { readonly sendOnly: number }
  /** Sends half of the body, and the rest when this is done. */
  | { readonly halfUntil: Promise<unknown> }
  /** Announces a total length of the file that is wrong. */
  | { readonly wrongSize: number }
  /** Announces so many bytes of body more than it has; the client waits in vain, and then the connection ends. */
  | { readonly wrongLength: number }
  /** The file is said to be another version. */
  | { readonly etag: string }
  /** Answers the whole file with 200, as servers without ranges do. */
  | { readonly ignoresRange: true };

/** Who may read the files of a bucket, which is the first part of their path. */
export interface BucketRules {
  /** Requests must be signed with these, as for `s3://` addresses. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly requesterPays?: boolean;
  /** Addresses must carry a token of the fake's token service. */
  readonly tokens?: boolean;
}

/** Finds what makes the file of a path. */
export type FindFile = (path: string) => MakeFile | null;

interface FilesOptions {
  readonly find: FindFile;
  readonly rules: ReadonlyMap<string, BucketRules>;
}

/** The files of a fake. */
export interface FakeFiles {
  answer(request: IncomingMessage, response: ServerResponse, fault: FileFault | null): Promise<void>;
  /** Answers requests for tokens: `{…}/account/container`. */
  answerToken(path: string, response: ServerResponse): void;
  /** Makes files anew: their items have changed. */
  forget(): void;
}

/** Files that are ready, by their number; each takes some ten to some hundred kilobytes. */
const MAX_FILES = 2_000;

/** Builds the server of files. */
export function makeFakeFiles({ find, rules }: FilesOptions): FakeFiles {
  const made = makeLru<Promise<VirtualFile>>({ max: MAX_FILES });
  /** Tokens that were given, by the bucket that they are for. */
  const toToken = (bucket: string): string => `se=2099-01-01&sp=rl&sig=${digits(24, 'token', bucket)}`;

  const mayRead = (request: IncomingMessage, url: URL): boolean => {
    const bucket = url.pathname.split('/')[1] ?? '';
    const { credentials, requesterPays = false, tokens = false } = rules.get(bucket) ?? {};
    if (credentials !== undefined && !isSignedRightly(request, credentials)) return false;
    if (requesterPays && request.headers['x-amz-request-payer'] !== 'requester') return false;
    return !tokens || url.search.includes(toToken(bucket));
  };

  return {
    async answer(request, response, fault) {
      const url = new URL(request.url ?? '/', 'http://fake');
      const path = decodeURIComponent(url.pathname);
      if (fault !== null && 'cut' in fault) {
        response.destroy();
        return;
      }
      if (fault !== null && 'redirectTo' in fault) {
        response.writeHead(fault.status ?? 302, { location: fault.redirectTo }).end();
        return;
      }
      if (fault !== null && 'status' in fault) {
        const { status, retryAfter } = fault;
        response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end();
        return;
      }
      if (!mayRead(request, url)) {
        response
          .writeHead(403, { 'content-type': 'application/xml' })
          .end('<Error><Code>AccessDenied</Code></Error>');
        return;
      }
      const make = find(path);
      if (make === null) {
        response
          .writeHead(404, { 'content-type': 'application/xml' })
          .end('<Error><Code>NoSuchKey</Code></Error>');
        return;
      }
      const file = await made.remember(path, async () => make());
      send(request, response, { file, fault });
    },
    answerToken(path, response) {
      const bucket = path.split('/').at(-1) ?? '';
      const answer = { 'msft:expiry': '2099-01-01T00:00:00Z', token: toToken(bucket) };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    },
    forget: () => made.clear(),
  };
}

interface Sent {
  readonly file: VirtualFile;
  readonly fault: FileFault | null;
}

function send(request: IncomingMessage, response: ServerResponse, { file, fault }: Sent): void {
  const told = fault !== null && 'etag' in fault ? fault.etag : file.etag;
  const wanted = request.headers['if-match'];
  if (wanted !== undefined && wanted !== '*' && wanted !== told) {
    response.writeHead(412, { etag: told }).end();
    return;
  }
  const isPartial = !(fault !== null && 'ignoresRange' in fault);
  const range = isPartial ? parseRange(request.headers.range, file.size) : null;
  const size = fault !== null && 'wrongSize' in fault ? fault.wrongSize : file.size;
  const headers: Record<string, string | number> = {
    'accept-ranges': 'bytes',
    'content-type': file.type,
    etag: told,
    'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
  };
  if (range === 'unsatisfiable') {
    response.writeHead(416, { ...headers, 'content-range': `bytes */${size}` }).end();
    return;
  }
  const [start, end] = range ?? [0, file.size];
  const more = fault !== null && 'wrongLength' in fault ? fault.wrongLength : 0;
  headers['content-length'] = end - start + more;
  if (range !== null) headers['content-range'] = `bytes ${start}-${end - 1}/${size}`;
  response.writeHead(range === null ? 200 : 206, headers);
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const body = file.read(start, end);
  if (fault !== null && 'sendOnly' in fault) {
    response.write(body.subarray(0, fault.sendOnly), () => response.destroy());
  } else if (more !== 0) {
    response.write(body, () => response.destroy());
  } else if (fault !== null && 'halfUntil' in fault) {
    const half = body.length >> 1;
    response.write(body.subarray(0, half));
    void fault.halfUntil.then(() => response.end(body.subarray(half)));
  } else response.end(body);
}

/** First byte and the one after the last; null without a range that can be obeyed. */
function parseRange(
  text: string | undefined,
  size: number,
): readonly [number, number] | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(text ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') return [Math.max(0, size - Number(last)), size];
  if (Number(first) >= size) return 'unsatisfiable';
  return [Number(first), last === '' ? size : Math.min(size, Number(last) + 1)];
}
