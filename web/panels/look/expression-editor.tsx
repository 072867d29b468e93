/** Band math as text: highlighted while it is typed, completed, and checked by the server. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { makeLatest } from '../../actions/latest.ts';
import type { CheckedExpression } from '../../api/picture-calls.ts';
import { bandsOfPicture } from '../../scenes/picture.ts';
import { usePanel, usePart } from '../kit/panel.tsx';
import { CompletionList, useCompletion } from './completion.tsx';
import type { KnownNames } from './highlight.ts';
import { planHighlight } from './highlight.ts';

/** A pause in typing after which the text is checked. */
const PAUSE_MS = 250;
const COMPLETION = 'completion';

/** Names that the sensor of the shown scene and the language have. */
const useNames = (): KnownNames => {
  const sensor = usePart(({ shown }) => shown?.sensor);
  const functions = usePart(({ knowledge }) => knowledge?.functions);
  return {
    bands: sensor?.bands.flatMap(({ name, role }) => [name, ...(role === null ? [] : [role])]) ?? [],
    indices: sensor?.indices.map(({ name }) => name) ?? [],
    functions: functions ?? [],
  };
};

type Refused = Extract<CheckedExpression, { isGood: false }>;

const Editor: FunctionComponent = () => {
  const {
    store,
    actions,
    api,
    texts: { look },
  } = usePanel();
  const names = useNames();
  const bands = usePart(({ shown, picture }) =>
    shown === null ? '' : bandsOfPicture(shown.sensor, picture),
  );
  const latest = useMemo(makeLatest, []);
  const pause = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const area = useRef<HTMLTextAreaElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const colored = useRef<HTMLPreElement>(null);
  const text = useSignal('');
  const refused = useSignal<Refused | null>(null);
  useLayoutEffect(() => {
    // The formula of an index is the best beginning of one's own.
    const index = store.read().shown?.sensor.indices.find(({ name }) => name === bands);
    if (document.activeElement !== area.current) text.value = index?.expression ?? bands;
    refused.value = null;
  }, [bands]);

  const check = async (): Promise<CheckedExpression | null> => {
    const { shown } = store.read();
    const typed = text.peek();
    const signal = latest.start();
    if (shown === null || typed.trim() === '') {
      refused.value = null;
      return null;
    }
    try {
      const checked = await api.checkExpression(shown.viewId, typed.trim(), signal);
      if (signal.aborted) return null;
      // Positions are of the text without the space before it.
      const start = typed.length - typed.trimStart().length;
      refused.value = checked.isGood
        ? null
        : { ...checked, position: checked.position === null ? null : checked.position + start };
      return checked;
    } catch (error) {
      if (!signal.aborted) actions.report.fail(error);
      return null;
    }
  };
  const takeText = (): void => {
    text.value = area.current?.value ?? '';
    // What was refused is said until the next check; where it was is another place now.
    if (refused.value !== null) refused.value = { ...refused.value, position: null };
    clearTimeout(pause.current);
    pause.current = setTimeout(() => void check(), PAUSE_MS);
  };
  const completion = useCompletion(names, takeText);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    clearTimeout(pause.current);
    void check().then((checked) => {
      if (checked?.isGood) actions.chooseBands(text.peek().trim());
    });
  };
  const scroll = (): void => {
    if (colored.current !== null && area.current !== null) colored.current.scrollTop = area.current.scrollTop;
  };
  useLayoutEffect(scroll);
  const { offers } = completion;
  return (
    <form ref={form} onSubmit={submit}>
      <div class="editor">
        <pre ref={colored} aria-hidden="true">
          {planHighlight(text.value, names, refused.value?.position ?? null).map((part, i) => (
            <span key={i} class={`token-${part.kind}`}>
              {part.text}
            </span>
          ))}
          {/* A last line without text would have no height. */}
          {'\n'}
        </pre>
        <textarea
          ref={area}
          id="expression"
          rows={3}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          placeholder="(NIR-RED)/(NIR+RED)"
          value={text.value}
          aria-describedby="expression-note"
          aria-invalid={refused.value !== null}
          aria-controls={COMPLETION}
          aria-autocomplete="list"
          aria-activedescendant={offers.names.length === 0 ? undefined : `${COMPLETION}-${offers.chosen}`}
          onInput={({ currentTarget }) => {
            takeText();
            completion.offer(currentTarget);
          }}
          onBlur={completion.close}
          onScroll={scroll}
          onKeyDown={(event) => {
            if (completion.press(event, event.currentTarget)) return;
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
          }}
        />
      </div>
      <CompletionList
        id={COMPLETION}
        title={look.expression}
        offers={offers}
        onTake={(name) => {
          if (area.current !== null) completion.take(area.current, name);
        }}
      />
      <p id="expression-note" class={refused.value === null ? 'small' : 'small refusal'} role="status">
        {/* Further lines of the error repeat the text with a mark under it, which the editor has itself. */}
        {refused.value?.error.split('\n')[0] ?? look.expressionHint}
      </p>
      <button type="submit" class="primary">
        {look.showExpression}
      </button>
    </form>
  );
};

/** The section with the editor. */
export const ExpressionEditor: FunctionComponent = () => {
  const {
    texts: { look },
  } = usePanel();
  return (
    <details class="section" id="expression-section">
      <summary>
        <label for="expression">{look.expression}</label>
      </summary>
      <Editor />
    </details>
  );
};
