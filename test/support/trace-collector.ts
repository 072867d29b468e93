import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as a collector gets it. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly status?: { readonly code: number };
  /** The process that sent it. */
  readonly instance: string;
}

/** A collector of traces that remembers what it got, and a receiver of anything else. */
export interface TraceCollector extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly spans: CollectedSpan[];
  /** Bodies of requests for traces, as they came. */
  readonly bodies: string[];
  /** The `traceparent` of each other request. */
  readonly others: (string | undefined)[];
  /** The status of the next answers. */
  status: number;
}

/** The value of an attribute; undefined if the span does not have it. */
export function readAttribute({ attributes }: CollectedSpan, key: string): unknown {
  const { value = {} } = attributes.find((one) => one.key === key) ?? {};
  return Object.values(value)[0];
}

interface OtlpBody {
  readonly resourceSpans: readonly {
    readonly resource: Pick<CollectedSpan, 'attributes'>;
    readonly scopeSpans: readonly { readonly spans: readonly Omit<CollectedSpan, 'instance'>[] }[];
  }[];
}

/** Starts a collector on a free port. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      if (request.url !== '/v1/traces') collector.others.push(request.headers.traceparent as string);
      else if (collector.status === 200) take(body);
      response.writeHead(request.url === '/v1/traces' ? collector.status : 200).end('{}');
    });
  });
  const take = (body: string): void => {
    collector.bodies.push(body);
    for (const { resource, scopeSpans } of (JSON.parse(body) as OtlpBody).resourceSpans) {
      const instance = String(readAttribute(resource as CollectedSpan, 'service.instance.id'));
      for (const { spans } of scopeSpans)
        collector.spans.push(...spans.map((span) => ({ ...span, instance })));
    }
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const collector: TraceCollector = {
    url: `http://127.0.0.1:${port}`,
    port,
    spans: [],
    bodies: [],
    others: [],
    status: 200,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return collector;
}
