/** Colormaps with their colours, for one band, index or expression. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ViewerColormap } from '../../scenes/knowledge.ts';
import type { OwnColormap } from '../../scenes/own-colormap.ts';
import { toColorGradient, toSpan } from '../../scenes/own-colormap.ts';
import { bandsOfPicture, isColorable } from '../../scenes/picture.ts';
import { Switch } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';

/** Maps that most people choose between, before the long list. */
const FIRST = ['gray', 'viridis', 'inferno', 'RdYlGn', 'BrBG', 'Blues', 'terrain'];
const REVERSED = '_r';

/** A ramp of the colours; classes have hard edges. */
const toGradient = ({ colors, isDiscrete }: ViewerColormap): string => {
  if (!isDiscrete) return `linear-gradient(90deg, ${colors.join()})`;
  const stops = colors.map((color, i) => {
    const [from, to] = [i, i + 1].map((edge) => (edge / colors.length) * 100);
    return `${color} ${from}% ${to}%`;
  });
  return `linear-gradient(90deg, ${stops.join()})`;
};

type Colormap = ViewerColormap | OwnColormap;

const keyOf = (colormap: Colormap): string => ('id' in colormap ? colormap.id : colormap.name);

const Preview: FunctionComponent<{ readonly colormap: Colormap | null }> = ({ colormap }) => {
  const gradient =
    colormap === null
      ? ''
      : 'stops' in colormap
        ? toColorGradient(colormap, toSpan(colormap))
        : toGradient(colormap);
  return <span class="ramp" aria-hidden="true" style={{ backgroundImage: gradient }} />;
};

type Editor = FunctionComponent<{ readonly onClose: () => void }>;

interface EditorHostProps {
  /** Changes when colours were chosen from the list, which closes the editor. */
  readonly choices: number;
}

/** The editor, whose code is loaded when it is opened. */
const EditorHost: FunctionComponent<EditorHostProps> = ({ choices }) => {
  const { actions, texts } = usePanel();
  const editor = useSignal<{ readonly Editor: Editor } | 'loading' | null>(null);
  const host = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    editor.value = null;
  }, [choices]);
  const open = async (): Promise<void> => {
    editor.value = 'loading';
    try {
      const { ColormapEditor } = await import('./editor/colormap-editor.tsx');
      editor.value = { Editor: ColormapEditor };
      queueMicrotask(() => host.current?.querySelector<HTMLElement>('[role=slider]')?.focus());
    } catch (error) {
      editor.value = null;
      actions.report.fail(error);
    }
  };
  const close = (): void => {
    editor.value = null;
    queueMicrotask(() => button.current?.focus());
  };
  const { value } = editor;
  return (
    <div ref={host}>
      {value !== null && value !== 'loading' ? (
        <value.Editor onClose={close} />
      ) : (
        <button
          ref={button}
          type="button"
          class="link"
          disabled={value === 'loading'}
          onClick={() => void open()}
        >
          {texts.look.editColours}
        </button>
      )}
    </div>
  );
};

/** The choice; it is not there where colours mean nothing. */
export const ColormapChoice: FunctionComponent = () => {
  const { actions, texts } = usePanel();
  const picture = usePart((state) => state.picture);
  const shown = usePart((state) => state.shown);
  const own = usePart((state) => state.ownColormaps);
  const colormaps = usePart(({ knowledge }) => knowledge?.colormaps) ?? [];
  const choices = useSignal(0);
  if (shown === null || !isColorable(shown.sensor, bandsOfPicture(shown.sensor, picture))) return null;
  const base = (picture.colormap ?? '').replace(/_r$/, '');
  const isReversed = picture.colormap?.endsWith(REVERSED) ?? false;
  const choose = (name: string, isNowReversed: boolean): void => {
    choices.value++;
    actions.choosePicture({ colormap: name === '' ? null : name + (isNowReversed ? REVERSED : '') });
  };
  const first = FIRST.flatMap((name) => colormaps.find((one) => one.name === name) ?? []);
  const offered: readonly (Colormap | null)[] = [
    null,
    ...own,
    ...first,
    ...colormaps.filter((one) => !first.includes(one)),
  ];
  const chosen = offered.find((one) => one !== null && keyOf(one) === base) ?? null;
  return (
    <div class="group">
      <h3>{texts.look.colours}</h3>
      <details class="dropdown" id="colormaps">
        <summary>
          {chosen?.name ?? (base === '' ? texts.look.defaultColours : texts.look.sharedColours)}
          <Preview colormap={chosen} />
        </summary>
        {base !== '' && (
          <Switch isOn={isReversed} onSwitch={(isOn) => choose(base, isOn)}>
            {texts.look.reversed}
          </Switch>
        )}
        <fieldset class="ramps">
          <legend class="unseen">{texts.look.colours}</legend>
          {offered.map((one) => {
            const key = one === null ? '' : keyOf(one);
            return (
              <label key={key} class="ramp-row">
                <input
                  type="radio"
                  name="colormap"
                  value={key}
                  checked={key === base}
                  onChange={() => choose(key, isReversed)}
                />
                <span>{one?.name ?? texts.look.defaultColours}</span>
                <Preview colormap={one} />
              </label>
            );
          })}
        </fieldset>
      </details>
      <EditorHost choices={choices.value} />
    </div>
  );
};
