import type { AddressPolicy } from '../net/index.ts';
import { isNetwork } from './setting-parsers.ts';

/** Where callbacks may go; null if none are sent. */
export type CallbackHosts = AddressPolicy | null;

const PORTS: readonly number[] = [443, 80];

/** Every host with a public address, at the ports of http and https. */
export const publicHosts: CallbackHosts = { allowHttp: true, ports: PORTS };

const HOST = /^((?:\*\.)?[A-Za-z0-9.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(?::(\d{1,5}))?$/;

/**
 * Reads SWATH_CALLBACK_HOSTS: `off`, or entries with spaces between them: hosts (`hooks.example.org`, `*.example.org`, with
 * `:port` if it is another than 80 or 443), outside of which nothing is called, and networks (`10.0.0.0/8`) that may be called
 * although they are not public. The error continues the variable's name.
 */
export function parseCallbackHosts(text: string): CallbackHosts {
  if (text.trim() === 'off') return null;
  const hosts: string[] = [];
  const ports = new Set(PORTS);
  const privateNetworks: string[] = [];
  for (const entry of text.split(/\s+/).filter((word) => word !== '')) {
    const [, host, port] = HOST.exec(entry) ?? [];
    if (isNetwork(entry)) privateNetworks.push(entry);
    else if (host !== undefined && (port === undefined || isPort(Number(port)))) {
      hosts.push(host);
      if (port !== undefined) ports.add(Number(port));
    } else {
      throw new Error(
        `lists "${entry.slice(0, 80)}"; it must be off, or hosts such as hooks.example.org, *.example.org or hooks.example.org:8443 and networks such as 10.0.0.0/8`,
      );
    }
  }
  const policy = { allowHttp: true, ports: [...ports], privateNetworks };
  return hosts.length === 0 ? policy : { ...policy, hosts };
}

const isPort = (port: number): boolean => port >= 1 && port <= 65_535;

/** The setting as `doctor` prints it. */
export function describeCallbackHosts(policy: CallbackHosts): string {
  if (policy === null) return 'off';
  const { hosts, ports = [], privateNetworks = [] } = policy;
  const where = [...(hosts ?? ['(any host with a public address)']), ...privateNetworks].join(' ');
  const more = ports.filter((port) => !PORTS.includes(port));
  return more.length === 0 ? where : `${where}, also at port ${more.join(', ')}`;
}
