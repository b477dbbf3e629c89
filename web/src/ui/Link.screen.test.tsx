import { afterEach, expect, test, vi } from 'vitest';
import { cleanup, render } from 'vitest-browser-react/pure';
import { button, link, shown } from '../../testing/screens/find.ts';
import { navigate, usePath } from '../store/address.ts';
import { Link } from './Link.tsx';

afterEach(() => cleanup());

/** Whether the browser is left to follow the press; asked last, and then kept from it. */
function isTheBrowsers(press: MouseEventInit): boolean {
  let is = false;
  const last = (event: Event): void => {
    is = !event.defaultPrevented;
    event.preventDefault();
  };
  addEventListener('click', last, { once: true });
  link('Chats')
    .element()
    .dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...press }));
  return is;
}

function Where() {
  return <button type="button">{usePath()}</button>;
}

test('a press opens the address in this page; a press for another tab or window is the browser’s', async () => {
  navigate('/here', { replace: true });
  const onClick = vi.fn();
  await render(
    <>
      <Link href="/chats" onClick={onClick}>
        Chats
      </Link>
      <Where />
    </>,
  );
  await shown(link('Chats'));
  for (const press of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }])
    expect(isTheBrowsers(press), JSON.stringify(press)).toBe(true);
  expect(onClick).not.toHaveBeenCalled();
  await shown(button('/here'));
  expect(isTheBrowsers({})).toBe(false);
  await shown(button('/chats'));
  expect(onClick).toHaveBeenCalledOnce();
  history.back();
  await shown(button('/here'));
});

test('a press that its link has answered itself opens nothing', async () => {
  navigate('/here', { replace: true });
  await render(
    <Link href="/chats" onClick={(event) => event.preventDefault()}>
      Chats
    </Link>,
  );
  await shown(link('Chats'));
  expect(isTheBrowsers({})).toBe(false);
  expect(location.pathname).toBe('/here');
});
