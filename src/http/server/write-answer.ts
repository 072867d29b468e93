import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Answer } from '../kit/answer.ts';

/** Writes an answer; resolves when all of it is handed to Node, or its client has left. */
export function writeAnswer(response: ServerResponse, { status, headers, body }: Answer): Promise<void> {
  const head: Record<string, string | number> = Object.fromEntries(headers);
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    if (body !== null) head['content-length'] ??= Buffer.byteLength(body);
    response.writeHead(status, head);
    response.end(body ?? undefined);
    return Promise.resolve();
  }
  response.writeHead(status, head);
  response.flushHeaders();
  return writeStream(response, body);
}

/** Reads a stream as fast as its client does. */
async function writeStream(response: ServerResponse, stream: ReadableStream<Uint8Array>): Promise<void> {
  const reader = stream.getReader();
  const leave = (): void => void reader.cancel().catch(() => {});
  response.once('close', leave);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!response.write(value)) await drained(response);
    }
    response.end();
  } catch (error) {
    response.destroy(error as Error);
  } finally {
    response.off('close', leave);
  }
}

/** Resolves when the client has read, or left. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.once('drain', go).once('close', go);
    if (response.destroyed) go();
  });

/** How much of a body that no one wants is read, and for how long, so that its connection can be used again. */
const UNWANTED_BYTES = 64 * 2 ** 20;
const UNWANTED_MS = 500;

/** Reads the rest of a request to throw it away; a client that sends too much, or too slowly, is cut off. */
export function discardRest(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return;
  let bytes = 0;
  const cut = (): void => {
    stop();
    (request.socket as Socket).destroySoon();
  };
  const count = (chunk: Uint8Array): void => {
    bytes += chunk.length;
    if (bytes > UNWANTED_BYTES) cut();
  };
  const timer = setTimeout(cut, UNWANTED_MS).unref();
  const stop = (): void => {
    clearTimeout(timer);
    request.off('data', count).off('end', stop).off('error', stop);
  };
  request.on('data', count).on('end', stop).on('error', stop).resume();
}
