/**
 * The states of the connection as a table: which event leads from which state to which. Pure; connection.ts opens, waits
 * and says hello.
 */
import type { ErrorCode } from '@tunemate/protocol';
import type { ConnectionStatus } from './port.ts';

/** `attempt` counts the losses since the connection was last live. Times in ms of this device. */
export type ConnectionState =
  | { readonly status: 'closed' }
  | { readonly status: 'opening'; readonly attempt: number }
  | { readonly status: 'handshaking'; readonly attempt: number }
  | { readonly status: 'live' }
  | { readonly status: 'waiting'; readonly attempt: number; readonly retryAtMs: number }
  | { readonly status: 'refused'; readonly code: ErrorCode }
  | { readonly status: 'outdated' };

export type ConnectionEvent =
  | { readonly type: 'start' }
  | { readonly type: 'stop' }
  | { readonly type: 'opened' }
  | { readonly type: 'greeted' }
  | { readonly type: 'lost'; readonly retryAtMs: number }
  | { readonly type: 'refused'; readonly code: ErrorCode }
  /** The wait is over, or the device woke up or is back online. */
  | { readonly type: 'retry' };

type Step = (state: ConnectionState, event: ConnectionEvent) => ConnectionState;

/** How often the connection was lost since it was last live; the wait before the next attempt grows with it. */
export const attemptOf = (state: ConnectionState): number => ('attempt' in state ? state.attempt : 0);

const closed: Step = () => ({ status: 'closed' });
const openFirst: Step = () => ({ status: 'opening', attempt: 0 });
const openAgain: Step = (state) => ({ status: 'opening', attempt: attemptOf(state) });
const performHello: Step = (state) => ({ status: 'handshaking', attempt: attemptOf(state) });
const live: Step = () => ({ status: 'live' });
const wait: Step = (state, event) => ({
  status: 'waiting',
  attempt: attemptOf(state) + 1,
  retryAtMs: event.type === 'lost' ? event.retryAtMs : 0,
});
const refuse: Step = (state, event) => {
  if (event.type !== 'refused') return state;
  return event.code === 'client/outdated' ? { status: 'outdated' } : { status: 'refused', code: event.code };
};

const steps: Record<ConnectionState['status'], Partial<Record<ConnectionEvent['type'], Step>>> = {
  closed: { start: openFirst },
  opening: { opened: performHello, lost: wait, refused: refuse, stop: closed },
  handshaking: { greeted: live, lost: wait, refused: refuse, stop: closed },
  live: { lost: wait, refused: refuse, stop: closed },
  waiting: { retry: openAgain, stop: closed },
  refused: { start: openFirst, stop: closed },
  outdated: {},
};

/** An event that a state does not list changes nothing. */
export function nextState(state: ConnectionState, event: ConnectionEvent): ConnectionState {
  return steps[state.status][event.type]?.(state, event) ?? state;
}

/** The status that models and screens see. It stays 'reconnecting' while an attempt to reconnect is under way. */
export function publicStatus(state: ConnectionState, nowMs: number): ConnectionStatus {
  if (state.status === 'waiting') {
    return { status: 'reconnecting', attempt: state.attempt, retryAtMs: state.retryAtMs };
  }
  if (state.status !== 'opening' && state.status !== 'handshaking') return state;
  if (state.attempt === 0) return { status: 'connecting' };
  return { status: 'reconnecting', attempt: state.attempt, retryAtMs: nowMs };
}
