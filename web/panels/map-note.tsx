/** What the map says where it has nothing to show, with the way to what is nearest. */
import type { FunctionComponent } from 'preact';
import { clearLayerOnMap } from '../state/on-map.ts';
import { formatDate } from '../texts/format.ts';
import { Button } from './kit/controls.tsx';
import { usePanel, usePart } from './kit/panel.tsx';

/** The note; empty where the map shows something. */
export const MapNote: FunctionComponent = () => {
  const { store, actions, texts } = usePanel();
  const note = usePart(({ mapNote }) => mapNote);
  if (note === null) return null;
  const words = texts.clear;
  const toDate = (day: string): string => formatDate(day, texts.locale);
  switch (note.kind) {
    case 'other-day': {
      const layer = clearLayerOnMap(store.read());
      return (
        <div class="map-note">
          <p>{words.otherDay(toDate(layer?.from ?? note.day), toDate(layer?.to ?? note.day))}</p>
          <Button look="primary" onClick={() => actions.showClearView({ date: note.day })}>
            {words.showDay(toDate(note.day))}
          </Button>
        </div>
      );
    }
    case 'other-place':
      return (
        <div class="map-note">
          <p>{words.otherPlace}</p>
          <Button look="primary" onClick={() => actions.goToScene(note.scene)}>
            {words.goThere(toDate(note.scene.date))}
          </Button>
        </div>
      );
    case 'away':
      return (
        <div class="map-note">
          <p>{words.away(toDate(note.scene.date))}</p>
          <Button onClick={() => actions.goToScene(note.scene)}>{words.goBack}</Button>
          <Button look="primary" onClick={() => actions.showClearView()}>
            {words.clearHere}
          </Button>
        </div>
      );
    default:
      return (
        <div class="map-note">
          <p>{note.kind === 'too-wide' ? words.tooWide : words.nothing}</p>
        </div>
      );
  }
};

/** What stands in place of the map where the browser cannot draw one. */
export const NoMap: FunctionComponent = () => <p class="no-map">{usePanel().texts.frame.noMap}</p>;
