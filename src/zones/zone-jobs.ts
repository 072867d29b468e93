/** The job of zones: it divides the field and writes the answer. */
import { rasterizeArea } from '../areas/index.ts';
import type { AreaOutline, MultiPolygonGeometry } from '../geo/index.ts';
import type { JobHandlers, JobType } from '../pool/index.ts';
import { withTransfer } from '../pool/index.ts';
import type { ZonesRequest } from './draw-zones.ts';
import { drawZones } from './draw-zones.ts';
import type { ZonesFile } from './write-zones.ts';
import { writeZones } from './write-zones.ts';

/** The input of the job that divides the field. */
export interface DrawJob extends Omit<ZonesRequest, 'inside' | 'border'> {
  readonly outline: AreaOutline;
  /** The same area in its normal form, as JSON. */
  readonly geometry: string;
  readonly file: ZonesFile;
}

/** The kind of job. */
export type ZoneJobs = {
  /** The bytes of the file. */
  'draw-zones': JobType<DrawJob, Uint8Array<ArrayBuffer>>;
};

/** What does it. */
export const zoneJobs: JobHandlers<ZoneJobs> = {
  async 'draw-zones'({ outline, geometry, file, ...request }) {
    const inside = rasterizeArea(outline, request.grid, { isExact: true });
    const border = JSON.parse(geometry) as MultiPolygonGeometry;
    const bytes = await writeZones(drawZones({ ...request, inside, border }), file);
    return withTransfer(bytes, [bytes.buffer]);
  },
};
