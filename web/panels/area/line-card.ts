/** The line: how long it is, and the ground along it. */
import { lengthM } from '../../shapes/geodesic.ts';
import { toFileName, toGeoJson } from '../../shapes/geojson-file.ts';
import { toLineText } from '../../shapes/shape-text.ts';
import { formatLength } from '../../texts/format-measures.ts';
import { el } from '../dom.ts';
import type { PanelContext } from '../panel-context.ts';
import { saveGeoJson } from '../save-file.ts';
import { makeProfile } from './profile.ts';
import { makeShapeCard } from './shape-card.ts';

/** Builds the card; it is hidden while there is no line. */
export const makeLineCard = (context: PanelContext): HTMLElement => {
  const { store, actions, texts, preferences } = context;
  const words = texts.area;
  const tooLong = el('p', { class: 'muted small' }, words.tooLong);
  const { element, title, buttons, showFacts } = makeShapeCard(
    'line',
    [
      {
        icon: 'edit',
        title: words.edit,
        run: () => actions.setTool(store.read().drawing.tool === 'edit-line' ? null : 'edit-line'),
      },
      { icon: 'fit', title: words.fit, run: () => actions.fitShape('line') },
      {
        icon: 'save',
        title: words.save,
        run() {
          const { line } = store.read().drawing;
          if (line === null) return;
          const geometry = { type: 'LineString', coordinates: line.positions } as const;
          saveGeoJson(toFileName(line.name, 'line'), toGeoJson(geometry, line.name));
        },
      },
      {
        icon: 'remove',
        title: words.remove,
        run() {
          actions.setTool(null);
          actions.setLine(null);
        },
      },
    ],
    tooLong,
    makeProfile(context),
  );
  const [edit] = buttons;
  store.watch(
    ({ drawing }) => drawing.tool === 'edit-line',
    (isOn) => edit?.setAttribute('aria-pressed', String(isOn)),
  );
  store.watch(
    ({ drawing }) => drawing.line,
    (line) => {
      element.hidden = line === null;
      if (line === null) return;
      title.textContent = line.name ?? words.drawnLine;
      tooLong.hidden = toLineText(line.positions) !== null;
      showFacts([[words.length, formatLength(lengthM(line.positions), preferences.units, texts.locale)]]);
    },
  );
  return element;
};
