import { makeBlockCache, makeThreadTools } from '../../src/blocks/index.ts';
import type { HitPage, Scene, SceneQuery } from '../../src/catalog/index.ts';
import { compareScenes, matchesFilters, toMatchedFields } from '../../src/catalog/index.ts';
import { makeResultCache } from '../../src/files/index.ts';
import { relates } from '../../src/geo/index.ts';
import type { ComposeJobs, MosaicPictureRequest, Mosaics } from '../../src/mosaic/index.ts';
import { makeMosaicJobs, makeMosaics } from '../../src/mosaic/index.ts';
import { aTicket, makeRunnerHere } from '../../src/pool/testing/run-here.ts';
import type { PlannedPicture } from '../../src/render/index.ts';
import { planPicture } from '../../src/render/pictures/plan-picture.ts';
import { toEtag } from '../../src/render/plan/render-plan.ts';
import { stillFiles } from '../../src/render/scenes/testing/still-files.ts';
import type { OpenSourceOptions } from '../../src/sources/index.ts';

/** Reads the values of a mosaic, pixel by pixel. */
export type ReadMosaic = (request: MosaicPictureRequest) => ReturnType<Mosaics['readValues']>;

/** Makes mosaics of scenes whose files are on disk, with jobs on this thread and without a catalog. */
export function makeReadMosaic(scenes: readonly Scene[], files: OpenSourceOptions): ReadMosaic {
  const blocks = makeBlockCache(32 * 2 ** 20).handle;
  const pool = makeRunnerHere<ComposeJobs>(makeMosaicJobs(makeThreadTools({ files, blocks })));
  const mosaics = makeMosaics({
    scenes: { searchHits: async (query) => search(scenes, query) },
    renderer: {
      async plan(request): Promise<PlannedPicture> {
        const scene = scenes.find(({ viewId }) => viewId === request.viewId);
        if (scene === undefined) throw new Error(`no scene ${request.viewId}`);
        const plan = planPicture(request, scene);
        return { plan, scene, etag: toEtag(plan), outline: null, request };
      },
      findContrast: () => Promise.reject(new Error('values have no contrast')),
    },
    watch: stillFiles,
    pool,
    results: makeResultCache(null),
    pyramids: null,
    nowMs: () => 0,
  });
  return async (request) => mosaics.readValues(await mosaics.plan(request), null, aTicket);
}

function search(scenes: readonly Scene[], { datasets, shape, sort, limit }: SceneQuery): HitPage {
  const found = scenes
    .filter((scene) =>
      datasets.some(
        ({ id, filters }) => id === scene.dataset && matchesFilters(toMatchedFields(scene), filters),
      ),
    )
    .filter(({ footprint }) => shape === undefined || relates(footprint, shape.geometry, shape.relation))
    .toSorted((a, b) => compareScenes(a, b, sort));
  return { found: found.length, hits: found.slice(0, limit) };
}
