/** A line about a bug that a file has found, with where it is. */
export const toBugNote = (error: unknown, file: string): string =>
  `${file}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
