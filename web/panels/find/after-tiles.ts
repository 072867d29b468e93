/** Lets the tiles of the map go first. */

/** A tile that hangs keeps nothing else away for longer. */
const MAX_WAIT_MS = 2000;

/** Resolves when the map has drawn what it was told to, or takes too long; rejects if what waits is not wanted any more. */
export const afterTiles = async (whenDrawn: () => Promise<void>, signal: AbortSignal): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, MAX_WAIT_MS);
  });
  await Promise.race([whenDrawn(), tooLong]);
  clearTimeout(timer);
  signal.throwIfAborted();
};
