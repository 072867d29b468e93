/** The form to save a film: format, width, captions; progress, and a way out. */
import { landColor } from '../map/base-style.ts';
import { isDarkPage } from '../map/page-theme.ts';
import { el } from '../panels/dom.ts';
import { makeIcon } from '../panels/icon.ts';
import type { PanelContext } from '../panels/panel-context.ts';
import { makeRadios } from '../panels/radios.ts';
import { saveBlob } from '../panels/save-file.ts';
import type { Box } from '../scenes/footprint.ts';
import { toBox } from '../scenes/footprint.ts';
import { planSize } from '../scenes/rectangle.ts';
import { formatBytes, formatDate } from '../texts/format.ts';
import type { FilmFormat } from './film-format.ts';
import { FILM_FORMATS } from './film-format.ts';
import type { MapFrame } from './frame-layers.ts';
import { readFormats, recordFilm } from './record-film.ts';

const WIDTHS = [480, 720, 1080] as const;

/** What the browser lacks, in words; `null` if nothing. */
const toNote = (
  formats: readonly FilmFormat[],
  { noVideo, noMp4, noWebp }: PanelContext['texts']['animate'],
): string | null => {
  const lacks = (format: FilmFormat): boolean => !formats.includes(format);
  const notes = [
    ...(lacks('mp4') ? [lacks('webm') ? noVideo : noMp4] : []),
    ...(lacks('webp') ? [noWebp] : []),
  ];
  return notes.length === 0 ? null : notes.join(' ');
};

/** Opens the form for these frames. */
export const openSaveDialog = (frames: readonly MapFrame[], context: PanelContext): void => {
  const { store, actions, api, preferences, texts } = context;
  const { animate, locale } = texts;
  const [first] = frames;
  const { animation, bounds } = store.read();
  if (first === undefined || animation === null) return;
  const box: Box = bounds ?? toBox(first.scene.outline);
  const recording = new AbortController();
  let chosen: FilmFormat | null = null;

  const width = el(
    'select',
    { id: 'film-width' },
    ...WIDTHS.map((px) => el('option', { value: String(px) }, animate.pixels(planSize(box, px).widthPx))),
  );
  width.value = String(WIDTHS[1]);
  const captions = el('input', { type: 'checkbox', checked: true });
  const formats = el('div', {}, el('p', { class: 'muted' }, texts.frame.loadingPanel));
  const note = el('p', { class: 'muted small', hidden: true });
  const progress = el('progress', { max: String(frames.length), 'aria-label': animate.saveTitle });
  const done = el('p', { class: 'muted small', role: 'status' });
  const failure = el('p', { class: 'refusal', role: 'alert', hidden: true });
  const running = el('div', { class: 'film-progress', hidden: true }, progress, done);
  const save = el('button', { type: 'submit', class: 'primary', disabled: true }, animate.save);
  const cancel = el('button', { type: 'button', class: 'secondary' }, animate.cancel);
  const close = el(
    'button',
    { type: 'button', class: 'plain', 'aria-label': texts.frame.close },
    makeIcon('close'),
  );
  const choices = el(
    'fieldset',
    { class: 'film-choices' },
    formats,
    note,
    el('div', { class: 'row' }, el('label', { for: 'film-width' }, animate.width), width),
    el('label', { class: 'check' }, captions, animate.captions),
  );
  const form = el(
    'form',
    { method: 'dialog' },
    el('header', {}, el('h2', { id: 'save-title' }, animate.saveTitle), close),
    el('p', { class: 'muted' }, animate.frames(frames.length)),
    choices,
    running,
    failure,
    el('div', { class: 'buttons' }, save, cancel),
  );
  const dialog = el('dialog', { class: 'file-dialog', 'aria-labelledby': 'save-title' }, form);
  dialog.addEventListener('close', () => {
    recording.abort();
    dialog.remove();
  });
  for (const button of [cancel, close]) button.addEventListener('click', () => dialog.close());

  const offer = (offered: readonly FilmFormat[]): void => {
    const radios = makeRadios({
      name: 'film-format',
      legend: animate.format,
      choices: FILM_FORMATS.filter((format) => offered.includes(format)).map((value) => ({
        value,
        title: animate.formats[value],
      })),
      onChoose(value) {
        chosen = offered.find((format) => format === value) ?? null;
      },
    });
    chosen = offered[0] ?? null;
    radios.show(chosen);
    formats.replaceChildren(radios.element);
    const lacking = toNote(offered, animate);
    note.textContent = lacking ?? '';
    note.hidden = lacking === null;
    save.disabled = false;
  };
  const setRunning = (isRunning: boolean): void => {
    running.hidden = !isRunning;
    choices.disabled = isRunning;
    save.disabled = isRunning;
  };
  const showProgress = (count: number): void => {
    progress.value = count;
    done.textContent = animate.saving(count, frames.length);
  };

  const record = async (format: FilmFormat): Promise<void> => {
    failure.hidden = true;
    setRunning(true);
    showProgress(0);
    const { framesPerSecond, isLooping } = animation;
    const background = landColor(isDarkPage(preferences));
    try {
      const film = await recordFilm({
        api,
        frames: frames.map(({ scene, template }) => ({
          template,
          caption: captions.checked
            ? { date: formatDate(scene.date, locale), attribution: `${scene.sensor.title} · Swath` }
            : null,
        })),
        bounds: box,
        options: { format, framesPerSecond, isLooping, background, ...planSize(box, Number(width.value)) },
        signal: recording.signal,
        onProgress: showProgress,
      });
      const name = `swath-${first.scene.date}-${frames.at(-1)?.scene.date}.${format}`;
      saveBlob(name, film);
      dialog.close();
      actions.report.showDone(animate.saved(name, formatBytes(film.size, locale)));
    } catch (error) {
      if (recording.signal.aborted) return;
      setRunning(false);
      failure.textContent = animate.failed(error instanceof Error ? error.message : animate.noEncoder);
      failure.hidden = false;
    }
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (chosen !== null) void record(chosen);
  });

  document.body.append(dialog);
  dialog.showModal();
  readFormats(planSize(box, WIDTHS[1]))
    // Where even asking fails, the plainest format may still be written.
    .catch((): readonly FilmFormat[] => ['gif'])
    .then(offer);
};
