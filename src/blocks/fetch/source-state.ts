/**
 * Whether a source is in the state that a catalog knows: a stamp names it, and behind a space that of a sidecar; either
 * may be meant.
 */
export const isInState = (version: string, stamp: string | null): boolean =>
  stamp === null || stamp === version || stamp.startsWith(`${version} `) || stamp.endsWith(` ${version}`);
