import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NetworkSources } from '../network-sources.ts';
import type { FakeAnswer } from './fake-s3-operations.ts';
import { operations, refuse } from './fake-s3-operations.ts';
import { isPresignedRightly, isSignedRightly } from './signed-rightly.ts';

/** An object of the fake. */
export interface FakeObject {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly contentType: string;
  readonly modifiedAtMs: number;
}

/** An unfinished multipart upload. */
export interface FakeUpload {
  readonly key: string;
  readonly contentType: string;
  readonly startedAtMs: number;
  readonly parts: Map<number, { readonly bytes: Buffer; readonly etag: string; readonly storedAtMs: number }>;
}

/** A request: its operation, its key, and the number of a part. */
export interface FakeCall {
  readonly operation:
    | 'put'
    | 'get'
    | 'head'
    | 'delete'
    | 'list'
    | 'start-upload'
    | 'put-part'
    | 'complete-upload'
    | 'abort-upload'
    | 'list-uploads'
    | 'list-parts';
  readonly key: string;
  readonly part: number | null;
}

/** A fault of a call. */
export type Fault =
  /** Answers with this status and does nothing. */
  | { readonly status: number; readonly code?: string }
  /** Closes the connection before or after the operation. */
  | { readonly cut: 'before' | 'after' }
  /** Sends only this many bytes of the announced body. */
  | { readonly sendOnly: number }
  /** Never answers. */
  | { readonly hangs: true }
  /** Runs the operation and answers with this ETag. */
  | { readonly etag: string };

/** A bucket in memory that checks signatures. */
export interface FakeS3 {
  readonly port: number;
  readonly objects: Map<string, FakeObject>;
  readonly uploads: Map<string, FakeUpload>;
  readonly calls: FakeCall[];
  /** Called for each request. */
  fault: (call: FakeCall) => Fault | null;
  /** Awaited before each request is answered. */
  pause: (call: FakeCall) => Promise<void>;
  /** How far the clock of the fake is ahead. */
  aheadMs: number;
  /** Whether writes ignore their conditions, as in old services. */
  ignoresConditions: boolean;
  /** Network settings that allow the fake. */
  readonly network: NetworkSources;
  /** Resets the fake: empty, without faults, with the right time. */
  reset(): void;
  stop(): void;
}

/** The bucket of the fake. */
export const FAKE_BUCKET = 'results';
const credentials = { accessKeyId: 'TESTACCESSKEY', secretAccessKey: 'very/secret+key=' };

/** Starts a fake on a port, by default a free one. */
export async function startFakeS3(ownPort = 0): Promise<FakeS3> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void answer(fake, request, response, Buffer.concat(chunks)));
  });
  await new Promise<void>((resolve) => server.listen(ownPort, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const fake: FakeS3 = {
    port,
    objects: new Map(),
    uploads: new Map(),
    calls: [],
    fault: () => null,
    pause: async () => {},
    aheadMs: 0,
    ignoresConditions: false,
    network: {
      privateNetworks: ['127.0.0.0/8'],
      s3: [
        {
          buckets: [FAKE_BUCKET],
          region: 'eu-central-1',
          endpoint: `http://127.0.0.1:${port}`,
          pathStyle: true,
          credentials,
        },
      ],
      limits: { backoffMs: 1, maxBackoffMs: 2 },
    },
    reset() {
      fake.objects.clear();
      fake.uploads.clear();
      fake.calls.length = 0;
      fake.fault = () => null;
      fake.pause = async () => {};
      fake.aheadMs = 0;
      fake.ignoresConditions = false;
    },
    stop() {
      server.close().closeAllConnections();
    },
  };
  return fake;
}

function toCall(request: IncomingMessage, query: URLSearchParams, key: string): FakeCall {
  const has = (name: string): boolean => query.has(name);
  const part = has('partNumber') ? Number(query.get('partNumber')) : null;
  const named = (operation: FakeCall['operation']): FakeCall => ({ operation, key, part });
  switch (request.method) {
    case 'PUT':
      return named(part === null ? 'put' : 'put-part');
    case 'POST':
      return named(has('uploads') ? 'start-upload' : 'complete-upload');
    case 'HEAD':
      return named('head');
    case 'DELETE':
      return named(has('uploadId') ? 'abort-upload' : 'delete');
    default:
      if (key === '') return named(has('uploads') ? 'list-uploads' : 'list');
      return named(has('uploadId') ? 'list-parts' : 'get');
  }
}

async function answer(
  fake: FakeS3,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): Promise<void> {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://store');
  const call = toCall(request, query, decodeURIComponent(pathname.slice(`/${FAKE_BUCKET}/`.length)));
  fake.calls.push(call);
  await fake.pause(call);
  response.setHeader('date', new Date(Date.now() + fake.aheadMs).toUTCString());
  const refusal = findRefusal(request, call, body);
  const fault = refusal === null ? fake.fault(call) : null;
  if (fault !== null && 'hangs' in fault) return;
  if (fault !== null && 'cut' in fault && fault.cut === 'before') {
    response.destroy();
    return;
  }
  const isRefused = fault !== null && 'status' in fault;
  const { status, headers, content } =
    refusal ??
    (isRefused
      ? refuse(fault.status, fault.code ?? 'InternalError')
      : operations[call.operation]({ fake, request, call, query, body, nowMs: Date.now() + fake.aheadMs }));
  if (fault !== null && 'cut' in fault) {
    response.destroy();
    return;
  }
  const told = fault !== null && 'etag' in fault ? { ...headers, etag: fault.etag } : headers;
  response.writeHead(status, told);
  if (fault !== null && 'sendOnly' in fault) {
    response.write(Buffer.from(content).subarray(0, fault.sendOnly), () => response.destroy());
    return;
  }
  response.end(call.operation === 'head' ? '' : content);
}

/** The refusal of a wrong signature or body checksum; null if both are right. */
function findRefusal(request: IncomingMessage, { operation }: FakeCall, body: Buffer): FakeAnswer | null {
  const isTrusted =
    isSignedRightly(request, credentials, body) ||
    (operation === 'get' && isPresignedRightly(request, credentials));
  if (!isTrusted) return refuse(403, 'SignatureDoesNotMatch');
  const md5 = request.headers['content-md5'];
  if (md5 === undefined || md5 === createHash('md5').update(body).digest('base64')) return null;
  return refuse(400, 'BadDigest');
}
