// What is bundled of the SDK of wallets: its files leave out the endings of those that they import.
export { Coins, Http } from '@ardenthq/sdk';
export { ARK } from '@ardenthq/sdk-ark';
