import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a request to the store wants, and how it can be answered as it should be. */
export interface StoreRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly offset: number;
  /** Up to the end of the file. */
  readonly length: number;
  readonly bytes: Uint8Array;
  /** Headers of the right answer. */
  readonly headers: Record<string, string | number>;
  answerWell(): void;
}

/** Answers a request, rightly or not. */
export type Behaviour = (request: StoreRequest) => void;

/** A store of one file on the loopback, whose behaviour can be changed at any time. */
export interface FaultyStore extends AsyncDisposable {
  readonly origin: string;
  readonly url: string;
  /** Requests that arrived, and connections. */
  readonly seen: { requests: number; connections: number };
  behave(behaviour: Behaviour): void;
  /** Puts another file under the same name. */
  replace(bytes: Uint8Array, etag: string): void;
}

/** A well-behaved store: ranges, ETag, preconditions. */
export const behaveWell: Behaviour = ({ answerWell }) => answerWell();

/** Starts a store that behaves well until told otherwise. */
export async function startFaultyStore(first: Uint8Array, firstEtag = '"one"'): Promise<FaultyStore> {
  let behaviour = behaveWell;
  let file = { bytes: first, etag: firstEtag };
  const seen = { requests: 0, connections: 0 };
  const server = createServer((request, response) => {
    seen.requests += 1;
    const { bytes, etag } = file;
    const [, start = '0', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const offset = Number(start);
    const length = Math.min(Number(last || bytes.length) + 1, bytes.length) - offset;
    const headers = {
      'content-range': `bytes ${offset}-${offset + length - 1}/${bytes.length}`,
      'content-length': length,
      etag,
    };
    const answerWell = () => {
      const wanted = request.headers['if-match'];
      if (wanted !== undefined && wanted !== etag) response.writeHead(412).end();
      else response.writeHead(206, headers).end(bytes.subarray(offset, offset + length));
    };
    behaviour({ request, response, offset, length, bytes, headers, answerWell });
  });
  server.on('connection', () => {
    seen.connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}/scene.tif`,
    seen,
    behave: (next) => {
      behaviour = next;
    },
    replace: (bytes, etag) => {
      file = { bytes, etag };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
