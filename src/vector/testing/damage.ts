import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { ShapeFormat } from '../index.ts';
import { readBytes } from './read-rows.ts';

/** Cuts a file or changes a byte of it, many times: each time it is read, or refused with a tagged error. */
export const checkDamaged = (bytes: Buffer, format: ShapeFormat, numRuns: number): Promise<void> =>
  checkDamagedBy((copy) => readBytes(copy, format), bytes, numRuns);

/** The same by any reader. */
export async function checkDamagedBy(
  read: (copy: Buffer) => Promise<unknown>,
  bytes: Buffer,
  numRuns: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), fc.boolean(), async (at, value, isCut) => {
      const copy = Buffer.from(bytes);
      copy[at] = value;
      try {
        await read(isCut ? copy.subarray(0, at) : copy);
      } catch (error) {
        const { tag } = error as { tag?: string };
        assert.match(String(tag), /^(?:bad-input|too-large|unsupported)$/, String(error));
      }
    }),
    { numRuns },
  );
}
