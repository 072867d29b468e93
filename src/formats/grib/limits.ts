/**
 * Every bound of the GRIB reader, in one file (docs/operate/hardening.md). A file outside of them is refused before anything of
 * that size is allocated.
 */

/** Fields of a file: eight variables of every hour of a year are 70,080; a GFS file has 743. */
export const MAX_FIELDS = 100_000;
/** Points of a field, as many as a data cube has cells at most. */
export const MAX_POINTS = 2 ** 25;
/** Bytes of a section that is read whole for what it says; those of real files have below 2,000. */
export const MAX_SECTION_BYTES = 2 ** 16;
/** Stored bytes of the numbers of a field: 64 bits a point. */
export const MAX_DATA_BYTES = 8 * MAX_POINTS;
/** Bytes in front of a message: headings of the WMO have 40, and some writers fill up blocks. */
export const MAX_GAP_BYTES = 2 ** 16;
/** Bits of a packed number: more than 32 are not in use. */
export const MAX_BITS = 32;
/** Read at once where headers are; header sections of most messages have some hundred bytes. */
export const HEAD_READ_BYTES = 2_048;
