import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react/pure';
import { Thumb } from './lists/MediaRow.tsx';
import { Sleeve } from './records/Sleeve.tsx';

test('a picture that failed is asked for once, wherever its address is shown again', async () => {
  const url = `/media/lib_${'9'.repeat(16)}/cover`;
  const pictures = () => document.querySelectorAll('img').length;
  let asked = 0;
  const watcher = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes)
        if (node instanceof Element) asked += Number(node.matches('img') || node.querySelector('img') !== null);
    }
  });
  watcher.observe(document.body, { childList: true, subtree: true });
  const first = await render(<Thumb id="a" url={url} />);
  await expect.poll(() => asked > 0 && pictures() === 0).toBe(true);
  const askedOnce = asked;
  await first.unmount();
  const again = await render(
    <>
      <Thumb id="a" url={url} />
      <Sleeve code="7F3A9C" pictureUrl={url} size="40px" />
    </>,
  );
  expect(asked).toBe(askedOnce);
  watcher.disconnect();
  await again.unmount();
});
