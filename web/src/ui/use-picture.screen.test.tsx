import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react/pure';
import { Thumb } from './lists/MediaRow.tsx';
import { Sleeve } from './records/Sleeve.tsx';

test('a picture that failed is asked for once, wherever its address is shown again', async () => {
  const url = `/media/lib_${'9'.repeat(16)}/cover`;
  const pictures = () => document.querySelectorAll('img').length;
  const first = await render(<Thumb id="a" url={url} />);
  expect(pictures()).toBe(1);
  await expect.poll(pictures).toBe(0);
  await first.unmount();
  const again = await render(
    <>
      <Thumb id="a" url={url} />
      <Sleeve code="7F3A9C" pictureUrl={url} size="40px" />
    </>,
  );
  expect(pictures()).toBe(0);
  await again.unmount();
});
