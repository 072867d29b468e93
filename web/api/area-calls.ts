/** Areas that the server stores for pictures and tasks. */
import type { Outline } from '../scenes/footprint.ts';
import { parseOutline } from '../scenes/footprint.ts';
import { asRecord, asText } from '../scenes/read-json.ts';
import { unknownForm } from './failure.ts';
import type { Requests } from './requests.ts';

/** The calls. */
export interface AreaCalls {
  /** Stores an area, and answers the reference that pictures and tasks take. */
  storeArea(outline: Outline, signal?: AbortSignal): Promise<string>;
  /** A stored area. */
  readArea(ref: string, signal?: AbortSignal): Promise<Outline>;
}

/** Builds them. */
export const makeAreaCalls = ({ readJson, postJson }: Requests): AreaCalls => ({
  async storeArea(geometry, signal) {
    const answer = await postJson(
      'api/render/cropper',
      { type: 'Feature', properties: {}, geometry },
      signal,
    );
    const ref = asText(asRecord(answer).cropper_ref);
    if (ref === null) throw unknownForm();
    return ref;
  },
  async readArea(ref, signal) {
    const feature = asRecord(await readJson(`api/render/cropper/${ref}`, {}, signal));
    const outline = parseOutline(feature.geometry ?? feature);
    if (outline === null) throw unknownForm();
    return outline;
  },
});
