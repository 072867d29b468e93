/** A name of a table or column as part of a query of SQLite. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
