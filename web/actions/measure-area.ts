/** What is measured of the area: its time series and its zones. The work itself is loaded with the panel that shows it. */
import type { SeriesChoice, SeriesField, SeriesState } from '../state/series-state.ts';
import type { ZonesChoice } from '../state/zones-state.ts';
import type { ActionParts } from './action-parts.ts';

/** What a user does to measure an area. */
export interface MeasureActions {
  /** Opens or closes the time series. */
  openSeries(isOpen: boolean): void;
  chooseSeries(change: Partial<SeriesChoice>): void;
  setSeriesForm(form: SeriesState['form']): void;
  /** Says what the area is as a field, and which other one is drawn with it. */
  setSeriesField(field: SeriesField): void;
  chooseZones(change: Partial<ZonesChoice>): void;
  /** Makes zones of the shown scene, or takes them off the map. */
  showZones(isOn: boolean): void;
}

/** Builds them. */
export const makeMeasureActions = ({ store }: Pick<ActionParts, 'store'>): MeasureActions => {
  const setSeries = (change: Partial<SeriesState>): void =>
    store.update((state) => ({ ...state, series: { ...state.series, ...change } }));
  return {
    openSeries: (isOpen) => setSeries({ isOpen }),
    chooseSeries: (change) => setSeries({ choice: { ...store.read().series.choice, ...change } }),
    setSeriesForm: (form) => setSeries({ form }),
    setSeriesField: (field) => setSeries({ field }),
    chooseZones: (change) =>
      store.update((state) => ({
        ...state,
        // Zones on the map follow the choice; they are made anew.
        zones: { ...state.zones, choice: { ...state.zones.choice, ...change }, made: { kind: 'idle' } },
      })),
    showZones: (isOn) =>
      store.update((state) => ({
        ...state,
        zones: { ...state.zones, isOn, made: { kind: 'idle' } },
      })),
  };
};
