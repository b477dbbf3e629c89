/** What a page asks for at once: the code of its screen comes with the application, not after it. */
import { expect } from '@playwright/test';
import { test } from './with-server.ts';

for (const [path, screen] of [
  ['/', 'HomeScreen'],
  ['/chat/abcdef', 'ChatScreen'],
  ['/tunemate/ABC123', 'RoomScreen'],
] as const) {
  test(`the page of ${path} asks for the code of its screen, and all that it asks for is there`, async ({
    request,
    server,
  }) => {
    const html = await (await request.get(`${server.url}${path}`)).text();
    const asked = Array.from(html.matchAll(/<link rel="modulepreload"[^>]* href="([^"]+)"/g), ([, href = '']) => href);
    expect(asked.some((href) => href.includes(`/${screen}-`))).toBe(true);
    for (const href of asked) expect((await request.get(`${server.url}${href}`)).status(), href).toBe(200);
  });
}
