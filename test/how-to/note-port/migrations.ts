/** What the example appends to the migrations of SQLite. */
export const sqliteMigrations: readonly string[] = [
  // Remarks about scenes.
  `CREATE TABLE notes (
     id   TEXT PRIMARY KEY,
     text TEXT NOT NULL
   ) STRICT;`,
];

/** The same for PostgreSQL. */
export const postgresMigrations: readonly string[] = [
  // Remarks about scenes.
  `CREATE TABLE notes (
     id   text COLLATE "C" PRIMARY KEY,
     text text NOT NULL
   );`,
];
