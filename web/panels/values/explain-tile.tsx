/** How the picture at a point is made: files, steps and what is stored already. Loaded when it is asked for. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { Failure } from '../../api/failure.ts';
import { toTile } from '../../scenes/rectangle.ts';
import { toOwnAddress } from '../../scenes/tile-template.ts';
import type { Point } from '../../state/map-view.ts';
import { clearLayerOnMap, templateOnMap } from '../../state/on-map.ts';
import type { ViewerState } from '../../state/viewer-state.ts';
import { formatBytes } from '../../texts/format.ts';
import { Button } from '../kit/controls.tsx';
import { usePanel } from '../kit/panel.tsx';
import { Notice } from '../kit/parts.tsx';
import type { Explanation } from './explanation.ts';
import { parseExplanation } from './explanation.ts';

/** The address, from the page on, of the tile that the map shows at a point. */
const toTilePath = (state: ViewerState, { lat, lon }: Point): string | null => {
  const template = templateOnMap(state);
  if (template === null) return null;
  const maxZoom = clearLayerOnMap(state)?.maxZoom ?? state.shown?.sensor.maxZoom ?? 0;
  // MapLibre counts in tiles of 512 pixels.
  const z = Math.max(0, Math.min(maxZoom, Math.round(state.view?.zoom ?? 0) + 1));
  const { x, y } = toTile(lon, lat, z);
  return toOwnAddress(template, '').slice(1).replace('{z}/{x}/{y}', `${z}/${x}/${y}`);
};

type Read = 'loading' | { readonly failure: string } | { readonly body: unknown; readonly path: string };

const Explained: FunctionComponent<{ readonly explanation: Explanation }> = ({ explanation }) => {
  const { texts } = usePanel();
  const words = texts.explain;
  const { found, files, steps, isCached } = explanation;
  return (
    <>
      <p>{isCached ? words.cached : words.scenes(found)}</p>
      {files.length > 0 && (
        <table>
          <caption>{words.files}</caption>
          <tbody>
            {files.map(({ viewId, band, name, level, bytes }) => (
              <tr key={`${viewId} ${band}`} title={viewId}>
                <th scope="row">{band}</th>
                <td class="muted">
                  {name}
                  {level === null ? '' : ` · ${level === 0 ? words.whole : words.overview(String(level))}`}
                </td>
                <td class="number">{bytes === null ? '' : formatBytes(bytes, texts.locale)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {steps.length > 0 && (
        <>
          <h3>{words.steps}</h3>
          <ol class="explained-steps">
            {steps.map(({ name, detail }) => (
              <li key={`${name} ${detail}`}>
                <code>{name}</code> {detail}
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
};

/** The explanation of the tile at a point. */
export const ExplainTile: FunctionComponent<{ readonly point: Point }> = ({ point }) => {
  const { api, actions, store, texts } = usePanel();
  const words = texts.explain;
  const read = useSignal<Read>('loading');
  useEffect(() => {
    const controller = new AbortController();
    const path = toTilePath(store.read(), point);
    if (path === null) return;
    const asked = `${path}${path.includes('?') ? '&' : '?'}explain=1`;
    api.call(asked, {}, controller.signal).then(
      (body) => {
        read.value = { body, path: asked };
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        read.value = { failure: error instanceof Failure ? error.message : String(error) };
      },
    );
    return () => controller.abort();
  }, [api, store, point, read]);
  const { value } = read;
  if (value === 'loading') return <Notice kind="hint">{words.loading}</Notice>;
  if ('failure' in value) return <Notice kind="error">{value.failure}</Notice>;
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(JSON.stringify(value.body, null, 2));
      actions.report.showDone(words.copied);
    } catch {
      // The clipboard needs https or localhost, and permission; the address itself still helps.
      actions.report.showError(words.notCopied(value.path));
    }
  };
  return (
    <div class="explained">
      <Explained explanation={parseExplanation(value.body)} />
      <Button look="link" icon="copy" onClick={() => void copy()}>
        {words.copy}
      </Button>
    </div>
  );
};
