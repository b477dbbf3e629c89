import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react/pure';
import { gone, shown, words } from '../../testing/screens/find.ts';
import { useFetched } from './use-fetched.ts';

test('a part that could not be fetched is left out, and drawn as soon as it can be', async () => {
  let isOffline = true;
  let asked = 0;
  const fetchPart = async () => {
    asked += 1;
    await Promise.resolve();
    if (isOffline) throw new TypeError('Failed to fetch dynamically imported module');
    return 'The part';
  };
  function Part() {
    return <p>{useFetched(fetchPart)}</p>;
  }
  const screen = await render(
    <main>
      <h1>The room</h1>
      <Part />
    </main>,
  );
  await expect.poll(() => asked).toBeGreaterThan(0);
  await shown(words('The room'));
  await gone(words('The part'));
  isOffline = false;
  await shown(words('The part'));
  await shown(words('The room'));
  await screen.unmount();
});
