/** Redirects a visitor to the sign-in screen and remembers the page they asked for. */
import { useEffect, useEffectEvent } from 'react';
import { useLocation, useSearch } from 'wouter';
import { loginPath } from '../accounts/sign-in/next-path.ts';
import { shellCopy } from '../copy/shell.ts';
import { useModals } from '../ui/dialogs/modals.ts';
import { LoadingScreen } from '../ui/feedback/LoadingScreen.tsx';

/** With `saysWhy` the visitor sees the reason first, and is redirected after OK. */
export function RedirectToLogin({ saysWhy }: { saysWhy: boolean }) {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const modals = useModals();
  const leave = useEffectEvent(async (visit: { isOver: boolean }) => {
    // In development React mounts twice; only the second mount shows the message.
    await Promise.resolve();
    if (visit.isOver) return;
    if (saysWhy) await modals.ok(shellCopy.mustBeLoggedIn);
    if (!visit.isOver) navigate(loginPath(search === '' ? path : `${path}?${search}`), { replace: true });
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
