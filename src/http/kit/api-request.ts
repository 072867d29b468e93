import type { KeyRecord } from '../../keys/index.ts';
import type { Ticket } from '../../pool/index.ts';
import type { Query } from './query.ts';

/** Headers of a request, by their lower-case names. */
export interface RequestHeaders {
  get(name: string): string | null;
}

/** A request as handlers see it: parsed and identified. */
export interface ApiRequest {
  readonly id: string;
  /** `HEAD` too: it is answered by the routes of GET, and its body is left out. */
  readonly method: string;
  /** The path as it came, still percent-encoded, without the query. */
  readonly rawPath: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly headers: RequestHeaders;
  /** The caller's key; null on open routes. */
  readonly key: KeyRecord | null;
  /** Address users reach us at, without a trailing slash, for links in answers. */
  readonly publicUrl: string;
  /** The ticket of pool work: keys take turns at the threads, and work is aborted when its client leaves. */
  readonly ticket: Ticket;
  readJson(maxBytes?: number): Promise<unknown>;
  /** Reads an optional body; undefined if there is none. */
  readOptionalJson(): Promise<unknown>;
  /** The text of a JSON body, for parsers on other threads. */
  readJsonText(): Promise<string>;
  /** Reports an unknown name, with a suggestion, in a header of the answer. */
  readonly tellIgnored: (name: string, known: Iterable<string>) => void;
  /** Calls when the whole answer is out of our hands; not at all when the client leaves before. */
  onSent(listener: () => void): void;
  /**
   * Ends the connection in the middle of an answer, so that the client can tell that it is not whole, and logs why. False
   * without a connection, as in tests.
   */
  breakOff(error: unknown): boolean;
}
