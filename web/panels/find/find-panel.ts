/** Find: filters, the calendar and the list of scenes. */
import { el } from '../dom.ts';
import type { MakePanel } from '../panel-context.ts';
import { makeCalendarStrip } from './calendar-strip.ts';
import { makeOriginLine } from './catalog-notes.ts';
import { makeFilters } from './filters.ts';
import { makeSceneList } from './scene-list.ts';
import { makeWelcome } from './welcome.tsx';

/** Builds the panel. */
export const makeFindPanel: MakePanel = (context) =>
  el(
    'div',
    { class: 'find' },
    makeWelcome(context),
    makeOriginLine(context),
    makeFilters(context),
    makeCalendarStrip(context),
    makeSceneList(context),
  );
