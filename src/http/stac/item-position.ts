/**
 * Where a page of items ends: the next one begins behind this scene, in the order of the search. A position is a place in
 * the order and not a number of scenes, so scenes that come in between shift nothing.
 */
import type { FieldValue, SceneHit, SceneQuery } from '../../catalog/index.ts';
import { compareScenes, compareTexts, toMatchedFields } from '../../catalog/index.ts';
import { badInput } from '../errors.ts';

/** The order of a search. */
export interface ItemOrder extends Readonly<SceneQuery['sort']> {
  /** Whether scenes of a day are in the order of their times; otherwise in that of their names, as search has them. */
  readonly isByTime: boolean;
}

/** A place in an order. */
export interface ItemPosition {
  readonly acquiredAt: string;
  readonly sceneId: string;
  readonly viewId: string;
  readonly dataset: string;
  /** The value of the field that is sorted by. */
  readonly value: FieldValue;
  /** How many scenes of the search were before and at it: a hint, for reading on without a scan. */
  readonly skip: number;
}

/** The position of a scene. */
export function toPosition(hit: SceneHit, { field }: ItemOrder, skip: number): ItemPosition {
  const { acquiredAt, sceneId, viewId, dataset } = hit;
  const fields = toMatchedFields(hit);
  const value = Object.hasOwn(fields, field) ? (fields[field] ?? null) : null;
  return { acquiredAt, sceneId, viewId, dataset, value, skip };
}

/** Whether a scene lies behind a position. */
export function isBehind(hit: SceneHit, position: ItemPosition, order: ItemOrder): boolean {
  if (order.isByTime) return compareTimes(hit, position, order.descending) > 0;
  const { field } = order;
  const scene = { ...position, fields: { [field]: position.value } };
  return compareScenes(hit, scene, order) > 0;
}

/** The order of two scenes by their times; equal ones as search has them. */
export const compareTimes = (
  a: Pick<SceneHit, 'acquiredAt' | 'sceneId' | 'viewId'>,
  b: Pick<SceneHit, 'acquiredAt' | 'sceneId' | 'viewId'>,
  descending: boolean,
): number =>
  (descending ? -1 : 1) * (Date.parse(a.acquiredAt) - Date.parse(b.acquiredAt)) ||
  compareTexts(a.sceneId, b.sceneId) ||
  compareTexts(a.viewId, b.viewId);

/** A token for clients: the position, and the order that it belongs to. */
export function toToken(position: ItemPosition, { field, descending, isByTime }: ItemOrder): string {
  const { acquiredAt, sceneId, viewId, dataset, value, skip } = position;
  const parts = [field, descending, isByTime, acquiredAt, sceneId, viewId, dataset, value, skip];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Longer than any token of ours. */
export const MAX_TOKEN_CHARS = 2_048;

/** The deepest position: those of our own search end there too. */
const MAX_SKIP = 1_000_000;

/** Reads a token of the same order; refuses any other text. */
export function parseToken(token: string, order: ItemOrder): ItemPosition {
  const parts = readParts(token);
  const [field, descending, isByTime, acquiredAt, sceneId, viewId, dataset, value, skip] = parts;
  const texts = [acquiredAt, sceneId, viewId, dataset];
  const isPosition =
    parts.length === 9 &&
    texts.every((one) => typeof one === 'string' && one.length <= 400) &&
    !Number.isNaN(Date.parse(acquiredAt as string)) &&
    (value === null || ['string', 'number', 'boolean'].includes(typeof value)) &&
    Number.isInteger(skip) &&
    (skip as number) >= 0 &&
    (skip as number) <= MAX_SKIP;
  const isSameOrder = field === order.field && descending === order.descending && isByTime === order.isByTime;
  if (!isPosition || !isSameOrder)
    throw badInput('bad-token', 'token must be that of a next link, and the search the same.');
  return {
    acquiredAt: acquiredAt as string,
    sceneId: sceneId as string,
    viewId: viewId as string,
    dataset: dataset as string,
    value: value as FieldValue,
    skip: skip as number,
  };
}

function readParts(token: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    return Array.isArray(parts) ? (parts as unknown[]) : [];
  } catch {
    return [];
  }
}
