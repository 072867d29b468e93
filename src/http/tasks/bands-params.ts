import { badInput } from '../../errors.ts';
import type { BandsOrder } from '../../exports/index.ts';
import type { Params } from '../request/params.ts';
import { readSwitch, readTexts } from '../request/params.ts';
import { readScene } from './scene-params.ts';

/** More than any sensor has; which of them exist is checked when the file is planned. */
const MAX_BANDS = 64;
const MAX_METADATA = 20;

/** Reads the params of type `lbe`, except for the area. */
export function readBandsParams(params: Params): Omit<BandsOrder, 'area'> {
  const { viewId, sceneName, sensor } = readScene(params);
  const bands = readTexts(params, 'bands', MAX_BANDS);
  // An empty text is a list of one empty name.
  if (bands === null || bands.every((name) => name === ''))
    throw badInput(
      'bad-bands',
      'bands is required, and must be a list of band names, or a text with commas between them.',
    );
  return {
    viewId,
    sceneName,
    sensor: sensor.abbreviation,
    bands,
    merge: readSwitch(params, 'merge', true),
    metadata: readMetadata(params.metadata ?? []),
  };
}

function readMetadata(value: unknown): BandsOrder['metadata'] {
  if (!Array.isArray(value) || value.length > MAX_METADATA) {
    throw badInput(
      'bad-metadata',
      `metadata must be a list of up to ${MAX_METADATA} objects with a label and a url.`,
    );
  }
  return value.map((item: unknown) => {
    const { label, url } = (typeof item === 'object' && item !== null ? item : {}) as Params;
    if (typeof label !== 'string' || typeof url !== 'string' || label.length > 200 || url.length > 2_048)
      throw badInput('bad-metadata', 'Each item of metadata must have a label and a url, both texts.');
    return { label, url };
  });
}
