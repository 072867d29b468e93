import type { MultiPolygonGeometry } from '../geo/index.ts';
import type { Composition } from '../mosaic/index.ts';

/** The ground that is watched: fields of the owner, or one area. */
export type WatchedGround =
  | { readonly kind: 'all-fields' }
  | { readonly kind: 'group'; readonly group: string }
  | { readonly kind: 'fields'; readonly ids: readonly string[] }
  | { readonly kind: 'area'; readonly area: MultiPolygonGeometry };

/** A field, or the one area, of a subscription. */
export interface WatchedShape {
  /** 16 hexadecimal digits. */
  readonly id: string;
  readonly name: string | null;
  readonly externalId: string | null;
  readonly geometry: MultiPolygonGeometry;
}

/** The scenes that are looked at, and what is measured in them. */
export interface WatchedValue {
  /** Ids of datasets. */
  readonly datasets: readonly string[];
  /** At least one, with one value a pixel each; the mean over the clear pixels of a field counts. */
  readonly expressions: readonly string[];
  /** A field with more clouds is not measured in that scene. */
  readonly maxCloudPercent: number;
  /** A field of which the scene shows less is not measured in it. */
  readonly minDataPercent: number;
  /** The scenes of a period are put together, and that is measured; absent for scenes one by one. */
  readonly mosaic?: WatchedMosaic;
}

/** Which scenes become one mosaic: those of a week or a month, or those of the days that end with a scene. */
export type Every =
  /** From Monday to Sunday, in UTC. */
  | { readonly kind: 'week' }
  | { readonly kind: 'month' }
  /** Each day with a scene ends a period of so many days. */
  | { readonly kind: 'days'; readonly days: number };

/** How scenes become what is measured. */
export interface WatchedMosaic {
  readonly every: Every;
  /** A period is judged so many days after it has ended: scenes come in late. */
  readonly graceDays: number;
  readonly composition: Composition;
  /** Whether scenes of a dataset go before those of the next one. */
  readonly isRanked: boolean;
  /** Scenes with a larger cloud cover are left out; null for all. */
  readonly maxCloudPercent: number | null;
}

/** What a value is compared with, when it must have changed by an amount. */
export type Reference =
  /** The last value of the field, at most so many days ago. */
  | { readonly kind: 'last'; readonly withinDays: number }
  /** The field's own values of earlier years, around the same day of the year. */
  | { readonly kind: 'normal'; readonly years: number; readonly aroundDays: number }
  /** The fields of this subscription in the same scene. */
  | { readonly kind: 'group' };

/** When an event is made. */
export type Condition =
  /** For every value. */
  | { readonly kind: 'every' }
  /** When the value is below or above a limit, and was not before; each time if `repeats`. */
  | { readonly kind: 'below' | 'above'; readonly limit: number; readonly repeats: boolean }
  /** When the value is lower or higher than its reference by an amount. */
  | { readonly kind: 'drop' | 'rise'; readonly by: number; readonly against: Reference };

/** Where events go; all of them are in the feed. */
export interface Delivery {
  /** Null for none. May hold a secret of the receiver. */
  readonly callbackUrl: string | null;
  /** An address of e-mail; null for none. */
  readonly mailTo: string | null;
}

/** What an owner asks to be told. */
export interface SubscriptionContent {
  readonly ground: WatchedGround;
  readonly value: WatchedValue;
  readonly condition: Condition;
}

/** A stored subscription. */
export interface Subscription extends SubscriptionContent {
  /** The id of an API key. */
  readonly owner: string;
  /** 32 hexadecimal digits, by chance. */
  readonly id: string;
  readonly name: string;
  readonly delivery: Delivery;
  readonly isPaused: boolean;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
  /** The first day of scenes that make events. */
  readonly since: string;
  /** Until when scenes were searched for, ISO 8601 in UTC; null before the first time. */
  readonly checkedAt: string | null;
}

/** What can be changed; a field that is left out stays as it is. */
export interface SubscriptionChanges {
  readonly name?: string;
  readonly delivery?: Delivery;
  readonly isPaused?: boolean;
}

/** A value of one field in one scene. */
export interface Reading {
  readonly fieldId: string;
  readonly value: number;
}

/** Something that happened to a field. */
export interface WatchEvent {
  /** Made of the subscription, the field, the dataset and day or the period, and, of several, the expression: the same event never has two. */
  readonly id: string;
  readonly fieldId: string;
  /** Names of the field at that time; null for an area. */
  readonly fieldName: string | null;
  readonly externalId: string | null;
  /** The scene; of a mosaic the newest one that gave a pixel of the field. */
  readonly viewId: string;
  readonly sceneId: string;
  readonly dataset: string;
  /** ISO 8601 in UTC. */
  readonly acquiredAt: string;
  /** The one of the subscription's expressions whose value met the condition. */
  readonly expression: string;
  readonly value: number;
  /** What the value was compared with: a limit, or the reference; null if nothing. */
  readonly compared: number | null;
  /** What was measured, if that was a mosaic. */
  readonly mosaic?: {
    /** As addresses of mosaics have it. */
    readonly period: string;
    /** The scenes that gave the pixels of the field. */
    readonly viewIds: readonly string[];
  };
}

/** An event with its place in the feed of its subscription. */
export interface FeedEvent extends WatchEvent {
  /** Rises by at least one; holes mean nothing. */
  readonly position: number;
  /** ISO 8601 in UTC. */
  readonly madeAt: string;
}
