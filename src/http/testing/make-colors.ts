import assert from 'node:assert/strict';
import { makeColormaps } from '../../library/index.ts';
import { makeMemoryColormaps, unlimitedColormaps } from '../../library/testing/memory-library.ts';
import type { RenderOptions } from '../../render/index.ts';
import type { ColorbarJob } from '../../render/pictures/draw-colorbar.ts';
import { makeTestApp, otherRecord, readError, readerRecord } from './make-test-app.ts';

/** Where colormaps are made. */
export const COLORMAP = '/api/render/colormap/';
/** One that clients know by its id. */
export const PRESET = 'a9bc6eceeef2a13bb88a7f641dca3aa0';

/** The whole table of routes over colormaps in memory; colorbars are handed back as what was to be drawn. */
export function makeColors({ maxPerOwner = unlimitedColormaps.maxPerOwner } = {}) {
  const { store, stored } = makeMemoryColormaps();
  const drawn: ColorbarJob[] = [];
  const planned: RenderOptions[] = [];
  const { call, post } = makeTestApp({
    colormaps: makeColormaps({ ...unlimitedColormaps, store, maxPerOwner }),
    records: [readerRecord, otherRecord],
    drawColorbar: async (job) => {
      drawn.push(job);
      return Uint8Array.of(0x89, 0x50, 0x4e, 0x47);
    },
    renderer: {
      plan: async ({ options }) => {
        planned.push(options);
        return { etag: 'e' } as never;
      },
      render: async () => ({ bytes: Uint8Array.of(1), format: 'png', stagesMs: {}, etag: 'e' }),
    },
  });
  const create = async (body: unknown, path = COLORMAP): Promise<string> => {
    const response = await post(path, body);
    assert.equal(response.status, 200, await response.clone().text());
    return ((await response.json()) as { id: string }).id;
  };
  const read = async <Body>(path: string): Promise<Body> => {
    const response = await call(path);
    assert.equal(response.status, 200, path);
    return (await response.json()) as Body;
  };
  const refuse = async (path: string, status: number, code: string): Promise<string> => {
    const response = await call(path);
    assert.equal(response.status, status, path);
    const error = await readError(response);
    assert.equal(error.code, code, path);
    return error.error;
  };
  return { call, post, create, read, refuse, stored, drawn, planned };
}

/** Three classes between values of the data. */
export const discrete = {
  colors: [
    [-1, '#1F4E9E'],
    [0, [0.5, 0.25, 1]],
    [0.4, '#3f9b3f'],
  ],
  type: 'discrete',
  thresholds_type: 'absolute',
  labels: ['water', 'bare <b>', 'green'],
};
