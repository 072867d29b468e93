/** The scenes that the clear view is made of where the map looks, by their share of the view. */
import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import type { ClearSource } from '../api/clear-calls.ts';
import { Failure } from '../api/failure.ts';
import { clearLayerOnMap } from '../state/on-map.ts';
import { formatDate, formatPercent } from '../texts/format.ts';
import { usePanel } from './kit/panel.tsx';
import { Notice } from './kit/parts.tsx';

/** A view this wide has more scenes than a list can name. */
const MAX_WIDTH_DEG = 20;

type Listed = readonly ClearSource[] | 'loading' | 'too-wide' | { readonly failure: string };

/** The list; it follows the map. */
export const ClearSources: FunctionComponent = () => {
  const { api, actions, state, texts } = usePanel();
  const words = texts.clear;
  const listed = useSignal<Listed>('loading');
  const wanted = useComputed(() => {
    const { bounds } = state.value;
    const layer = clearLayerOnMap(state.value);
    return layer === null || bounds === null ? null : `${layer.template} ${bounds}`;
  });
  useSignalEffect(() => {
    if (wanted.value === null) return;
    const { bounds } = state.peek();
    const layer = clearLayerOnMap(state.peek());
    if (layer === null || bounds === null) return;
    if (bounds[2] - bounds[0] > MAX_WIDTH_DEG) {
      listed.value = 'too-wide';
      return;
    }
    const controller = new AbortController();
    listed.value = 'loading';
    api.readClearSources(layer, bounds, controller.signal).then(
      (sources) => {
        if (!controller.signal.aborted) listed.value = sources;
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        listed.value = { failure: error instanceof Failure ? error.message : String(error) };
      },
    );
    return () => controller.abort();
  });
  const { value } = listed;
  if (value === 'loading') return <Notice kind="hint">{words.loadingSources}</Notice>;
  if (value === 'too-wide') return <Notice kind="hint">{words.tooWideForSources}</Notice>;
  if ('failure' in value) return <Notice kind="error">{value.failure}</Notice>;
  if (value.length === 0) return <Notice kind="hint">{words.noSources}</Notice>;
  return (
    <div class="clear-sources">
      <p class="muted small">{words.sourcesHint}</p>
      <ul>
        {value.map((source) => (
          <li key={source.viewId}>
            <button type="button" class="link" onClick={() => void actions.showSource(source, null)}>
              {formatDate(source.date, texts.locale)}
            </button>
            <span class="muted">{source.sensor.title}</span>
            {source.part !== null && (
              <span class="number" title={words.part(formatPercent(source.part * 100, texts.locale))}>
                {formatPercent(source.part * 100, texts.locale)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
};
