/** One observable value, as models give it to React and to other models. A listener that throws stops no other one. */

/** Calls it; an exception is reported as if nothing had caught it, and ends nothing else. */
export function guarded(act: () => void): void {
  try {
    act();
  } catch (exception) {
    reportError(exception);
  }
}

export type Unsubscribe = () => void;

/** A value to read and to subscribe to. The functions need no `this`, so they can be passed on. */
export interface Readable<Value> {
  readonly get: () => Value;
  /** Calls back after each change; the returned function unsubscribes. */
  readonly subscribe: (onChange: () => void) => Unsubscribe;
}

export interface Cell<Value> extends Readable<Value> {
  readonly set: (next: Value) => void;
  readonly update: (change: (current: Value) => Value) => void;
}

/** Setting the same value again (by identity) notifies no subscriber. */
export function cell<Value>(initial: Value): Cell<Value> {
  let current = initial;
  const listeners = new Set<() => void>();

  function set(next: Value): void {
    if (Object.is(next, current)) return;
    current = next;
    // A copy: a listener may subscribe or unsubscribe others.
    for (const listener of Array.from(listeners)) guarded(listener);
  }

  return {
    get: () => current,
    set,
    update: (change) => set(change(current)),
    subscribe(onChange) {
      listeners.add(onChange);
      return () => void listeners.delete(onChange);
    },
  };
}

/** A list of callbacks for events that have no current value. */
export interface Signal<Event> {
  readonly emit: (event: Event) => void;
  readonly subscribe: (onEvent: (event: Event) => void) => Unsubscribe;
  /** Ends all subscriptions. */
  readonly clear: () => void;
}

export function signal<Event>(): Signal<Event> {
  const listeners = new Set<(event: Event) => void>();
  return {
    emit(event) {
      for (const listener of Array.from(listeners)) guarded(() => listener(event));
    },
    subscribe(onEvent) {
      const own = (event: Event): void => onEvent(event);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    clear: () => listeners.clear(),
  };
}
