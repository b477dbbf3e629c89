/** Lists that are kept on a device whose browser stores nothing more. */
import { expect, test } from 'vitest';
import { memoryBrowser } from '../../testing/memory-storage.ts';
import { keptEntries } from './kept-entries.ts';

test('what a full browser no longer stores is read as this page has it, until another tab changes it', () => {
  const told: (() => void)[] = [];
  const browser = memoryBrowser((tell) => void told.push(tell));
  const changed = (): void => told.splice(0).forEach((tell) => tell());
  const [storage, elsewhere] = [browser.openTab(), browser.openTab()];
  let isFull = false;
  const { getItem, removeItem, keys, onChange } = storage;
  const setItem = (key: string, value: string): void => {
    if (!isFull) storage.setItem(key, value);
  };
  const drafts = keptEntries<string>({ getItem, setItem, removeItem, keys, onChange }, 'drafts', () => 1);
  const others = keptEntries<string>(elsewhere, 'drafts', () => 1);
  drafts.onChange(() => undefined);
  const read = (): string[] => [...drafts.read()].map((each) => each.join(' '));
  drafts.keep('theo', 'Hel');
  isFull = true;
  drafts.keep('theo', 'Hell');
  drafts.keep('ada', 'H');
  expect(read()).toEqual(['theo Hell', 'ada H']);
  changed();
  others.keep('theo', 'Hello');
  changed();
  expect(read()).toEqual(['theo Hello', 'ada H']);
  drafts.keep('theo', 'Hello!');
  others.remove('theo');
  changed();
  expect(read()).toEqual(['ada H']);
});
