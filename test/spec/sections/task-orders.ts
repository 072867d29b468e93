import { sceneOf } from '../service.ts';
import { damageBand, order } from '../tasks.ts';

/** The form of ids. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

type Body = Readonly<Record<string, unknown>>;

/** Reads an answer in JSON. */
export const read = async (response: Response): Promise<Body> => (await response.json()) as Body;

/** An order of one band. */
export const small = (more: object = {}) => ({ view_id: sceneOf('s2').viewId, bm_type: 'B04', ...more });

/** A picture of 100 million pixels: it takes seconds, and stops when it is told to. */
export const large = () => ({ view_id: sceneOf('s2').viewId, bm_type: 'B04', format: 'png', px_size: 0.072 });

/** Orders a file of a band that is damaged. Gives the id of the task. */
export async function orderDamaged(): Promise<string> {
  const { viewId } = sceneOf('modis');
  damageBand('modis', 'B07qa');
  return (await order('bandmath', { view_id: viewId, bm_type: 'B07qa', reference: 'fails' })).task_id;
}
