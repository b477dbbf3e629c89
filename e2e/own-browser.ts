/**
 * A person whose browser is a process of its own behind a line of its own: it can be killed as by a power cut, and put
 * to sleep as by closing the lid, while all other browsers go on.
 */
import { type Browser, chromium, type Page } from '@playwright/test';
import { chromiumLaunch } from '@tunemate/testkit/browsers/chromium';
import { startTcpFaultProxy } from '@tunemate/testkit/network/tcp-fault-proxy';

export interface OwnBrowser {
  readonly browser: Browser;
  /** SIGKILL to the browser and all its processes; resolves when it is gone. */
  kill(): Promise<void>;
  /** The page is frozen and its connection stalled, without any event. */
  sleep(page: Page): Promise<void>;
  wake(page: Page): Promise<void>;
  dispose(): Promise<void>;
}

/** Starts it; to its pages the server is at `url`, as for all browsers. */
export async function startOwnBrowser(url: string): Promise<OwnBrowser> {
  const { hostname, port } = new URL(url);
  const line = await startTcpFaultProxy({ targetPort: Number(port) });
  const { executablePath, args } = chromiumLaunch({ prefersShell: true, isBrief: true });
  const rule = `--host-resolver-rules=MAP ${hostname} 127.0.0.1:${String(line.port)}`;
  const running = await chromium.launchServer({ executablePath, args: [...args, rule] });
  const browser = await chromium.connect(running.wsEndpoint());
  const setLife = async (page: Page, state: 'active' | 'frozen') => {
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Page.setWebLifecycleState', { state });
    await devTools.detach();
  };
  return {
    browser,
    kill: () => running.kill(),
    async sleep(page) {
      await setLife(page, 'frozen');
      line.stall();
    },
    async wake(page) {
      line.resume();
      await setLife(page, 'active');
    },
    async dispose() {
      await running.kill();
      await line.stop();
    },
  };
}
