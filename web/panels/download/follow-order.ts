/** What follows from choices elsewhere: an order of another scene or area, and the size of its file. */
import type { DownloadActions } from '../../actions/downloads.ts';
import { expressionsOfOrder } from '../../scenes/plan-order.ts';
import type { Store } from '../../state/store.ts';
import type { ViewerState } from '../../state/viewer-state.ts';

/** A pause this long in choosing means that the choice is made. */
const SETTLED_MS = 250;

/** What is on the map, if the list of the sensor lacks it. */
export const expressionOnMap = ({ shown, picture }: ViewerState): string | null => {
  if (shown === null) return null;
  const [own = null] = expressionsOfOrder(shown, picture, null);
  return shown.sensor.indices.some(({ name }) => name === own) ? null : own;
};

/** Everything that an estimate depends on, as a text. */
const toEstimated = ({
  shown,
  picture,
  bounds,
  area,
  downloads: { form },
  panel,
  phase,
}: ViewerState): string =>
  panel !== 'download' || phase.kind !== 'ready' || shown === null
    ? ''
    : JSON.stringify([
        shown.viewId,
        form,
        form.kind === 'picture' || form.bands === null || form.expressions === null ? picture : null,
        form.where === 'view' ? bounds : null,
        form.where === 'area' ? area : null,
      ]);

/** Starts following the state. */
export const followOrder = (store: Store<ViewerState>, actions: DownloadActions): void => {
  const readForm = () => store.read().downloads.form;
  // Names of bands are those of one sensor.
  store.watch(
    ({ shown }) => shown?.sensor,
    () => {
      if (readForm().bands !== null) actions.changeForm({ bands: null });
    },
  );
  store.watch(
    (state) => `${state.shown?.sensor.dataset} ${expressionOnMap(state)}`,
    () => {
      if (readForm().expressions !== null) actions.changeForm({ expressions: null });
    },
  );
  // Without an area the whole scene is meant again.
  store.watch(
    ({ area }) => area,
    (area) => {
      if (area === null && readForm().where === 'area') actions.changeForm({ where: 'scene' });
    },
  );
  // The list is read whenever the panel is opened: other devices and programs order with the same key.
  store.watch(
    ({ panel, phase }) => panel === 'download' && phase.kind === 'ready',
    (isOpen) => {
      if (isOpen) void actions.follow();
    },
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  store.watch(toEstimated, (key) => {
    clearTimeout(timer);
    if (key === '') return;
    // What was known is of another order.
    actions.forgetEstimate();
    timer = setTimeout(() => void actions.estimate(), SETTLED_MS);
  });
};
