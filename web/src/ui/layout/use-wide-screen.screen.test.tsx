import { flushSync } from 'react-dom';
import { test } from 'vitest';
import { render } from 'vitest-browser-react/pure';
import { look, lookOnPhone, wide } from '../../../testing/screens/browser.ts';
import { shown, words } from '../../../testing/screens/find.ts';
import { cell } from '../../store/cell.ts';
import { useReadable } from '../../store/use-readable.ts';
import { useWindowWidth } from './use-wide-screen.ts';

const position = cell(0);

/** Is drawn again and again, as a room is while music plays. */
function Busy() {
  return (
    <p>
      Busy: {useWindowWidth()} at {useReadable(position)}
    </p>
  );
}

function Still() {
  return <p>Still: {useWindowWidth()}</p>;
}

test('all of a page follows the width of its window while another part is drawn all the time', async () => {
  const screen = await render(
    <>
      <Busy />
      <Still />
    </>,
  );
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', () => {
    flushSync(() => position.update((before) => before + 1));
    port2.postMessage('again');
  });
  port1.start();
  port2.postMessage('begin');
  for (let turn = 0; turn < 10; turn += 1) {
    await lookOnPhone();
    await shown(words('Still: phone'));
    await look({ theme: 'dark', ...wide });
    await shown(words('Still: wide'));
  }
  port1.close();
  await screen.unmount();
});
