/** What became of a request that was to be counted. */
export type CountedRequest =
  | {
      readonly isAllowed: true;
      /** How many more are allowed at this moment. */
      readonly remaining: number;
      /** When as many are allowed again as per minute, if none come meanwhile. */
      readonly fullInMs: number;
    }
  | {
      readonly isAllowed: false;
      /** When the next one is allowed, if no other comes first. */
      readonly waitMs: number;
    };

/**
 * Counts requests once for all nodes, by the clock of the database.
 *
 * The rule is a bucket of tokens: it holds `perMinute` of them, each request takes one, and they come back evenly, one
 * every 60 / `perMinute` seconds. A burst of a whole minute's requests is allowed after a pause, and in the long run no
 * more than `perMinute`. A strict window would refuse programs that poll a little too often for a minute or two, such as
 * two tasks whose polls are held for 10 s and repeated after 1 s: eleven a minute.
 */
export interface RateStore {
  /**
   * Counts one more request of an owner under a name, or refuses it; a refused one is not counted. Of many at once, also
   * on several nodes, no more are allowed than there are tokens. After a crash of the machine or the database, the
   * requests of the last minute may be forgotten.
   */
  count(request: RatedRequest): Promise<CountedRequest>;
}

/** A request to be counted. */
export interface RatedRequest {
  readonly owner: string;
  /** What is counted apart from other requests of the owner, such as an endpoint. */
  readonly name: string;
  /** 1 to 1,000,000; the same for all requests of a name. After a change, it applies from the next request on. */
  readonly perMinute: number;
}
