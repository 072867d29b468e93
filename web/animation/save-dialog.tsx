/** The form to save an animation: format, width, captions; progress, and a way out. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { landColor } from '../map/base-style.ts';
import { isDarkPage } from '../map/page-theme.ts';
import { Button, Segments, Select, Switch } from '../panels/kit/controls.tsx';
import { openDialog } from '../panels/kit/dialog.tsx';
import { usePanel } from '../panels/kit/panel.tsx';
import type { PanelContext } from '../panels/panel-context.ts';
import { saveBlob } from '../panels/save-file.ts';
import type { Box } from '../scenes/footprint.ts';
import { toBox } from '../scenes/footprint.ts';
import { planSize } from '../scenes/rectangle.ts';
import type { Animation } from '../state/animation.ts';
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

interface FormatProps {
  /** `null` until the browser has said what it can write. */
  readonly offered: readonly FilmFormat[] | null;
  readonly value: FilmFormat | null;
  readonly onChoose: (format: FilmFormat) => void;
}

const FormatChoice: FunctionComponent<FormatProps> = ({ offered, value, onChoose }) => {
  const {
    texts: { animate, frame },
  } = usePanel();
  if (offered === null) return <p class="muted">{frame.loadingPanel}</p>;
  const note = toNote(offered, animate);
  return (
    <>
      <Segments
        name="film-format"
        legend={animate.format}
        choices={FILM_FORMATS.filter((format) => offered.includes(format)).map((format) => ({
          value: format,
          title: animate.formats[format],
        }))}
        value={value}
        onChoose={onChoose}
      />
      {note !== null && <p class="muted small">{note}</p>}
    </>
  );
};

interface FormProps {
  readonly frames: readonly [MapFrame, ...MapFrame[]];
  readonly animation: Animation;
  readonly box: Box;
  readonly onClose: () => void;
}

const SaveForm: FunctionComponent<FormProps> = ({ frames, animation, box, onClose }) => {
  const { actions, api, preferences, texts } = usePanel();
  const { animate, locale } = texts;
  const recording = useMemo(() => new AbortController(), []);
  const offered = useSignal<readonly FilmFormat[] | null>(null);
  const format = useSignal<FilmFormat | null>(null);
  const width = useSignal(String(WIDTHS[1]));
  const hasCaptions = useSignal(true);
  /** Frames that are written; `null` while nothing is saved. */
  const written = useSignal<number | null>(null);
  const failure = useSignal<string | null>(null);
  const isRunning = written.value !== null;
  useLayoutEffect(() => {
    readFormats(planSize(box, WIDTHS[1]))
      // Where even asking fails, the plainest format may still be written.
      .catch((): readonly FilmFormat[] => ['gif'])
      .then((formats) => {
        offered.value = formats;
        format.value = formats[0] ?? null;
      });
    return () => recording.abort();
  }, []);

  const record = async (chosen: FilmFormat): Promise<void> => {
    failure.value = null;
    written.value = 0;
    const { framesPerSecond, isLooping } = animation;
    const background = landColor(isDarkPage(preferences));
    const size = planSize(box, Number(width.value));
    try {
      const film = await recordFilm({
        api,
        frames: frames.map(({ scene, template }) => ({
          template,
          caption: hasCaptions.value
            ? { date: formatDate(scene.date, locale), attribution: `${scene.sensor.title} · Swath` }
            : null,
        })),
        bounds: box,
        options: { format: chosen, framesPerSecond, isLooping, background, ...size },
        signal: recording.signal,
        onProgress: (count) => {
          written.value = count;
        },
      });
      const name = `swath-${frames[0].scene.date}-${frames.at(-1)?.scene.date}.${chosen}`;
      saveBlob(name, film);
      onClose();
      actions.report.showDone(animate.saved(name, formatBytes(film.size, locale)));
    } catch (error) {
      if (recording.signal.aborted) return;
      written.value = null;
      failure.value = animate.failed(error instanceof Error ? error.message : animate.noEncoder);
    }
  };
  return (
    <form
      method="dialog"
      onSubmit={(event) => {
        event.preventDefault();
        if (format.value !== null) void record(format.value);
      }}
    >
      <header>
        <h2 id="save-title">{animate.saveTitle}</h2>
        <Button look="plain" icon="close" label={texts.frame.close} onClick={onClose} />
      </header>
      <p class="muted">{animate.frames(frames.length)}</p>
      <fieldset class="film-choices" disabled={isRunning}>
        <FormatChoice
          offered={offered.value}
          value={format.value}
          onChoose={(chosen) => {
            format.value = chosen;
          }}
        />
        <div class="row">
          <label for="film-width">{animate.width}</label>
          <Select
            id="film-width"
            choices={WIDTHS.map((px) => ({
              value: String(px),
              title: animate.pixels(planSize(box, px).widthPx),
            }))}
            value={width.value}
            onChoose={(px) => {
              width.value = px;
            }}
          />
        </div>
        <Switch
          isOn={hasCaptions.value}
          onSwitch={(isOn) => {
            hasCaptions.value = isOn;
          }}
        >
          {animate.captions}
        </Switch>
      </fieldset>
      {written.value !== null && (
        <div class="film-progress">
          <progress max={frames.length} value={written.value} aria-label={animate.saveTitle} />
          <p class="muted small" role="status">
            {animate.saving(written.value, frames.length)}
          </p>
        </div>
      )}
      {failure.value !== null && (
        <p class="refusal" role="alert">
          {failure.value}
        </p>
      )}
      <div class="buttons">
        <button type="submit" class="primary" disabled={offered.value === null || isRunning}>
          {animate.save}
        </button>
        <Button onClick={onClose}>{animate.cancel}</Button>
      </div>
    </form>
  );
};

/** Opens the form for these frames. */
export const openSaveDialog = (frames: readonly MapFrame[], context: PanelContext): void => {
  const [first, ...others] = frames;
  const { animation, bounds } = context.store.read();
  if (first === undefined || animation === null) return;
  const box = bounds ?? toBox(first.scene.outline);
  openDialog(context, 'save-title', (close) => (
    <SaveForm frames={[first, ...others]} animation={animation} box={box} onClose={close} />
  ));
};
