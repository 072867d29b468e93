import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { takeTurn } from '../../async/index.ts';

/** A request and what answers it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Begins to answer. */
  start(): void;
}

/** The requests of one connection, answered one after the other. */
export interface RequestQueue {
  add(exchange: Exchange): void;
  /** The exchange under way; null while the client's next request is awaited. */
  readonly current: Exchange | null;
}

interface RequestQueueOptions {
  /** Requests that may wait behind the one being answered; the connection closes after the last of them. */
  readonly maxWaiting: number;
  /** Told when an exchange begins and when it has ended. */
  readonly onChange: () => void;
}

/**
 * Node hands over all requests that it finds in what a client sent at once, 1,500 of them in 64 KiB, and keeps
 * their answers until the client reads. Here the next one begins when the answer before it has left the process, so that
 * a client that does not read holds one answer in memory. RFC 9112 9.3.2 lets a server close after any answer.
 */
export function makeRequestQueue({ maxWaiting, onChange }: RequestQueueOptions): RequestQueue {
  const waiting: Exchange[] = [];
  let current: Exchange | null = null;
  let isFull = false;

  function take(exchange: Exchange): void {
    current = exchange;
    // Emitted after the last byte has been handed to the system, and when the connection breaks before that.
    exchange.response.once('close', next);
    onChange();
  }

  function next(): void {
    const isOpen = current?.request.socket.destroyed === false;
    current = null;
    onChange();
    const following = waiting.shift();
    if (following === undefined || !isOpen) return;
    take(following);
    // Its turn comes after those of other connections. While the buffers of the system have room, a large answer has left
    // as soon as it is written: nine of 416 kB on each of 200 connections took the event loop for 0.9 s.
    void takeTurn().then(() => {
      if (!following.request.socket.destroyed) following.start();
    });
  }

  return {
    get current() {
      return current;
    },
    add(exchange) {
      if (isFull) return;
      if (current === null) {
        take(exchange);
        exchange.start();
        return;
      }
      waiting.push(exchange);
      if (waiting.length < maxWaiting) return;
      isFull = true;
      exchange.response.shouldKeepAlive = false;
      ignoreFurtherRequests(exchange.request.socket as Socket & ParsedSocket);
    },
  };
}

/** What Node keeps on a socket that it reads requests from. It is not documented, so it may be missing. */
interface ParsedSocket {
  readonly parser?: { onIncoming?: () => number } | null;
}

/** llhttp ends the reading of what it was given at a request that is answered with this, as for an upgrade. */
const NO_MORE_REQUESTS = 2;

/**
 * Nothing that follows on the connection will be answered. Node would still make a request and a response of each of
 * the 1,500 that may be in what it has read: 200 connections of them took the event loop for 4.5 s. Without this hook
 * that is all that is lost.
 */
function ignoreFurtherRequests(socket: ParsedSocket): void {
  const { parser } = socket;
  if (parser?.onIncoming !== undefined) parser.onIncoming = () => NO_MORE_REQUESTS;
}
