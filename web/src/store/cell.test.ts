import { expect, test, vi } from 'vitest';
import { cell, signal } from './cell.ts';

test('a listener that throws is reported, and stops none behind it', () => {
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  const heard: string[] = [];
  const fail = (): never => {
    throw new Error('broken');
  };
  const events = signal<string>();
  events.subscribe(fail);
  events.subscribe((event) => void heard.push(event));
  events.emit('event');
  const value = cell('before');
  value.subscribe(fail);
  value.subscribe(() => void heard.push(value.get()));
  value.set('after');
  vi.unstubAllGlobals();
  expect(heard).toEqual(['event', 'after']);
  expect(reported).toHaveBeenCalledTimes(2);
});
