/** The elevation profile of the line: read from the server, drawn, and in numbers. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { toFailureOf } from '../../actions/report.ts';
import { isKeyRefused } from '../../api/failure.ts';
import type { Profile as LineProfile } from '../../api/profile.ts';
import { thinLine } from '../../shapes/thin-line.ts';
import type { Line } from '../../state/drawing.ts';
import { formatHeight } from '../../texts/format-measures.ts';
import { Button } from '../kit/controls.tsx';
import { usePanel } from '../kit/panel.tsx';
import { Facts } from '../kit/parts.tsx';
import { describePoint, ProfileChart } from './profile-chart.tsx';

/** What the server takes of one line (docs/use/interface.md, "Limits"). */
const MAX_POSITIONS = 100;

/** The section, which follows the line. */
export const Profile: FunctionComponent<{ readonly line: Line }> = ({ line }) => {
  const context = usePanel();
  const { actions, api, texts, preferences } = context;
  const words = texts.area;
  /** What was read last stays until the next answer. */
  const profile = useSignal<LineProfile | null>(null);
  const failure = useSignal<string | null>(null);
  const isReading = useSignal(true);
  const attempts = useSignal(0);
  /** The point of the chart that is pointed at. */
  const pointed = useSignal<number | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    isReading.value = true;
    failure.value = null;
    const end = (read: LineProfile | null): void => {
      pointed.value = null;
      profile.value = read;
      isReading.value = false;
    };
    api.readProfile(thinLine(line.positions, MAX_POSITIONS), signal).then(
      (read) => {
        if (!signal.aborted) end(read);
      },
      (error: unknown) => {
        if (signal.aborted) return;
        const refused = toFailureOf(error);
        if (isKeyRefused(refused)) actions.report.fail(refused);
        failure.value = refused.message;
        end(null);
      },
    );
    return () => controller.abort();
  }, [line, attempts.value]);

  const { value: read } = profile;
  const isKnown = read !== null && read.minM !== null && read.maxM !== null;
  const point = read === null || pointed.value === null ? undefined : read.points[pointed.value];
  const height = (value: number): string => formatHeight(value, preferences.units, texts.locale);
  const note = isReading.value
    ? words.readingProfile
    : (failure.value ?? (read !== null && !isKnown ? words.noHeights : null));
  return (
    <div class="group profile" aria-busy={isReading.value}>
      <div class="heading-row">
        <h4>{words.profile}</h4>
        <p class="chart-readout small" aria-hidden="true">
          {point === undefined ? '' : describePoint(point, context)}
        </p>
      </div>
      {isKnown && (
        <>
          <ProfileChart
            profile={read}
            pointed={pointed.value}
            onPoint={(index) => {
              pointed.value = index;
              const at = index === null ? undefined : read.points[index];
              actions.markOnLine(at === undefined ? null : { lat: at.lat, lon: at.lon });
            }}
          />
          <Facts
            facts={[
              [words.lowest, height(read.minM ?? 0)],
              [words.highest, height(read.maxM ?? 0)],
              [words.ascent, height(read.ascentM)],
              [words.descent, height(read.descentM)],
            ]}
          />
        </>
      )}
      {note !== null && (
        <p class="muted" role="status">
          {note}
        </p>
      )}
      {!isReading.value && failure.value !== null && (
        <Button
          onClick={() => {
            attempts.value++;
          }}
        >
          {texts.frame.tryAgain}
        </Button>
      )}
    </div>
  );
};
