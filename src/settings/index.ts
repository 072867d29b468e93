export { withEarth } from './catalog-settings.ts';
export { describeConfig, parseConfig, toMetricsAccess, withCatalog } from './config.ts';
export { toResultsFolder } from './object-settings.ts';
export { type ProxyConfig, toProxy } from './proxy-settings.ts';
export { noLimitAtZero } from './setting.ts';
export type { Config } from './settings.ts';
export { toBaseMapOrigin } from './viewer-settings.ts';
export { type MailServer, toMayMail, type WatchConfig } from './watch-settings.ts';
export { toOpenMeteoServers, type WeatherConfig, type WeatherProviderName } from './weather-settings.ts';
