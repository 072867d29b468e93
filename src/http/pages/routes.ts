import type { Admission, Route } from '../kit/endpoint.ts';
import { apiDocs } from './docs.ts';
import { toOpenApi } from './openapi.ts';
import { viewerAsset, viewerPage } from './viewer.ts';
import type { ViewerFiles } from './viewer-files.ts';

/** What pages are made of. */
export interface PageRouteDeps {
  readonly version: string;
  readonly viewer: ViewerFiles;
}

const shown: Admission = { access: 'open', door: 'free', lane: 'tile', answersWhileDraining: true };

/** The viewer and the documents of the interface, which describe all routes, these included. */
export const pageRoutes = (
  { version, viewer }: PageRouteDeps,
  allRoutes: () => readonly Route[],
): readonly Route[] => {
  const script = [...viewer.keys()].find((name) => /^assets\/docs-\w+\.js$/.test(name)) ?? null;
  const docs = apiDocs(() => toOpenApi(allRoutes(), version), script);
  return [
    { ...shown, method: 'GET', path: '/', endpoint: viewerPage(viewer) },
    { ...shown, method: 'GET', path: '/assets/*', endpoint: viewerAsset(viewer) },
    { ...shown, method: 'GET', path: '/docs', endpoint: docs.page },
    { ...shown, method: 'GET', path: '/docs/style.css', endpoint: docs.style },
    { ...shown, method: 'GET', path: '/docs/interface', endpoint: docs.text },
    { ...shown, method: 'GET', path: '/openapi.json', endpoint: docs.json },
  ];
};
