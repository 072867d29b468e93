/** Find: filters, the calendar and the list of scenes. */
import type { FunctionComponent } from 'preact';
import { CalendarStrip } from './calendar-strip.tsx';
import { OriginLine } from './catalog-notes.tsx';
import { Filters } from './filters.tsx';
import { SceneList } from './scene-list.tsx';
import { Welcome } from './welcome.tsx';

/** The panel. */
export const FindPanel: FunctionComponent = () => (
  <div class="find">
    <Welcome />
    <OriginLine />
    <Filters />
    <CalendarStrip />
    <SceneList />
  </div>
);
