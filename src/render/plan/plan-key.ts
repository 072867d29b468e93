import { hash } from 'node:crypto';

/** Raised whenever equal plans begin to give other pixels: it invalidates ETags and stored contrasts. */
export const PIXELS_VERSION = 7;

/** A short name for a long text. */
export const toDigest = (text: string): string => hash('sha256', text, 'hex').slice(0, 32);
