/**
 * Everything around the screens: models, modals, toasts, the skip link, the screen of the address and who may see it,
 * the notices of a lost connection or a wrong address, and the boundary for crashes.
 */
import {
  Component,
  type ReactNode,
  Suspense,
  use,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { navigate, usePath, useSearch } from '../store/address.ts';
import { loginPath } from '../accounts/sign-in/next-path.ts';
import { AppContext, useApp, UserContext } from '../app-context.ts';
import { type App, needsReload } from '../app.ts';
import { reachOf } from '../connection/reach.ts';
import { sentenceOf } from '../words/errors.ts';
import { causes, reloadWords, shellWords } from '../words/shell.ts';
import { type Route, routeAt, VisitHost } from '../routes.tsx';
import type { ScreenProps } from '../store/address.ts';
import { lazyPart } from '../store/lazy-part.ts';
import { tabStorage } from '../store/lenient-storage.ts';
import { useReadable } from '../store/use-readable.ts';
import { Button, Spinner } from '../ui/buttons/Button.tsx';
import { useModals } from '../ui/dialogs/modals.ts';
import { ModalHost } from '../ui/dialogs/ModalHost.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { LoadingScreen } from '../ui/feedback/LoadingScreen.tsx';
import { type Around, AroundContext, useLasting } from '../ui/feedback/Waiting.tsx';
import { type ShowToast, ToastsContext } from '../ui/feedback/toasts.ts';
import { CheckIcon } from '../ui/icons/icons.tsx';
import type { Elements } from '../ui/OwnText.tsx';
import { AppLayout, BandLinks } from '../ui/layout/AppLayout.tsx';
import { useBand } from '../ui/layout/use-band.ts';
import { focusHeading } from '../ui/lost-focus.ts';
import notice from './ConnectionNotice.module.css';
import { NotFoundScreen, UnreachableScreen } from './ErrorScreens.tsx';
import { keepTypedText } from './page-life.ts';
import styles from './Root.module.css';
import toast from './Toasts.module.css';
import { useRouteTitle } from './use-page-title.ts';
import { t } from '../language/t.ts';

const NewerSlip = lazyPart(async () => (await import('./NewerSlip.tsx')).NewerSlip);
const UnreadLinks = lazyPart(async () => (await import('./UnreadLink.tsx')).UnreadLinks);
const WrongAddress = lazyPart(async () => (await import('./WrongAddress.tsx')).WrongAddress);

export function Root({ app }: { app: App }) {
  const session = useReadable(app.session.session);
  return (
    <AppContext value={app}>
      <ModalHost>
        <ToastHost>
          <SkipLink />
          <AddressNotice />
          <CrashBoundary>
            <CutOff>
              <BandLinks value={session.status === 'signed-in' && <UnreadLinks />}>
                <CurrentScreen />
              </BandLinks>
              {session.status === 'signed-in' && <VisitHost user={session.user} />}
              <ConnectionNotice />
              <NewerNotice />
            </CutOff>
          </CrashBoundary>
        </ToastHost>
      </ModalHost>
    </AppContext>
  );
}

const connected: Around = { isCutOff: false, reload };
const cutOff: Around = { isCutOff: true, reload };

/** Tells what is drawn in it whether the connection has been lost for longer than a moment. */
function CutOff({ children }: { children: ReactNode }) {
  const { status } = useReadable(useApp().connection.status);
  const isLost = useLasting(status === 'reconnecting', patienceMs);
  return <AroundContext value={isLost ? cutOff : connected}>{children}</AroundContext>;
}

/** The screen of the address. */
function CurrentScreen() {
  const found = routeAt(usePath());
  return found === undefined ? <NotFoundScreen /> : <RouteView key={found.route.path} {...found} />;
}

/** One route's screen: who may see it, its title, its loading state, and the focus once it is mounted. */
function RouteView({ route, params }: { route: Route } & ScreenProps) {
  const path = usePath();
  useBand(route.band);
  useRouteTitle(route.title);
  return (
    <Suspense fallback={<Fetching route={route} />}>
      {/* A new address mounts a new screen, even of the same route. */}
      {route.access === 'open' ? (
        <route.Screen key={path} params={params} />
      ) : (
        <SignedInOnly key={path} route={route} params={params} />
      )}
      <RouteFocus path={path} />
    </Suspense>
  );
}

/**
 * While the screen's code is being fetched. A signed-in user may be visiting a room: the layout keeps its bar's place.
 */
function Fetching({ route: { access, band, title } }: { route: Route }) {
  const { status } = useReadable(useApp().session.session);
  if (status !== 'signed-in' || access === 'room') return <LoadingScreen />;
  return (
    <AppLayout band={band} title={title}>
      <LoadingScreen />
    </AppLayout>
  );
}

function SignedInOnly({ route, params }: { route: Route } & ScreenProps) {
  const { session } = useApp();
  const now = useReadable(session.session);
  if (now.status === 'loading') return <LoadingScreen />;
  if (now.status === 'unreachable') return <UnreachableScreen band={route.band} refusal={now.refusal} />;
  if (now.status !== 'signed-in') {
    return <RedirectToLogin saysWhy={route.access === 'room' && now.status === 'signed-out'} />;
  }
  return (
    <UserContext value={now.user}>
      <route.Screen params={params} />
    </UserContext>
  );
}

/** The path of the last screen; null before the first, whose focus the browser sets. */
let lastPath: string | null = null;

/**
 * Moves the focus to a new screen, as a browser does when a page is loaded: to its heading, so that screen readers
 * announce it. Place it after the screen, inside its Suspense: it runs when the screen is mounted, before the screen
 * is painted, because a field that a person presses afterwards keeps the focus.
 */
function RouteFocus({ path }: { path: string }) {
  useLayoutEffect(() => {
    const isFirst = lastPath === null || lastPath === path;
    lastPath = path;
    if (isFirst) return;
    window.scrollTo(0, 0);
    if (document.querySelector('dialog[open]') !== null) return;
    focusHeading();
  }, [path]);
  return null;
}

/**
 * Redirects a visitor to the sign-in screen, which then opens the requested page. With `saysWhy` a dialog gives the
 * reason first.
 */
function RedirectToLogin({ saysWhy }: { saysWhy: boolean }) {
  const path = usePath();
  const search = useSearch();
  const modals = useModals();
  const leave = useEffectEvent(async (visit: { isOver: boolean }) => {
    // In development React mounts twice; only the second mount shows the message.
    await Promise.resolve();
    if (visit.isOver) return;
    if (saysWhy) await modals.ok(shellWords.mustBeLoggedIn);
    if (!visit.isOver) navigate(loginPath(path + search), { replace: true });
  });
  useEffect(() => {
    const visit = { isOver: false };
    void leave(visit);
    return () => {
      visit.isOver = true;
    };
  }, []);
  return <LoadingScreen />;
}

/** The first element that Tab reaches: a link to the content, past band and sidebar. */
function SkipLink() {
  return (
    <button
      type="button"
      className={styles.skip}
      onClick={() => {
        const main = document.querySelector<HTMLElement>('main');
        if (main === null) return;
        main.tabIndex = -1;
        main.focus();
        main.scrollIntoView();
      }}
    >
      {t`Skip to content`}
    </button>
  );
}

/** Code that few pages need: of a server whose address is set wrong. */
function AddressNotice() {
  const openAt = useReadable(useApp().session.config)?.openAt ?? null;
  return openAt !== null && <WrongAddress openAt={openAt} />;
}

/** A connection that is restored sooner needs no notice. */
const patienceMs = 2000;

/**
 * Shows that the connection is lost once it has been for two seconds, with its cause where one is known and a button to
 * retry now, that code of the page can't be fetched, and that the page is older than the server.
 */
function ConnectionNotice() {
  const { connection, reconnectNow, lostPart } = useApp();
  const lost = useReadable(lostPart);
  const now = useReadable(connection.status);
  const { status } = now;
  const { isCutOff: isBroken } = use(AroundContext);
  const cause = useCause(now.status === 'reconnecting' ? now.attempt : 0);
  return (
    <output className={notice.region}>
      {isBroken && (
        <span className={notice.notice}>
          <Spinner />
          <span>{navigator.onLine ? (cause ?? t`Reconnecting…`) : shellWords.offline}</span>
          {navigator.onLine && (
            <Button small variant="primary" onClick={reconnectNow}>
              {shellWords.tryAgain}
            </Button>
          )}
        </span>
      )}
      {lost !== null && !needsReload(lost) && !isBroken && (
        <span className={notice.notice}>
          <Spinner />
          <span>{causes[lost] ?? sentenceOf({ code: 'server/unavailable' })}</span>
        </span>
      )}
      {now.status === 'refused' && now.code === 'session/elsewhere' && (
        <span className={notice.notice}>
          <span>{sentenceOf(now)}</span>
          <Button small variant="primary" onClick={reconnectNow}>
            {t`Use it here`}
          </Button>
        </span>
      )}
      {(status === 'outdated' || needsReload(lost)) && (
        <span className={notice.notice}>
          <span>{reloadWords[needsReload(lost) ? lost : 'ours']}</span>
          <Button small variant="primary" onClick={reload}>
            {shellWords.reload}
          </Button>
        </span>
      )}
    </output>
  );
}

/** That a newer version is stored on this device, outside of rooms: no user has to leave one for it. */
function NewerNotice() {
  const { hasNewer, visit } = useApp();
  const [isLater, setIsLater] = useState(false);
  const isInRoom = useReadable(visit) !== null;
  if (!useReadable(hasNewer) || isInRoom || isLater) return null;
  return <NewerSlip onTake={reload} onLater={() => setIsLater(true)} />;
}

function reload(): void {
  keepTypedText(tabStorage);
  location.reload();
}

/** Attempts that fail before the cause is looked for: a server that is only restarted needs fewer. */
const attemptsWithoutCause = 5;

/** Why the attempts fail, looked for with each of them; null while it is not known. */
function useCause(attempt: number): string | null {
  const app = useApp();
  const [cause, setCause] = useState<string | null>(null);
  useEffect(() => {
    if (attempt < attemptsWithoutCause) return undefined;
    let isCurrent = true;
    void reachOf(app.fetch).then((reach) => isCurrent && setCause(causes[reach]));
    return () => {
      isCurrent = false;
    };
  }, [attempt, app]);
  return attempt < attemptsWithoutCause ? null : cause;
}

/** Catches what a screen throws, and shows a message instead of a blank window. */
export class CrashBoundary extends Component<{ children: ReactNode }, { readonly hasCrashed: boolean }> {
  override state = { hasCrashed: false };

  static getDerivedStateFromError() {
    return { hasCrashed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasCrashed) return this.props.children;
    return (
      <main>
        <EmptyState tall message={t`This page broke`} hint={t`Reload it to go on.`}>
          <Button variant="primary" onClick={() => location.reload()}>
            {shellWords.reload}
          </Button>
        </EmptyState>
      </main>
    );
  }
}

const toastMs = 4000;
const mostAtOnce = 3;

/**
 * Short notices in one polite live region: in a room at the foot of what plays, else below the band on phones, bottom
 * right on wide screens. Our own few lines,
 * because toast libraries inject style elements that our CSP refuses.
 */
function ToastHost({ children }: { children: Elements }) {
  const [toasts, setToasts] = useState<readonly { key: number; message: string }[]>([]);
  const lastKey = useRef(0);
  const show = useCallback<ShowToast>((message) => {
    lastKey.current += 1;
    const next = { key: lastKey.current, message };
    setToasts((before) => [...before.filter((old) => old.message !== message), next].slice(-mostAtOnce));
  }, []);
  const drop = (key: number) => setToasts((before) => before.filter((old) => old.key !== key));
  // A region is read out reliably where it was before its words.
  useLayoutEffect(() => void regionIn(document.body), []);
  return (
    <ToastsContext value={show}>
      {children}
      {toasts.map(({ key, message }) => (
        <ToastCard key={key} message={message} onEnd={() => drop(key)} />
      ))}
    </ToastsContext>
  );
}

/** What lies behind an open dialog is covered, and not read out. A room has a line for notices. */
const topOfPage = (): Element =>
  [...document.querySelectorAll('dialog:modal')].at(-1) ??
  [...document.querySelectorAll('[data-notice-slot]')].find((slot) => slot.checkVisibility(seen)) ??
  document.body;
const seen = { visibilityProperty: true } as const;

function regionIn(place: Element): Element {
  const found = [...place.children].find(({ className }) => className === toast.region);
  if (found !== undefined) return found;
  const region = document.createElement('output');
  region.className = toast.region ?? '';
  region.setAttribute('aria-atomic', 'false');
  place.append(region);
  return region;
}

/** One notice; a pointer on it pauses its timer. It stays where it came: one that moves is read out again. */
function ToastCard({ message, onEnd }: { message: string; onEnd: () => void }) {
  const [held, setHeld] = useState(false);
  const [box] = useState(() => document.createElement('span'));
  const end = useEffectEvent(onEnd);
  // Once the page has changed: the dialog in which it was asked for may close with the same change.
  useLayoutEffect(() => {
    regionIn(topOfPage()).append(box);
    return () => box.remove();
  }, [box]);
  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(() => end(), toastMs);
    return () => clearTimeout(timer);
  }, [held]);
  return createPortal(
    <span className={toast.toast} onPointerEnter={() => setHeld(true)} onPointerLeave={() => setHeld(false)}>
      <CheckIcon />
      <span>{message}</span>
    </span>,
    box,
  );
}
