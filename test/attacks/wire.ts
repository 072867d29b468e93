/** Hostile clients speak by hand: raw bytes out, and answers cut apart by their lengths. */
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import type { Pace } from './patience.ts';
import { toLimitMs } from './patience.ts';

/** One answer as it came over a connection. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A connection that records every byte, unless it is paused. */
export interface RawConnection {
  readonly socket: Socket;
  /** When it was opened, by `performance.now()`. */
  readonly openedAt: number;
  /** Milliseconds from opening to the end; null while it is open. */
  closedAfterMs(): number | null;
  received(): Buffer;
  /** Resolves when the connection is closed, by either side. */
  readonly closed: Promise<void>;
}

/** Where to connect, and from which loopback address. */
export interface ConnectOptions {
  readonly port: number;
  readonly localAddress?: string | undefined;
  /** Never reads what the server sends. */
  readonly isPaused?: boolean;
  /** Half-closed sockets stay open for reading. */
  readonly allowHalfOpen?: boolean;
}

/** Opens a raw connection; one that is refused counts as closed, with nothing received. */
export function openRaw({ port, localAddress, isPaused, allowHalfOpen }: ConnectOptions): RawConnection {
  const openedAt = performance.now();
  const socket = connect({
    host: '127.0.0.1',
    port,
    allowHalfOpen: allowHalfOpen ?? false,
    ...(localAddress === undefined ? {} : { localAddress }),
  });
  const parts: Buffer[] = [];
  let closedAt: number | null = null;
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  // A reset is one way of being closed; what matters is when.
  socket.on('error', () => {});
  socket.on('close', () => {
    closedAt = performance.now();
    resolve();
  });
  if (isPaused) socket.pause();
  else socket.on('data', (part: Buffer) => void parts.push(part));
  return {
    socket,
    openedAt,
    closed,
    closedAfterMs: () => (closedAt === null ? null : closedAt - openedAt),
    received: () => Buffer.concat(parts),
  };
}

interface SayOptions {
  readonly silenceMs?: number;
  /** How long the first byte may take where time is judged. */
  readonly firstMs?: number;
  /** For what is waited for in vain: the connection is given up after this time. */
  readonly vainMs?: number;
  readonly isHead?: boolean;
}

/**
 * Sends raw bytes and reads until the server closes, or has been silent for a while. Where time is not judged, silence
 * counts only behind a whole answer that leaves the connection open.
 */
export async function say(
  { port, localAddress, isTimed = true }: ConnectOptions & Partial<Pace>,
  text: string | Buffer,
  { silenceMs = 700, firstMs = 5_000, vainMs, isHead = false }: SayOptions = {},
): Promise<{
  readonly answers: readonly WireAnswer[];
  readonly rest: Buffer;
  readonly isClosed: boolean;
  readonly bytes: Buffer;
}> {
  const connection = openRaw({ port, localAddress });
  connection.socket.write(text);
  await new Promise<void>((resolve) => {
    const limitMs = vainMs ?? toLimitMs(Math.max(firstMs, silenceMs), { isTimed });
    let timer = setTimeout(resolve, limitMs);
    connection.socket.on('data', () => {
      clearTimeout(timer);
      const mayEnd = isTimed || endsOpen(connection.received(), isHead);
      timer = setTimeout(resolve, mayEnd ? silenceMs : limitMs);
    });
    void connection.closed.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
  const isClosed = connection.closedAfterMs() !== null;
  connection.socket.destroy();
  const bytes = connection.received();
  return { ...parseAnswers(bytes, isHead), isClosed, bytes };
}

/** Whether the last of the bytes end an answer after which the connection stays open. */
function endsOpen(bytes: Buffer, isHead: boolean): boolean {
  const { answers, rest } = parseAnswers(bytes, isHead);
  const last = answers.at(-1);
  return rest.length === 0 && last !== undefined && last.status >= 200 && last.headers.connection !== 'close';
}

/** Cuts what came over a connection into answers; `rest` is what does not make a whole one. */
export function parseAnswers(
  bytes: Buffer,
  isHead = false,
): { readonly answers: readonly WireAnswer[]; readonly rest: Buffer } {
  const answers: WireAnswer[] = [];
  let at = 0;
  for (;;) {
    const headEnd = bytes.indexOf('\r\n\r\n', at);
    if (headEnd < 0) break;
    const [first = '', ...lines] = bytes.toString('latin1', at, headEnd).split('\r\n');
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1]);
    if (Number.isNaN(status)) break;
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const hasBody = !isHead && status >= 200 && status !== 204 && status !== 304;
    const found = hasBody
      ? cutBody(bytes, headEnd + 4, headers)
      : { body: Buffer.alloc(0), end: headEnd + 4 };
    if (found === null) break;
    answers.push({ status, headers, body: found.body });
    at = found.end;
  }
  return { answers, rest: bytes.subarray(at) };
}

function cutBody(
  bytes: Buffer,
  start: number,
  headers: Readonly<Record<string, string>>,
): { readonly body: Buffer; readonly end: number } | null {
  if (headers['transfer-encoding'] === 'chunked') return cutChunks(bytes, start);
  // Without a length the body goes on to the end of the connection.
  const length =
    headers['content-length'] === undefined ? bytes.length - start : Number(headers['content-length']);
  if (bytes.length < start + length) return null;
  return { body: bytes.subarray(start, start + length), end: start + length };
}

function cutChunks(bytes: Buffer, start: number): { readonly body: Buffer; readonly end: number } | null {
  const parts: Buffer[] = [];
  let at = start;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (Number.isNaN(size) || bytes.length < lineEnd + 2 + size + 2) return null;
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
    if (size === 0) return { body: Buffer.concat(parts), end: at };
  }
}

/** Whether a body is the one of every error: `{status: false, error, code, request_id}`, and perhaps details. */
export function isErrorBody(body: Buffer): boolean {
  try {
    const value = JSON.parse(body.toString()) as Record<string, unknown>;
    return (
      value.status === false &&
      typeof value.error === 'string' &&
      typeof value.code === 'string' &&
      'request_id' in value
    );
  } catch {
    return false;
  }
}

/** The machine-readable code of an error body; empty if there is none. */
export const readCode = (body: Buffer): string =>
  isErrorBody(body) ? (JSON.parse(body.toString()) as { code: string }).code : '';
