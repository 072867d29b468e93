/** The code of a system call that failed, such as ENOSPC; null for any other error. */
export const toSystemCode = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;

/** Whether a system call failed because its path is not there. */
export const isGone = (error: unknown): boolean => {
  const code = toSystemCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
};

/** Returns null if the file is missing, because another process may have removed it; throws any other error. */
export function ignoreMissing(error: unknown): null {
  if (toSystemCode(error) === 'ENOENT') return null;
  throw error;
}
