import type { ChainEvent } from '@roundhouse/readers';

/** An event in the form in which it is sent. */
export interface EventFrame extends Pick<ChainEvent, 'sequence' | 'kind'> {
  readonly text: string;
}

export const frameOf = ({ sequence, kind, data }: ChainEvent): EventFrame => ({
  sequence,
  kind,
  text: `id: ${sequence}\nevent: ${kind}\ndata: ${data}\n\n`,
});

export const textOf = (frames: readonly EventFrame[]): string => frames.map(({ text }) => text).join('');

/** It has no id: the client's own id is no longer valid, and the next event brings a new one. */
export const RESET = 'event: reset\ndata: {"commonHeight":0}\n\n';

export const HEARTBEAT = ': still here\n\n';

/** Random, so that the clients of a stopped pod do not all reconnect at the same moment. */
export const retry = (): string => `retry: ${1000 + Math.floor(Math.random() * 2000)}\n\n`;
