import type { SettingsOf } from './setting.ts';
import { parseHttpUrl, SettingError } from './setting.ts';

/** Where traces go, and how many of them. */
export interface TraceConfig {
  /** The collector, without `/v1/traces`; null records nothing. */
  readonly traces: string | null;
  /** The share of requests without a `traceparent` that are recorded, from 0 to 1. */
  readonly tracesShare: number;
  readonly tracesHeaders: Readonly<Record<string, string>> | null;
}

function parseShare(text: string): number {
  const share = /^(?:0|1|[01]?\.\d{1,9})$/.test(text) ? Number(text) : Number.NaN;
  if (!(share >= 0 && share <= 1)) throw new Error('must be a number from 0 to 1, such as 0.05');
  return share;
}

/** Reads `name=value,name=value`; values may be percent-encoded. No message repeats them, because they hold tokens. */
function parseHeaders(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').map((pair) => {
    const [, name, value] =
      /^\s*([A-Za-z0-9-]{1,64})\s*=\s*([\x21-\x2b\x2d-\x7e ]{1,4096}?)\s*$/.exec(pair) ?? [];
    const decoded = value === undefined ? null : decode(value);
    if (name === undefined || decoded === null)
      throw new SettingError(
        'must be headers such as authorization=Bearer%20token, separated by commas',
        null,
      );
    return [name.toLowerCase(), decoded] as const;
  });
  return Object.fromEntries(pairs);
}

function decode(value: string): string | null {
  try {
    const decoded = decodeURIComponent(value);
    return /^[\x20-\x7e]+$/.test(decoded) ? decoded : null;
  } catch {
    return null;
  }
}

/** How these settings are read. */
export const traceSettings: SettingsOf<TraceConfig> = {
  traces: {
    variable: 'SWATH_TRACES',
    alias: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    summary:
      'OpenTelemetry collector that traces are sent to, as OTLP over HTTP with JSON, such as `http://collector:4318`; also as `OTEL_EXPORTER_OTLP_ENDPOINT`.',
    fallbackText: '(none)',
    fallback: () => null,
    parse: parseHttpUrl,
  },
  tracesShare: {
    variable: 'SWATH_TRACES_SHARE',
    alias: 'OTEL_TRACES_SAMPLER_ARG',
    summary:
      'Share of requests that are traced, from 0 to 1; a `traceparent` header decides for its own request. Also as `OTEL_TRACES_SAMPLER_ARG`.',
    fallbackText: '1',
    fallback: () => 1,
    parse: parseShare,
  },
  tracesHeaders: {
    variable: 'SWATH_TRACES_HEADERS',
    alias: 'OTEL_EXPORTER_OTLP_HEADERS',
    summary:
      'Headers for the collector, such as `authorization=Bearer%20token`, separated by commas; also as `OTEL_EXPORTER_OTLP_HEADERS`.',
    fallbackText: '(none)',
    fallback: () => null,
    parse: parseHeaders,
    secret: true,
  },
};
