/** The script of the thread that ingests items which are sent: metadata of a scene may be megabytes of XML. */
import { parentPort, workerData } from 'node:worker_threads';
import type { SceneStore } from '../catalog/index.ts';
import type { ProductReport } from '../ingest/index.ts';
import { ingestItem, makeIsAllowedHref } from '../ingest/index.ts';
import type { Caller, CallHandlers, JobType } from '../pool/index.ts';
import { connectCalls } from '../pool/index.ts';
import type { Config } from '../settings/index.ts';
import { makeOpenSource } from '../sources/index.ts';
import { toHeaderCache } from './files.ts';

/** Calls that the thread answers. */
export type ItemCalls = {
  ingest: JobType<{ readonly text: string; readonly isDry: boolean }, ProductReport>;
};

type Input<Name extends 'findByViewId' | 'putMany' | 'remove'> = Parameters<SceneStore[Name]>[0];
type Output<Name extends 'findByViewId' | 'putMany' | 'remove'> = Awaited<ReturnType<SceneStore[Name]>>;

/** Calls to the main thread, which has the store, and the log. */
export type CatalogCalls = {
  find: JobType<Input<'findByViewId'>, Output<'findByViewId'>>;
  put: JobType<Input<'putMany'>, Output<'putMany'>>;
  remove: JobType<Input<'remove'>, Output<'remove'>>;
  'note-bug': JobType<string, null>;
};

/** Settings of the thread. */
export type ItemSettings = Pick<Config, 'dataDir' | 'sources'>;

/** Builds the handlers; `main` calls the main thread. */
function makeHandlers(
  { dataDir, sources }: ItemSettings,
  main: () => Caller<CatalogCalls>,
): CallHandlers<ItemCalls> {
  const files = { dataDir, ...sources };
  const open = makeOpenSource({ ...files, ...toHeaderCache({ dataDir, sources }) });
  const isAllowedHref = makeIsAllowedHref(files);
  return {
    ingest: ({ text, isDry }, signal) =>
      ingestItem(text, {
        store: {
          findByViewId: (viewId) => main().call('find', viewId),
          putMany: (scenes) => main().call('put', scenes),
          remove: (viewId) => main().call('remove', viewId),
        },
        open,
        isAllowedHref,
        isDry,
        signal,
        onBug: (error) => void main().call('note-bug', String(error)),
      }),
  };
}

if (parentPort === null) throw new Error('The thread of items is started by the service.');
const main: Caller<CatalogCalls> = connectCalls<ItemCalls, CatalogCalls>(
  parentPort,
  makeHandlers(workerData as ItemSettings, () => main),
);
