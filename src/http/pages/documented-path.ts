import type { Route } from '../kit/endpoint.ts';
import { shownPathOf } from '../kit/endpoint.ts';

/** The path of a route as OpenAPI writes it: `{name}` for every parameter. */
export const documentedPathOf = (route: Pick<Route, 'path' | 'shownPath'>): string =>
  shownPathOf(route)
    .replace(/:(\w+)/g, '{$1}')
    .replace('*', '{file}');
