/** Subscriptions, their events and what was measured for them, as rows of both databases. */

import type { MultiPolygonGeometry } from '../../geo/index.ts';
import type {
  Channel,
  FeedEvent,
  Subscription,
  SubscriptionContent,
  WatchEvent,
  WatchedScene,
} from '../../watch/index.ts';
import { raw } from './sql.ts';

/** A subscription as a row. PostgreSQL gives large numbers as strings. */
export interface SubscriptionRow {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly content: string;
  /** Of a subscription to one area; absent in lists. */
  readonly area?: string | null;
  readonly callback_url: string | null;
  readonly mail_to: string | null;
  readonly is_paused: number;
  readonly created_at: string;
  readonly since: string;
  readonly checked_at: string | null;
}

export interface EventRow {
  readonly position: number | string;
  readonly made_at: string;
  readonly event: string;
}

export interface SendingRow {
  readonly channel: Channel;
  readonly position: number | string;
  readonly attempts: number;
  readonly due_at: number | string;
  readonly last_error: string | null;
}

export const LISTED =
  'id, owner, name, content, callback_url, mail_to, is_paused, created_at, since, checked_at';
/** An area has up to 400 kB, which lists do not read. */
export const COLUMNS = raw(`${LISTED}, area`);

export const toSubscription = (row: SubscriptionRow): Subscription => ({
  ...withArea(JSON.parse(row.content) as SubscriptionContent, row.area ?? null),
  owner: row.owner,
  id: row.id,
  name: row.name,
  delivery: { callbackUrl: row.callback_url, mailTo: row.mail_to },
  isPaused: row.is_paused === 1,
  createdAt: row.created_at,
  since: row.since,
  checkedAt: row.checked_at,
});

export const NO_AREA: MultiPolygonGeometry = { type: 'MultiPolygon', coordinates: [] };

/** The content with its area, or with an empty one. */
const withArea = (content: SubscriptionContent, area: string | null): SubscriptionContent =>
  content.ground.kind === 'area' && area !== null
    ? { ...content, ground: { kind: 'area', area: JSON.parse(area) as MultiPolygonGeometry } }
    : content;

export const toFeedEvent = ({ position, made_at: madeAt, event }: EventRow): FeedEvent => ({
  ...(JSON.parse(event) as WatchEvent),
  position: Number(position),
  madeAt,
});

/** What a scene or a period was made of, as a row: one view id a line. */
export interface SourcesRow {
  readonly view_id: string;
  readonly sources: string;
}

export const toSources = (joined: string): readonly string[] => (joined === '' ? [] : joined.split('\n'));

/** A scene as a row: readings are text, which needs no other form in either database; those of several expressions are joined. */
export interface PackedScene extends SourcesRow {
  readonly day: string;
  readonly readings: string;
}

/** Not a character of base64. */
const SEPARATOR = '.';

const toBase64 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

export const toPacked = ({ viewId, day, sources, readings }: WatchedScene): PackedScene => ({
  view_id: viewId,
  day,
  sources: sources.join('\n'),
  readings: readings.map(toBase64).join(SEPARATOR),
});

export const toScene = ({ view_id: viewId, day, sources, readings }: PackedScene): WatchedScene => ({
  viewId,
  day,
  sources: toSources(sources),
  readings: readings.split(SEPARATOR).map((packed) => new Uint8Array(Buffer.from(packed, 'base64'))),
});
