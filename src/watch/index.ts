export {
  type CheckDeps,
  type Checked,
  type MeasureScene,
  makeCheckSubscription,
} from './check-subscription.ts';
export { type DryRun, makeDryRun } from './dry-run.ts';
export { addDays, type Days } from './judge.ts';
export { makeMeasureMosaic } from './measure-mosaic.ts';
export { toLongestDays } from './periods.ts';
export { AREA_ID, openReadings, packReadings } from './readings.ts';
export { type SendEvents, startSendingEvents } from './send-events.ts';
export { startWatching } from './start-watching.ts';
export type {
  Condition,
  Delivery,
  FeedEvent,
  Reference,
  Subscription,
  SubscriptionChanges,
  SubscriptionContent,
  WatchEvent,
  WatchedGround,
  WatchedMosaic,
  WatchedShape,
} from './subscription.ts';
export { makeSubscriptions, type Subscriptions } from './subscriptions.ts';
export { makeJudgeScene, type WatchJobs, watchJobs } from './watch-jobs.ts';
export type {
  Channel,
  CheckRef,
  LeasedCheck,
  LeasedSending,
  SendingState,
  SubscriptionPut,
  WatchedScene,
  WatchStore,
} from './watch-store.ts';
