/** Milliseconds of a day. */
export const DAY_MS = 86_400_000;
/** Milliseconds of an hour. */
export const HOUR_MS = 3_600_000;
/** Bytes of a mebibyte. */
export const MIB = 2 ** 20;

/** Bytes in MiB with one decimal, for people. */
export const toMib = (bytes: number): string => (bytes / MIB).toFixed(1);

/** Bytes in whole MiB, rounded up: what is needed, or a limit. */
export const toWholeMib = (bytes: number): number => Math.ceil(bytes / MIB);
