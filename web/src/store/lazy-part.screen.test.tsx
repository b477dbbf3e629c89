import { useState } from 'react';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react/pure';
import { button, gone, shown, words } from '../../testing/screens/find.ts';
import { lazyPart } from './lazy-part.ts';
import { handleLostParts } from './lost-parts.ts';

test('what could not be fetched leaves the rest of the page, and is fetched when it is opened again', async () => {
  // A page that another test opened would have it fetched twice.
  handleLostParts(() => Promise.resolve(false));
  let isOffline = true;
  let asked = 0;
  const Sheet = lazyPart<{ onClose: () => void }>(async () => {
    asked += 1;
    await Promise.resolve();
    if (isOffline) throw new TypeError('Failed to fetch dynamically imported module');
    return () => <p>The sheet</p>;
  });
  function Page() {
    const [isOpen, setIsOpen] = useState(false);
    return (
      <>
        <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(true)}>
          Open
        </button>
        {isOpen && <Sheet onClose={() => setIsOpen(false)} />}
      </>
    );
  }
  const screen = await render(<Page />);
  await button('Open').click();
  await expect.poll(() => asked).toBe(1);
  await shown(page.getByRole('button', { name: 'Open', expanded: false }));
  await gone(words('The sheet'));
  isOffline = false;
  await button('Open').click();
  await shown(words('The sheet'));
  await screen.unmount();
});

test('code that was fetched ahead is drawn at once, without what stands in its place', async () => {
  const Part = lazyPart(() => Promise.resolve(() => <p>The part</p>));
  await Part.prefetch();
  const drawn: (string | null)[] = [];
  const screen = await render(<Part fallback={<p ref={(p) => void drawn.push(p && p.textContent)}>Loading</p>} />);
  await shown(words('The part'));
  expect(drawn).toEqual([]);
  await screen.unmount();
});
