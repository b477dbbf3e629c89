import * as React from 'react';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react/pure';
import { shown, words } from '../../testing/screens/find.ts';
import { useModel } from './use-model.ts';

/** Makes React forget what `useMemo` holds, as it reserves the right to; the function returned undoes that. */
function dropMemos(): () => void {
  const name = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE';
  const internals = Reflect.get(React, name) as { H: object };
  const hooks = internals.H;
  internals.H = { ...hooks, useMemo: (make: () => unknown) => make() };
  return () => {
    internals.H = hooks;
  };
}

test('a model stays open when React drops memoised values, and another `open` replaces it', async () => {
  const heard: string[] = [];
  const opener = (name: string) => () => {
    heard.push(`opens ${name}`);
    return { name, close: () => heard.push(`closes ${name}`) };
  };
  function Page({ open, round }: { open: ReturnType<typeof opener>; round: number }) {
    const restore = dropMemos();
    const model = useModel(open);
    restore();
    return <p>{model && `${model.name} in round ${String(round)}`}</p>;
  }
  const first = opener('first');
  const screen = await render(<Page open={first} round={1} />);
  await shown(words('first in round 1'));
  await screen.rerender(<Page open={first} round={2} />);
  await shown(words('first in round 2'));
  expect(heard).toEqual(['opens first']);
  await screen.rerender(<Page open={opener('second')} round={3} />);
  await shown(words('second in round 3'));
  expect(heard.toSorted()).toEqual(['closes first', 'opens first', 'opens second']);
  await screen.unmount();
  expect(heard.at(-1)).toBe('closes second');
});
