import type { IncomingMessage, ServerResponse } from 'node:http';

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

  function begin(exchange: Exchange): void {
    current = exchange;
    // Emitted after the last byte has been handed to the system, and when the connection breaks before that.
    exchange.response.once('close', next);
    onChange();
    exchange.start();
  }

  function next(): void {
    const isOpen = current?.request.socket.destroyed === false;
    current = null;
    onChange();
    const following = waiting.shift();
    if (following !== undefined && isOpen) begin(following);
  }

  return {
    get current() {
      return current;
    },
    add(exchange) {
      if (isFull) return;
      if (current === null) {
        begin(exchange);
        return;
      }
      waiting.push(exchange);
      if (waiting.length < maxWaiting) return;
      isFull = true;
      exchange.response.shouldKeepAlive = false;
    },
  };
}
