/** The elevation profile of the line: read from the server, drawn, and in numbers. */
import { makeLatest } from '../../actions/latest.ts';
import { toFailureOf } from '../../actions/report.ts';
import { isKeyRefused } from '../../api/failure.ts';
import type { Profile } from '../../api/profile.ts';
import { thinLine } from '../../shapes/thin-line.ts';
import type { Line } from '../../state/drawing.ts';
import { formatHeight } from '../../texts/format-measures.ts';
import { el } from '../dom.ts';
import type { PanelContext } from '../panel-context.ts';
import { makeProfileChart } from './profile-chart.ts';
import { makeFacts } from './shape-card.ts';

/** What the server takes of one line (docs/use/interface.md, "Limits"). */
const MAX_POSITIONS = 100;

/** Builds the section, which follows the line. */
export const makeProfile = (context: PanelContext): HTMLElement => {
  const { store, actions, api, texts, preferences } = context;
  const words = texts.area;
  const latest = makeLatest();
  const note = el('p', { class: 'muted', role: 'status' });
  const again = el('button', { type: 'button', class: 'secondary' }, texts.frame.tryAgain);
  const facts = el('dl', { class: 'measures' });
  const chart = makeProfileChart(context);
  const section = el(
    'div',
    { class: 'group profile' },
    el('div', { class: 'heading-row' }, el('h4', {}, words.profile), chart.readout),
    chart.element,
    facts,
    note,
    again,
  );

  const showNote = (text: string | null, canRetry = false): void => {
    note.textContent = text;
    note.hidden = text === null;
    again.hidden = !canRetry;
  };
  const show = (profile: Profile | null): void => {
    const isKnown = profile !== null && profile.minM !== null && profile.maxM !== null;
    chart.show(isKnown ? profile : null);
    facts.hidden = !isKnown;
    if (!isKnown) return;
    const height = (value: number): string => formatHeight(value, preferences.units, texts.locale);
    facts.replaceChildren(
      ...makeFacts([
        [words.lowest, height(profile.minM ?? 0)],
        [words.highest, height(profile.maxM ?? 0)],
        [words.ascent, height(profile.ascentM)],
        [words.descent, height(profile.descentM)],
      ]),
    );
  };
  const read = async (line: Line): Promise<void> => {
    const signal = latest.start();
    section.setAttribute('aria-busy', 'true');
    showNote(words.readingProfile);
    try {
      const profile = await api.readProfile(thinLine(line.positions, MAX_POSITIONS), signal);
      if (signal.aborted) return;
      show(profile);
      showNote(profile.minM === null ? words.noHeights : null);
    } catch (error) {
      if (signal.aborted) return;
      show(null);
      const failure = toFailureOf(error);
      if (isKeyRefused(failure)) actions.report.fail(failure);
      showNote(failure.message, true);
    }
    section.setAttribute('aria-busy', 'false');
  };
  again.addEventListener('click', () => {
    const { line } = store.read().drawing;
    if (line !== null) void read(line);
  });
  store.watch(
    ({ drawing }) => drawing.line,
    (line) => {
      if (line !== null) return void read(line);
      latest.cancel();
      show(null);
    },
  );
  return section;
};
