import assert from 'node:assert/strict';
import { waitFor } from '../../../src/testing/wait-for.ts';
import { DEMO_SCENE } from '../../support/demo-data.ts';
import type { RunningSwath } from '../../support/start-swath.ts';
import { SERVICE_KEY } from '../../support/start-swath.ts';

/** What a poll says about a callback. */
export interface CallbackState {
  readonly state: string;
  readonly attempts: number;
  readonly last_status: number | null;
  readonly last_error: string | null;
}

/** Orders a small file with a callback: the answer as it comes. */
export const orderCallback = ({ url }: RunningSwath, callbackUrl: string): Promise<Response> =>
  fetch(`${url}/api`, {
    method: 'POST',
    headers: { 'x-api-key': SERVICE_KEY },
    body: JSON.stringify({
      type: 'bandmath',
      callback_url: callbackUrl,
      params: { view_id: DEMO_SCENE.viewId, bm_type: 'NDVI', bbox: [-122.41, 48.22, -122.4, 48.225] },
    }),
  });

/** Orders a small file, and waits until its callback is delivered or given up. */
export async function awaitCallback(
  swath: RunningSwath,
  callbackUrl: string,
): Promise<CallbackState & { readonly id: string }> {
  const ordered = await orderCallback(swath, callbackUrl);
  const { task_id: id } = (await ordered.json()) as { task_id: string };
  assert.equal(ordered.status, 202, callbackUrl);
  const read = async (): Promise<CallbackState> => {
    const headers = { 'x-api-key': SERVICE_KEY };
    const poll = await fetch(`${swath.url}/api/${id}`, { headers, redirect: 'manual' });
    return ((await poll.json()) as { callback: CallbackState }).callback;
  };
  let callback = await read();
  await waitFor(async () => {
    callback = await read();
    return callback.state === 'delivered' || callback.state === 'failed';
  });
  return { ...callback, id };
}
