/** Values by the names of the wire. */
export type Row = Readonly<Record<string, string | number | null>>;
