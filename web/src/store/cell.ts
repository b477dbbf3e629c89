/**
 * One observable value: what every model shows to React and to other models.
 * Knows nothing of React and nothing of what the value means.
 */

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

/** Makes a cell. Setting the value that it already has (by identity) notifies nobody. */
export function cell<Value>(initial: Value): Cell<Value> {
  let current = initial;
  const listeners = new Set<() => void>();

  function set(next: Value): void {
    if (Object.is(next, current)) return;
    current = next;
    // A copy: a listener may subscribe or unsubscribe others.
    for (const listener of Array.from(listeners)) listener();
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
export interface Signal<News> {
  readonly emit: (news: News) => void;
  readonly subscribe: (onNews: (news: News) => void) => Unsubscribe;
}

export function signal<News>(): Signal<News> {
  const listeners = new Set<(news: News) => void>();
  return {
    emit(news) {
      for (const listener of Array.from(listeners)) listener(news);
    },
    subscribe(onNews) {
      const own = (news: News): void => onNews(news);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
