import { sourceBroken, tooLarge, unsupported } from '../../../errors.ts';

/** Error for a header that contradicts itself or the standard. */
export const damaged = (what: string) => sourceBroken('grib-damaged', `The GRIB file is damaged: ${what}.`);

/** Error for a part that lies beyond the end of the file. */
export const truncated = (what: string) =>
  sourceBroken('grib-truncated', `The GRIB file is cut off: it ends before ${what} does.`);

/** Error for what the standard allows and we do not read; the sentence says what to do. */
export const unread = (code: string, what: string) => unsupported(`grib-${code}`, what);

/** Error for a number over one of the limits. */
export const over = (what: string, count: number, max: number) =>
  tooLarge('grib-too-large', `${what} of the GRIB file has ${count}; at most ${max} are read.`);
