/** Work that never runs twice at once, however often it is requested. */
export interface SerialWork {
  /** Runs the work. While it runs, all requests share one more run after it; resolves when no run is left. */
  request(): Promise<void>;
  /** Resolves when no run is left. */
  settled(): Promise<void>;
}

/**
 * Serializes work that many events request, such as polling a queue. After a failure, requests that came during the run
 * are dropped: the next event requests again.
 */
export function makeSerialWork(
  work: () => Promise<void>,
  onFailure: (error: unknown) => void = () => {},
): SerialWork {
  let running: Promise<void> | null = null;
  let isRequested = false;

  async function run(): Promise<void> {
    try {
      while (isRequested) {
        isRequested = false;
        // Wrapped, so that a synchronous throw is a rejection too and `running` is set before the run ends.
        await (async () => work())();
      }
    } catch (error) {
      onFailure(error);
    } finally {
      running = null;
    }
  }

  return {
    request() {
      isRequested = true;
      running ??= run();
      return running;
    },
    settled: () => running ?? Promise.resolve(),
  };
}
