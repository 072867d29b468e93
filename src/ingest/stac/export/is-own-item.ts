import { isObject } from '../../../json.ts';

/** True for an item that `toStacItem` wrote. */
export const isOwnItem = (value: unknown): boolean =>
  isObject(value) && isObject(value.properties) && typeof value.properties['swath:view_id'] === 'string';
