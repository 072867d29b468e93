/** Download: an order of the shown scene, and the files of the key. */
import type { FunctionComponent } from 'preact';
import { useMemo } from 'preact/hooks';
import { makeDownloadActions } from '../../actions/downloads.ts';
import { makeOrderStore } from '../../state/order-store.ts';
import { formatDate } from '../../texts/format.ts';
import { usePanel, usePart } from '../kit/panel.tsx';
import { whenVisible } from '../when-visible.ts';
import { followOrder } from './follow-order.ts';
import { OrderForm } from './order-form.tsx';
import { TaskList } from './task-list.tsx';

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The panel. */
export const Download: FunctionComponent = () => {
  const { store, api, texts, actions } = usePanel();
  const downloads = useMemo(() => {
    const made = makeDownloadActions({
      store,
      api,
      texts,
      sleep,
      whenVisible,
      report: actions.report,
      orders: makeOrderStore(() => localStorage),
      now: () => new Date(),
    });
    followOrder(store, made);
    return made;
  }, []);
  const shown = usePart((state) => state.shown);
  return (
    <div class="download">
      {shown === null ? (
        <p class="muted">{texts.download.nothing}</p>
      ) : (
        <>
          <div>
            <h3>{formatDate(shown.date, texts.locale)}</h3>
            <p class="muted">{shown.sensor.title}</p>
          </div>
          <OrderForm downloads={downloads} scene={shown} />
        </>
      )}
      <TaskList downloads={downloads} />
    </div>
  );
};
