import { sensors } from '../../sensors/index.ts';

/** What a request may ask of the server before anything is computed. Figures: docs/operate/limits.md. */
export const limits = {
  pathChars: 4_096,
  queryChars: 8_192,
  /** Node's own cap covers path, query and headers together. */
  headerBytes: 16_384,
  bodyBytes: 1_048_576,
  /** A file of fields, which goes to the disk. */
  uploadBytes: 256 * 2 ** 20,
  /** Bodies that are on their way, of all callers and of one. */
  bodiesBytes: 64 * 2 ** 20,
  bodiesBytesPerCaller: 16 * 2 ** 20,
  /** Larger ones are parsed one in each turn of the event loop. */
  smallBodyBytes: 32_768,
  jsonDepth: 32,
  /** Longer lists of lists or objects are parsed on other threads. Only geometries are that long. */
  longListChars: 65_536,
  /** Requests that a client may send before it has read the answer to the first; browsers send none. */
  pipelined: 8,
  /** Slow clients: time for the headers, for the whole request, and idle between requests. */
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  keepAliveTimeoutMs: 5_000,
  /** How often connections are checked; timeouts are late by up to this. */
  checkMs: 2_000,
  /** A client that neither sends nor reads for this long, and waits for no answer, is cut off. */
  socketIdleMs: 30_000,
  /** An answer must leave within this and the time that it takes at this rate, however the client reads it. */
  answerMs: 30_000,
  slowestBytesPerS: 8_192,
  /** Answers of all connections that wait for their clients to read. */
  unsentBytes: 256 * 2 ** 20,
  /** Wrong keys from one address, before 403 turns into 429. */
  wrongKeysPerMinute: 30,
  searchLimit: 1_000,
  searchWindow: 100_000,
  searchListItems: 500,
  /** Scenes that one search measures in its area. */
  measuredScenes: 500,
  /** Values of all lists together, times the datasets: databases limit the values of a statement. */
  searchValues: 10_000,
  /** All of them at once, which is what the viewer asks for. */
  searchDatasets: sensors.length,
} as const;
