/** What a band measures, for names that work on every sensor. */
export type BandRole =
  | 'COASTAL'
  | 'BLUE'
  | 'GREEN'
  | 'RED'
  | 'REDEDGE1'
  | 'REDEDGE2'
  | 'REDEDGE3'
  | 'NIR'
  | 'NIR2'
  | 'WATERVAPOUR'
  | 'CIRRUS'
  | 'SWIR1'
  | 'SWIR2';

/** One band of a sensor. */
export interface Band {
  readonly name: string;
  readonly role: BandRole;
  readonly centreNm: number;
  readonly resolutionM: number;
}

/** The type of a dataset's field, which decides how text in a filter is read and compared. */
export type FieldType = 'string' | 'number' | 'boolean' | 'date';

/** All that Swath knows about a sensor. One file a sensor; nothing about it anywhere else. */
export interface Sensor {
  /** Dataset id of search. */
  readonly dataset: string;
  /** First segment of view ids, case-sensitive. */
  readonly abbreviation: string;
  readonly title: string;
  /** The scene name inside a view id. */
  readonly sceneName: {
    /** How many path segments it has. */
    readonly segments: number;
    /** The canonical segments, or null when they do not follow the grammar. */
    readonly parse: (segments: readonly string[]) => readonly string[] | null;
  };
  readonly bands: readonly Band[];
  /** Bands of a natural picture: red, green, blue. */
  readonly defaultComposition: readonly [red: string, green: string, blue: string];
  /**
   * Whether a product's radiometric offset is taken off when reading, so that digital numbers of all processing
   * baselines mean the same.
   */
  readonly removesOffset: boolean;
  /** Scalar fields of a search hit, by their names on the wire. */
  readonly hitFields: Readonly<Record<string, FieldType>>;
}
